package players

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// TestTimeBudget searches for a time instead of a number of playouts. Half of the test is that the search returns at
// all. On a busy machine the time may be over before the first playout: then the test gives more.
func TestTimeBudget(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, spec := range []string{"mcts:playouts=1,time=", "dag:playouts=1,threads=2,time=", "mctsplus:playouts=1,time="} {
		n := int64(0)
		for ms := 30; n < 2 && ms < 60_000; ms *= 2 {
			player := mustParse(t, spec+strconv.Itoa(ms)).New(Game{Seed: 1}).(Searcher)
			if _, err := player.Choose(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			n = player.LastSearch().Playouts
		}
		if n < 2 {
			t.Errorf("%s: %d playouts", spec, n)
		}
	}
}

// TestTimedDepth searches to a depth that would take too long. On a busy machine the time may be over after the
// first slide: then the test gives more.
func TestTimedDepth(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	n := 0
	for ms := 20; n < 3 && ms < 60_000; ms *= 2 {
		player := mustParse(t, "evminimax:depth=16,time="+strconv.Itoa(ms)).New(Game{Seed: 1}).(Searcher)
		if _, err := player.Choose(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		n = len(player.LastSearch().Expanded)
	}
	if n < 3 || n > 31 {
		t.Errorf("looked %d plies ahead", n)
	}
}

func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		spec   string
		effort Effort
		want   string
	}{
		{"mcts:time=50", Effort{}, "mcts:time=50"},
		{"mcts:time=50", Effort{Playouts: 7}, "mcts:playouts=7"},
		{"dag:playouts=50,nodes=100", Effort{Nodes: 4000}, "dag:playouts=50,nodes=4000"},
		{"mctsplus:time=50", Effort{Playouts: 7, Nodes: 64}, "mctsplus:playouts=7,nodes=64"},
		{"evminimax:time=50", Effort{Playouts: 7, Nodes: 64}, "evminimax:time=50"},
		{"greedy", Effort{Playouts: 7, Nodes: 64}, "greedy"},
	} {
		spec := mustParse(t, tc.spec)
		if got, want := spec.Within(tc.effort).String(), mustParse(t, tc.want).String(); got != want {
			t.Errorf("%s within %+v is %s, want %s", tc.spec, tc.effort, got, want)
		}
		if again := mustParse(t, tc.spec).String(); spec.String() != again {
			t.Errorf("%s has changed to %v", again, spec)
		}
	}
}

// TestEffortRanges checks that every bot with such options accepts every valid budget.
func TestEffortRanges(t *testing.T) {
	for _, e := range []Effort{{}, {Playouts: 1}, {Playouts: 100_000_000, Nodes: 100_000_000}, {Nodes: 64}} {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
		for _, k := range Kinds() {
			if !slices.ContainsFunc(k.Options, func(o Option) bool { return o.Name == "playouts" }) {
				continue
			}
			if _, err := Parse(mustParse(t, k.Name).Within(e).String()); err != nil {
				t.Error(err)
			}
		}
	}
	for _, e := range []Effort{{Playouts: 100_000_001}, {Nodes: 63}, {Nodes: 100_000_001}} {
		if e.Validate() == nil {
			t.Errorf("%+v is accepted", e)
		}
	}
}

// TestExactDepth gives ov3y too little time for most depths. It must finish the last depth that it began, with
// the same result as a search of that depth without a clock.
func TestExactDepth(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	report := func(spec string) *record.SearchReport {
		player := mustParse(t, spec).New(Game{Seed: 1}).(Searcher)
		if _, err := player.Choose(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		r := player.LastSearch()
		r.Time, r.CPU = 0, 0
		return r
	}
	got := report("ov3y:exact=true,time=1")
	depth := (len(got.Expanded) + 1) / 2
	if want := report("ov3y:time=0,depth=" + strconv.Itoa(depth)); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, a search of depth %d reports %+v", got, depth, want)
	}
}
