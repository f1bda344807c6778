package standing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// eventOf returns an event of bots that connect by themselves, or are started if they have an equals sign.
func eventOf(bots ...string) tournament.Event {
	e := tournament.Event{Size: rules.Full}
	for _, bot := range bots {
		name, spec, _ := strings.Cut(bot, "=")
		e.Entries = append(e.Entries, tournament.Entry{Name: name, Spec: spec})
	}
	return e
}

// match returns a match with a result of 1, 0 or -1 for the first bot.
func match(number int, first, second string, result int) tournament.MatchResult {
	outcome := map[int]tournament.Outcome{1: tournament.FirstWins, 0: tournament.Drawn, -1: tournament.SecondWins}[result]
	return tournament.MatchResult{Pairing: tournament.Pairing{Match: number, Round: 1, Nth: number, First: first, Second: second}, Outcome: outcome, By: tournament.ByScore}
}

// cast returns the players of a match: the descriptions of the first and the second bot, the same in both games.
func cast(first, second tournament.Identity) Cast {
	// In leg 1 First defends.
	return Cast{Legs: [2][2]tournament.Identity{{second, first}, {first, second}}, Date: "2026-11-22"}
}

// listOf returns the only list of a collector.
func listOf(t *testing.T, c *Collector, o Options) List {
	t.Helper()
	all := c.Summaries()
	if len(all) != 1 {
		t.Fatalf("%d lists, want 1: %+v", len(all), all)
	}
	l, err := c.List(all[0].Conditions, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// labels returns the bots of a list, group by group.
func labels(l List) (all [][]string) {
	for _, g := range l.Groups {
		var names []string
		for _, r := range g.Rows {
			names = append(names, fmt.Sprintf("%v:%d", r, r.Total.Played()))
		}
		all = append(all, names)
	}
	return all
}

// Strengths are recovered over events with different bots, and the intervals hold them.
func TestStrengthsAreRecovered(t *testing.T) {
	truth := map[string]float64{"a": 1000, "b": 1150, "c": 1300, "d": 850, "e": 1450}
	events := [][]string{{"a", "b", "d"}, {"b", "c"}, {"c", "e", "b"}, {"d", "a"}}
	covered, all := 0, 0
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		c := NewCollector()
		for _, bots := range events {
			e := c.Event(eventOf(bots...), nil, nil)
			for n := range 300 {
				a, b := bots[n%len(bots)], bots[(n+1)%len(bots)]
				result := -1
				if random.Float64() < 1/(1+math.Pow(10, (truth[b]-truth[a])/400)) {
					result = 1
				}
				e.Add(match(n+1, a, b, result), Cast{})
			}
			e.Close()
		}
		l := listOf(t, c, Options{Anchor: "a", Elo: 1000})
		shift := 0.0 // of the mean
		for _, r := range l.Groups[0].Rows {
			shift += (r.Elo.Value.Value - truth[r.Name]) / float64(len(truth))
		}
		for _, r := range l.Groups[0].Rows {
			all++
			if low, high := r.Elo.Ends(); low <= truth[r.Name]+shift && truth[r.Name]+shift <= high {
				covered++
			}
			if d := r.Elo.Value.Value - truth[r.Name]; math.Abs(d) > 150 {
				t.Errorf("seed %d: %v is rated %v, %.0f off", seed, r, r.Elo, d)
			}
		}
		if row, found := l.Find(Bot{Name: "a"}); !found || math.Abs(row.Elo.Value.Value-1000) > 1e-9 {
			t.Errorf("the anchor is rated %v", row.Elo)
		}
	}
	if covered < all*85/100 {
		t.Errorf("%d of %d intervals hold the truth", covered, all)
	}
}

func TestVersions(t *testing.T) {
	v1, v2 := tournament.Identity{Name: "me", Version: "1"}, tournament.Identity{Name: "me", Version: "2"}
	you := tournament.Identity{Name: "you"}
	for _, tc := range []struct {
		name  string
		known []tournament.Identity // of the event
		casts []Cast
		want  string
		split int
	}{
		{"recorded", []tournament.Identity{v1, v2, you}, []Cast{cast(v1, you), cast(v2, you), cast(v2, you)}, "[[me 1:1 you:3 me 2:2]]", 0},
		{"one version, not recorded", []tournament.Identity{v1, you}, []Cast{{}, {}}, "[[me 1:2 you:2]]", 0},
		{"two versions, not recorded", []tournament.Identity{v1, v2, you}, []Cast{{}, cast(v2, you)}, "[[me (several versions):1 you:2 me 2:1]]", 0},
		{"nothing recorded", nil, []Cast{{}}, "[[me:1 you:1]]", 0},
		{"changed between the games", []tournament.Identity{v1, v2, you}, []Cast{{Legs: [2][2]tournament.Identity{{you, v1}, {v2, you}}}, cast(v1, you)}, "[[me 1:1 you:1]]", 1},
	} {
		c := NewCollector()
		e := c.Event(eventOf("me", "you"), tc.known, nil)
		for i, who := range tc.casts {
			result := -1 // the first version wins, the others lose
			if i == len(tc.casts)-1 && tc.split == 1 || i == 0 {
				result = 1
			}
			e.Add(match(i+1, "me", "you", result), who)
		}
		e.Close()
		l := listOf(t, c, Options{Anchor: "you"})
		for i := range l.Groups { // equal ones in any order
			slices.SortStableFunc(l.Groups[i].Rows, func(a, b Row) int { return b.Total.Won - a.Total.Won })
		}
		if got := fmt.Sprint(labels(l)); !sameWords(got, tc.want) || l.Split != tc.split {
			t.Errorf("%s: %s with %d split, want %s with %d", tc.name, got, l.Split, tc.want, tc.split)
		}
	}
}

// sameWords reports whether two texts have the same words in any order.
func sameWords(a, b string) bool {
	words := func(text string) []string {
		all := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[] ", r) })
		slices.Sort(all)
		return all
	}
	return slices.Equal(words(a), words(b))
}

// A bot that the arena starts is its spec, under any name, and in any version of the arena.
func TestHostedBots(t *testing.T) {
	greedy, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	seeded, err := players.Parse("greedy:seed=7")
	if err != nil {
		t.Fatal(err)
	}
	c := NewCollector()
	for i, name := range []string{"greedy", "fast"} {
		e := c.Event(eventOf("me", name+"="+greedy.String(), "other="+seeded.String(), "twin="+greedy.String()), []tournament.Identity{{Name: name, Version: fmt.Sprint(i)}}, nil)
		e.Add(match(1, "me", name, 1), Cast{})
		e.Add(match(2, name, "other", 1), Cast{})
		e.Add(match(3, name, "twin", 1), Cast{}) // against itself
		e.Close()
	}
	l := listOf(t, c, Defaults())
	if got, want := fmt.Sprint(labels(l)), "[[me:2 greedy:4 greedy:seed=7:2]]"; got != want || len(l.Anchors) != 1 || l.Anchors[0].Name != "greedy" || l.Anchors[0].Elo != 1000 {
		t.Errorf("%s with the anchors %+v, want %s with greedy", got, l.Anchors, want)
	}
	if row, found := l.Find(HostedBot(greedy.String())); !found || math.Abs(row.Elo.Value.Value-1000) > 1e-9 || !row.Provisional {
		t.Errorf("greedy is rated %+v", row)
	}
	if _, found := l.Find(Bot{Name: "greedy"}); found {
		t.Error("a bot that only has its name is taken for greedy")
	}
}

func TestAnchors(t *testing.T) {
	c := NewCollector()
	e := c.Event(eventOf("zoe", "me", "ann"), []tournament.Identity{{Name: "me", Version: "1"}, {Name: "me", Version: "2"}}, nil)
	e.Add(match(1, "zoe", "me", 1), cast(tournament.Identity{Name: "zoe"}, tournament.Identity{Name: "me", Version: "1"}))
	e.Add(match(2, "zoe", "me", -1), cast(tournament.Identity{Name: "zoe"}, tournament.Identity{Name: "me", Version: "2"}))
	e.Close()
	conditions := c.Summaries()[0].Conditions
	for name, want := range map[string]string{"": "zoe", "me 2": "me 2", "zoe": "zoe"} {
		l, err := c.List(conditions, Options{Anchor: name, Elo: 7})
		if err != nil || len(l.Anchors) != 1 || l.Anchors[0].Name != want || l.Anchors[0].Elo != map[bool]float64{true: firstElo, false: 7}[name == ""] {
			t.Errorf("anchor %q: %+v, %v; want %s", name, l.Anchors, err, want)
		}
	}
	for name, want := range map[string]string{"me": `several versions: want one of "me 1", "me 2"`, "ann": "no bot of the list"} {
		if _, err := c.List(conditions, Options{Anchor: name, Elo: 7}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("anchor %q: error %v, want one that says %q", name, err, want)
		}
	}
	if _, err := c.List("gpcc2015 2x2 untimed", Defaults()); err == nil || !strings.Contains(err.Error(), "no match") {
		t.Errorf("a list without a match: %v", err)
	}
}

// Reference bots have their measured ratings on average.
func TestReferencesSetTheScale(t *testing.T) {
	c := NewCollector()
	a, b := references[3], references[6]
	e := c.Event(eventOf("a="+complete(a.Bot), "b="+complete(b.Bot), "me"), nil, nil)
	for i := range 400 {
		e.Add(match(2*i+1, "a", "me", 1-2*(i%2)), Cast{})
		e.Add(match(2*i+2, "b", "me", 1-2*(i%2)), Cast{})
	}
	e.Close()
	l := listOf(t, c, Defaults())
	if len(l.Anchors) != 2 || !l.Groups[0].Anchored {
		t.Errorf("%+v", l)
	}
	row, _ := l.Find(Bot{Name: "me"})
	if mean := (a.Known.Elo + b.Known.Elo) / 2; math.Abs(row.Elo.Value.Value-mean) > 20 {
		t.Errorf("a bot that is as strong as two others, %v and %v, is rated %v", a, b, row.Elo)
	}
}

// Bots that no match connects with the anchor are in groups of their own.
func TestGroups(t *testing.T) {
	c := NewCollector()
	e := c.Event(eventOf("a", "b", "c", "d", "e"), nil, nil)
	for i, pair := range []string{"cd", "de", "ab"} {
		e.Add(match(i+1, pair[:1], pair[1:], 1), Cast{})
	}
	e.Close()
	l := listOf(t, c, Options{Anchor: "b", Elo: 100})
	if got, want := fmt.Sprint(labels(l)), "[[a:1 b:1] [c:1 d:2 e:1]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var text strings.Builder
	if err := l.WriteText(&text, 0); err != nil || !strings.Contains(text.String(), "No match connects these with the bots above; their mean is 0") {
		t.Errorf("%s, %v", text.String(), err)
	}
}

// withLines gives a match's games moves.
func withLines(m tournament.MatchResult, line uint64) tournament.MatchResult {
	m.Start = rules.NewPosition(rules.GPCC2015, rules.Full)
	for i := range m.Legs {
		m.Legs[i] = tournament.Summary{Score: 4, Ending: record.Mate, Line: tournament.Line(line + uint64(i))}
	}
	return m
}

// A match that repeats one of an earlier event is left out, also if the bot had another name there.
func TestRepeatsOverEvents(t *testing.T) {
	c := NewCollector()
	for _, name := range []string{"greedy", "fast"} {
		e := c.Event(eventOf("me", name+"=greedy:seed=0"), nil, nil)
		e.Add(withLines(match(1, "me", name, 1), 10), Cast{})
		e.Add(withLines(match(2, "me", name, 1), 20), Cast{})
		e.Close()
	}
	if l := listOf(t, c, Defaults()); l.Repeated != 2 || l.Matches != 4 || l.Groups[0].Rows[0].Total.Played() != 2 {
		t.Errorf("%+v: want 2 of 4 matches left out", l)
	}
}

func TestStrikesAreLeftOut(t *testing.T) {
	event := eventOf("me", "you")
	event.Settings.Strikes = tournament.Strikes{Faults: 1, Games: tournament.VoidGames}
	c := NewCollector()
	e := c.Event(event, nil, tournament.SetAside{"you": 1})
	e.Add(match(1, "me", "you", 1), Cast{})
	e.Close()
	if all := c.Summaries(); len(all) != 0 {
		t.Errorf("%+v: want no list", all)
	}
}

// Every field of the conditions shows in their description.
func TestConditions(t *testing.T) {
	plain := Conditions{Rules: rules.GPCC2015, Size: rules.Full}
	seen := map[string]bool{}
	for _, tc := range []struct {
		change func(*Conditions)
		want   string
	}{
		{func(*Conditions) {}, "gpcc2015 4x4 untimed"},
		{func(c *Conditions) { c.Rules = rules.GPCC2016 }, "gpcc2016 4x4 untimed"},
		{func(c *Conditions) { c.Size = rules.Size{Width: 3, Height: 2} }, "gpcc2015 3x2 untimed"},
		{func(c *Conditions) { c.Clock.PerMove = 5 * time.Second }, "gpcc2015 4x4 5s/move"},
		{func(c *Conditions) { c.Clock.Base, c.Clock.Increment = time.Minute, 500*time.Millisecond }, "gpcc2015 4x4 1m+500ms"},
		{func(c *Conditions) { c.Clock = tournament.Clock{PerMove: time.Second, Base: time.Hour} }, "gpcc2015 4x4 1s/move 1h+0s"},
		{func(c *Conditions) { c.Budget.Playouts = 100 }, "gpcc2015 4x4 untimed playouts=100"},
		{func(c *Conditions) { c.Budget.Nodes = 100 }, "gpcc2015 4x4 untimed nodes=100"},
		{func(c *Conditions) { c.Openings = true }, "gpcc2015 4x4 untimed openings"},
		{func(c *Conditions) { c.MaxTurns = 9 }, "gpcc2015 4x4 untimed max-turns=9"},
		{func(c *Conditions) { c.MaxTile = 2048 }, "gpcc2015 4x4 untimed max-tile=2048"},
	} {
		c := plain
		tc.change(&c)
		if got := c.String(); got != tc.want || seen[got] {
			t.Errorf("%+v: %q, want %q", c, got, tc.want)
		}
		seen[c.String()] = true
	}
}
