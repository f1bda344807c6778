package players

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

func TestParseErrors(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                    {"unknown bot", "random, greedy, evminimax, mcts, dag, mctsplus, chance"},
		"alphazero":                           {`unknown bot "alphazero"`, "random, greedy"},
		"mtcs":                                {"did you mean mcts?"},
		"MCTS":                                {`unknown bot "MCTS"`},
		" mcts":                               {"unknown bot"},
		"mcts:":                               {"want option=value"},
		"mcts:playouts":                       {`"playouts"`, "want option=value"},
		"mcts:playouts=5,":                    {"want option=value"},
		"mcts:playout=5":                      {`unknown option "playout"`, "did you mean playouts?", "playouts, time, nodes, c"},
		"random:depth=3":                      {`unknown option "depth"`, "want one of seed"},
		"mcts:playouts=many":                  {`playouts="many"`, "want 1 to 100000000"},
		"mcts:playouts=0":                     {`playouts="0"`, "want 1 to 100000000"},
		"mcts:playouts=1e4":                   {`playouts="1e4"`},
		"mcts:playouts=-1":                    {`playouts="-1"`},
		"mcts:playouts=":                      {`playouts=""`},
		"mcts:c=5,c=6":                        {"option c is given twice"},
		"evminimax:depth=17":                  {`depth="17"`, "want 1 to 16"},
		"dag:canonical=yes":                   {`canonical="yes"`, "want true or false"},
		"random:seed=9007199254740992":        {"want 0 to 9007199254740991"},
		"random:seed=99999999999999999999999": {"want 0 to 9007199254740991"},
	} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("Parse(%q): no error", text)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("Parse(%q): %v; want it to say %s", text, err, part)
			}
		}
	}
}

func TestSpecString(t *testing.T) {
	for text, want := range map[string]string{
		"random":                       "random:seed=0",
		"evminimax:seed=7":             "evminimax:depth=3,time=0,empty=zero,mate=0,ties=drawn,seed=7",
		"mcts:seed=7,playouts=0020":    "mcts:playouts=20,time=0,nodes=2000000,c=1000,expand=5,threads=1,reuse=false,seed=7",
		"dag:canonical=true":           "dag:playouts=10000,time=0,nodes=2000000,c=1000,expand=5,threads=1,reuse=false,canonical=true,seed=0",
		"dag:canonical=false,expand=1": "dag:playouts=10000,time=0,nodes=2000000,c=1000,expand=1,threads=1,reuse=false,canonical=false,seed=0",
	} {
		s := mustParse(t, text)
		if s.String() != want {
			t.Errorf("Parse(%q) is %v, want %s", text, s, want)
		}
		if again := mustParse(t, want); again.String() != want {
			t.Errorf("Parse(%q) is %v", want, again)
		}
		if !strings.HasPrefix(want, s.Kind()+":") {
			t.Errorf("Parse(%q) is of kind %s", text, s.Kind())
		}
	}
}

// TestKinds holds every kind's own description against its parser.
func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		if k.Summary == "" {
			t.Errorf("%s has no summary", k.Name)
		}
		if k.open != nil {
			continue // there is no default file
		}
		s := mustParse(t, k.Name)
		for _, o := range k.Options {
			if o.Meaning == "" || o.Allowed() == "" {
				t.Errorf("%s: option %s is not explained", k.Name, o.Name)
			}
			if got := o.format(s.values[o.Name]); got != o.Default {
				t.Errorf("%s: default of %s is %s, read as %s", k.Name, o.Name, o.Default, got)
			}
		}
	}
}

// TestOptionsArrive checks that a value of a spec ends up in the bot.
func TestOptionsArrive(t *testing.T) {
	search := mcts{
		ucbSearch: ucbSearch{graph: graph{limit: 400}, leaves: fairPlayout{}, exploration: 8, expandAt: 7},
		budget:    budget{playouts: 9},
		threads:   2,
		reuse:     true,
	}
	timed := search
	timed.budget = budget{math.MaxInt32, 30 * time.Millisecond}
	shared, canonical := search, search
	shared.table, canonical.table, canonical.canonical = &nodeTable{}, &nodeTable{}, true
	const options = "playouts=9,c=8,expand=7,nodes=400,threads=2,reuse=true"
	for text, want := range map[string]chooser{
		"evminimax:depth=6":                  &evMinimax{depth: 6},
		"mcts:" + options:                    &search,
		"mcts:" + options + ",time=30":       &timed,
		"dag:" + options:                     &shared,
		"dag:" + options + ",canonical=true": &canonical,
	} {
		if got := mustParse(t, text).New(1).(*bot).chooser; !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %#v, want %#v", text, got, want)
		}
	}
}

// TestSeeds checks that the game's seed, the bot's own and the ply each change
// what a bot draws, and nothing else does.
func TestSeeds(t *testing.T) {
	draws := func(text string, seed uint64, ply int) (moves [16]rules.Move) {
		p := searchtest.Position(t, rules.GPCC2015, fmt.Sprintf("2,0,0/0,0,0/0,0,0 A 0 %d", ply))
		player := mustParse(t, text).New(seed)
		for i := range moves {
			// Sixteen games, whose seeds are far apart.
			player.(*bot).seed = seed + uint64(i)<<32
			moves[i], _ = player.Choose(t.Context(), p)
		}
		return moves
	}
	base := draws("random", 5, 0)
	if draws("random", 5, 0) != base {
		t.Error("the same seed draws other moves")
	}
	for what, other := range map[string][16]rules.Move{
		"the game's seed": draws("random", 6, 0),
		"its own seed":    draws("random:seed=1", 5, 0),
		"the ply":         draws("random", 5, 4),
	} {
		if other == base {
			t.Errorf("%s changes nothing", what)
		}
	}
}
