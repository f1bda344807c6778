package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

func tunedOption(t *testing.T, text string) TunedOption {
	t.Helper()
	o, err := ParseTunedOption("mcts", text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func tuningConfig(t *testing.T, options ...string) TuningConfig {
	t.Helper()
	c := TuningConfig{
		Config: Config{Matches: 8, Size: rules.Size{Width: 3, Height: 3}, Seed: 7, Concurrency: 1},
		Spec:   "mcts:playouts=100,c=3000,expand=30", Iterations: 150, Gain: 1,
	}
	for _, text := range options {
		c.Options = append(c.Options, tunedOption(t, text))
	}
	return c
}

func newTuning(t *testing.T, c TuningConfig) *Tuning {
	t.Helper()
	tuning, err := NewTuning(c)
	if err != nil {
		t.Fatal(err)
	}
	return tuning
}

// distance returns how far a bot's options are from the best ones, c=1000 and expand=8, in parts of their ranges.
func distance(t *testing.T, text string) float64 {
	t.Helper()
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return math.Hypot((valueOf(spec, "c")-1000)/4000, (valueOf(spec, "expand")-8)/40)
}

// judged returns the games of an event. The nearer a bot is to the best options, the more matches it wins.
func judged(t *testing.T, e tournament.Event) Played {
	t.Helper()
	e.ID = int64(e.Seed)
	advantage := distance(t, e.Entries[1].Spec) - distance(t, e.Entries[0].Spec)
	random := rand.New(rand.NewPCG(e.Seed, 1))
	p := Played{Event: e}
	for match := range e.Matches {
		tiles := [2]int{64, 512}
		if random.Float64() < 1/(1+math.Exp(-15*advantage)) {
			tiles = [2]int{512, 64}
		}
		p.Games = append(p.Games, meeting(t, e, match+1, e.Entries[0].Name, e.Entries[1].Name, tiles)...)
	}
	return p
}

// tuned plays all iterations of a tuning.
func tuned(t *testing.T, tuning *Tuning) {
	t.Helper()
	for {
		e, more, err := tuning.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return
		}
		if err := tuning.Add(judged(t, e)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTuningFindsTheBestOptions(t *testing.T) {
	c := tuningConfig(t, "c=0:4000", "expand=1:40:3")
	tuning := newTuning(t, c)
	tuned(t, tuning)
	r := tuning.Report(nil)
	if before, after := distance(t, c.Spec), distance(t, r.Spec); after > before/4 {
		t.Errorf("tuned %s: the distance was %.2f and is %.2f", r.Spec, before, after)
	}
	again := newTuning(t, c)
	tuned(t, again)
	if other := again.Report(nil); !slices.Equal(r.Steps[149].Values, other.Steps[149].Values) {
		t.Errorf("the same seed leads to %v and %v", r.Steps[149].Values, other.Steps[149].Values)
	}
	e, changed, err := tuning.Last(10)
	if err != nil || !changed || e.Matches != 10 || e.Entries[0].Spec == e.Entries[1].Spec {
		t.Errorf("the last event is %+v, changed %v, error %v", e, changed, err)
	}
}

// Each iteration plays both bots at the same distance from the present values, within the ranges, and an even result
// moves nothing.
func TestIterations(t *testing.T) {
	tuning := newTuning(t, tuningConfig(t, "c=0:4000:100", "expand=30:31"))
	for range 20 {
		before := slices.Clone(tuning.now)
		e, _, err := tuning.Next()
		if err != nil {
			t.Fatal(err)
		}
		e.ID, e.Matches = 1, 2
		for _, entry := range e.Entries {
			spec, err := players.Parse(entry.Spec)
			if err != nil {
				t.Fatal(err)
			}
			if away := math.Abs(valueOf(spec, "c") - before[0]); away < 50 || away > 101 {
				t.Errorf("c=%v beside %v", valueOf(spec, "c"), before[0])
			}
			if v := valueOf(spec, "expand"); v < 30 || v > 31 {
				t.Errorf("expand=%v is outside the range", v)
			}
		}
		if e.Entries[0].Spec == e.Entries[1].Spec {
			t.Errorf("both bots are %s", e.Entries[0].Spec)
		}
		even := Played{Event: e, Games: append(meeting(t, e, 1, nameUp, nameDown, [2]int{64, 512}), meeting(t, e, 2, nameUp, nameDown, [2]int{512, 64})...)}
		if err := tuning.Add(Played{Event: e, Games: even.Games[:2]}); err == nil {
			t.Error("an event with an open match is accepted")
		}
		if err := tuning.Add(even); err != nil || !slices.Equal(before, tuning.now) {
			t.Errorf("an even result moves %v to %v, error %v", before, tuning.now, err)
		}
	}
	if _, changed, err := tuning.Last(1); changed || err != nil {
		t.Errorf("the result is another bot, error %v", err)
	}
}

func TestTunedOptions(t *testing.T) {
	if o := tunedOption(t, "expand=1:41"); o != (TunedOption{"expand", 1, 41, 4}) {
		t.Errorf("%+v", o)
	}
	if o := tunedOption(t, "expand=1:3"); o.Step != leastStep {
		t.Errorf("%+v", o)
	}
	for text, want := range map[string]string{
		"expand":          "want NAME=LOW:HIGH",
		"expand=1":        "want NAME=LOW:HIGH",
		"expand=1:2:3:4":  "want NAME=LOW:HIGH",
		"expand=0:2":      "want a range within 1 to ",
		"expand=2:2":      "want a range within 1 to ",
		"expand=a:2":      "want a range within 1 to ",
		"expand=1:9:0.1":  "want a step from 0.5 to 8",
		"expand=1:9:NaN":  "want a step from 0.5 to 8",
		"expand=1:9:9":    "want a step from 0.5 to 8",
		"reuse=0:1":       `no numeric option "reuse": want playouts, time, `,
		"seed=0:1":        `no numeric option "seed"`,
		"unknown=1:2":     `no numeric option "unknown"`,
		"playouts=1:2:+x": "want a step",
	} {
		if _, err := ParseTunedOption("mcts", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := ParseTunedOption("greedy", "a=1:2"); err == nil || !strings.Contains(err.Error(), "greedy has no numeric option") {
		t.Errorf("greedy: error %v", err)
	}
	if _, err := ParseTunedOption("nobody", "a=1:2"); err == nil {
		t.Error("an unknown bot is accepted")
	}
}

func TestTuningOutOfRange(t *testing.T) {
	for want, spoil := range map[string]func(*TuningConfig){
		"no option to tune":       func(c *TuningConfig) { c.Options = nil },
		"the option c is given t": func(c *TuningConfig) { c.Options = append(c.Options, c.Options[0]) },
		"0 iterations":            func(c *TuningConfig) { c.Iterations = 0 },
		"a gain of 0":             func(c *TuningConfig) { c.Gain = 0 },
		"a gain of NaN":           func(c *TuningConfig) { c.Gain = math.NaN() },
		"c=3000 is not in the":    func(c *TuningConfig) { c.Options[0].High = 2000 },
		"below 2^53":              func(c *TuningConfig) { c.Seed = 1<<53 - 100 },
		"seed 18446744073709551":  func(c *TuningConfig) { c.Seed = math.MaxUint64 },
		"unknown option":          func(c *TuningConfig) { c.Spec = "mcts:speed=1" },
	} {
		c := tuningConfig(t, "c=0:4000")
		spoil(&c)
		if _, err := NewTuning(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	c := tuningConfig(t, "c=0:4000")
	c.Rules = rules.Solo
	if _, _, err := newTuning(t, c).Next(); err == nil {
		t.Error("chance attacks, and is accepted")
	}
}

func TestReportOfTuning(t *testing.T) {
	c := tuningConfig(t, "c=0:4000", "expand=1:40")
	c.Iterations = 3
	tuning := newTuning(t, c)
	tuned(t, tuning)
	last, _, err := tuning.Last(4)
	if err != nil {
		t.Fatal(err)
	}
	check := judged(t, last)
	r := tuning.Report(&check)
	var page, csv strings.Builder
	if err := r.WriteMarkdown(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| c | 0 | 4000 |", "won-drawn-lost", "3 of 3 iterations of 8 matches, gain 1, seed 7", "`mcts:playouts=100,c=3000,expand=30`"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
	if err := r.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(csv.String()), "\n")
	if len(lines) != 4 || lines[0] != "iteration,event,won,drawn,lost,c,expand" || !strings.HasPrefix(lines[3], "3,"+strconv.Itoa(7+2)+",") {
		t.Errorf("CSV\n%s", csv.String())
	}
	checkPlot(t, "tuning", r, "iteration", "expand")
}

// An event of two bots is complete once the store has the results of all its matches.
func TestCompleteEvent(t *testing.T) {
	e, _, err := newTuning(t, tuningConfig(t, "c=0:4000")).Next()
	if err != nil {
		t.Fatal(err)
	}
	played := func(store memory) bool {
		all, err := Read(context.Background(), store, []tournament.Event{e})
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Complete()
	}
	all := judged(t, e)
	store := memory{games: map[int64][]tournament.Game{all.Event.ID: all.Games[:len(all.Games)-1]}}
	if played(store) {
		t.Error("an event without a record is complete")
	}
	store.events = []tournament.Event{all.Event}
	if played(store) {
		t.Error("an event with an open match is complete")
	}
	store.games[all.Event.ID] = all.Games
	if !played(store) {
		t.Error("a finished event is not complete")
	}
}
