package players

import "testing"

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

// What an effort may be, every bot that counts so takes.
func TestEffortRanges(t *testing.T) {
	for _, e := range []Effort{{}, {Playouts: 1}, {Playouts: 100_000_000, Nodes: 100_000_000}, {Nodes: 64}} {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
		for _, k := range Kinds() {
			if _, counts := k.option("playouts"); !counts {
				continue
			}
			if _, err := Parse(mustParse(t, k.Name).Within(e).String()); err != nil {
				t.Error(err)
			}
		}
	}
	for _, e := range []Effort{{Playouts: 100_000_001}, {Nodes: 63}, {Nodes: 100_000_001}} {
		if e.Validate() == nil {
			t.Errorf("%+v is taken", e)
		}
	}
}
