package players

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"versus2048/players/alphabeta"
	"versus2048/players/annoying"
	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/players/mcts"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

func TestParseErrors(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                    {"unknown bot", "random, greedy, evminimax, alphabeta, champion, mcts, dag, mctsplus, ov3y, expectimax, chance"},
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
		"alphabeta:depth=65":                  {`depth="65"`, "want 1 to 64"},
		"champion:depth=3":                    {`unknown option "depth"`, "want one of time, threads, seed"},
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
		"champion:threads=2":           "champion:time=100,threads=2,seed=0",
		"alphabeta:time=5":             "alphabeta:eval=reserve,weights=v1,depth=64,time=5,table=16,keep=false,reductions=true,hurry=true,threads=1,ties=drawn,seed=0",
		"mcts:seed=7,playouts=0020":    "mcts:playouts=20,time=0,nodes=2000000,c=1000,expand=5,threads=1,reuse=false,seed=7",
		"ov3y:exact=true":              "ov3y:time=100,depth=31,exact=true,win=true,eval=ov3y,weights=v1,cache=false,threads=1,seed=0",
		"expectimax:model=worst":       "expectimax:depth=3,time=0,eval=slope,weights=v1,model=worst,rare=0,seed=0",
		"ntuple":                       "ntuple:weights=v1-rules",
		"ov3y:eval=ntuple":             "ov3y:time=100,depth=31,exact=false,win=true,eval=ntuple,weights=v1-rules,cache=false,threads=1,seed=0",
		"expectimax:depth=2,time=9":    "expectimax:depth=2,time=9,eval=slope,weights=v1,model=chance,rare=0,seed=0",
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

// If only a time is given, the depth is the largest one. Without a time, or with a given depth, the depth stays.
func TestTimeAlone(t *testing.T) {
	tested := 0
	for _, k := range Kinds() {
		i := slices.IndexFunc(k.Options, func(o Option) bool { return o.Name == "depth" })
		if i < 0 || !slices.ContainsFunc(k.Options, func(o Option) bool { return o.Name == "time" }) {
			continue
		}
		tested++
		depth := k.Options[i]
		for text, want := range map[string]string{
			k.Name: depth.Default, k.Name + ":time=0": depth.Default,
			k.Name + ":time=1": strconv.FormatUint(depth.Most, 10), k.Name + ":time=1,depth=2": "2", k.Name + ":depth=2,time=1": "2",
		} {
			spec, err := ParseClosed(text)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := spec.setting("depth"); got.text() != want {
				t.Errorf("%s looks %s slides ahead, want %s", text, got.text(), want)
			}
			if again, err := ParseClosed(spec.String()); err != nil || again.String() != spec.String() {
				t.Errorf("%v is read as %v: %v", spec, again, err)
			}
		}
	}
	if tested < 4 {
		t.Errorf("%d kinds have a depth and a time", tested)
	}
}

// A short spec means the same as the complete one.
func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"random:seed=0":              "random",
		"mcts:playouts=10000,time=0": "mcts",
		"alphabeta:eval=reserve,weights=v1,depth=8,time=0,table=16":     "alphabeta",
		"evminimax:depth=16,time=1,empty=zero,mate=0,ties=drawn,seed=0": "evminimax:time=1",
		"evminimax:depth=3,time=1,empty=zero,mate=0,ties=drawn,seed=7":  "evminimax:depth=3,time=1,seed=7",
		"ntuple:weights=v1-rules":                                       "ntuple",
		"ntuple:weights=v1":                                             "ntuple:weights=v1",
		"ov3y:eval=ntuple,weights=v1-rules":                             "ov3y:eval=ntuple",
		"ov3y:eval=ntuple,weights=v1":                                   "ov3y:eval=ntuple,weights=v1",
		"perfect:table=/a/b,proof=none":                                 "perfect:table=/a/b",
		"somebody:seed=0":                                               "somebody:seed=0",
		"random:deep=0":                                                 "random:deep=0",
		"":                                                              "",
	} {
		if got := Short(text); got != want {
			t.Errorf("%q is %q in short, want %q", text, got, want)
		}
	}
}

// TestKinds compares every kind's own description with its parser.
func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		if k.Summary == "" {
			t.Errorf("%s has no summary", k.Name)
		}
		defaults, hasFile := "", false
		for i, o := range k.Options {
			if o.Meaning == "" || o.Allowed() == "" {
				t.Errorf("%s: option %s is not explained", k.Name, o.Name)
			}
			defaults += ":,"[min(i, 1):][:1] + o.Name + "=" + o.Default
			hasFile = hasFile || o.Required()
		}
		if hasFile {
			continue // a required option has no default
		}
		spec, err := ParseClosed(k.Name) // Parse would refuse perfect without a file
		if err != nil {
			t.Fatal(err)
		}
		if got := spec.String(); got != k.Name+defaults {
			t.Errorf("the defaults of %s are %s, read as %s", k.Name, defaults, got)
		}
	}
}

// TestOptionsArrive checks that a bot plays and reports the same as a search that is configured by hand. A
// second move shows the effect of reuse.
func TestOptionsArrive(t *testing.T) {
	depth := func(slides int) searching.Budget { return searching.Budget{Depth: slides} }
	playouts := func(n int) searching.Budget { return searching.Budget{Playouts: n} }
	for text, want := range map[string]*pacedChooser{
		"evminimax:depth=4,ties=first": {search: deepSearch{alphabeta.New(alphabeta.Config{}), tiesFirst}, budget: depth(4)},
		"evminimax:depth=2,empty=nothing,mate=50": {search: deepSearch{deepener: alphabeta.New(alphabeta.Config{
			Mate: 50, Evaluation: func(s rules.Size) searching.Evaluation {
				return evaluation.New(s, evaluation.Variant{Empty: evaluation.EmptyIsNothing})
			},
		})}, budget: depth(2)},
		"alphabeta:depth=5,eval=slope,ties=first": {search: deepSearch{alphabeta.New(alphabeta.Config{
			Hurry: true, Reductions: true, Table: 16,
			Evaluation: func(s rules.Size) searching.Evaluation { return evaluation.Slope().On(s) },
		}), tiesFirst}, budget: depth(5)},
		"alphabeta:depth=4,keep=true,table=10,reductions=false,hurry=false,eval=oka": {search: deepSearch{deepener: alphabeta.New(alphabeta.Config{
			Keep: true, Table: searching.MinBits,
		})}, budget: depth(4)},
		"alphabeta:depth=6": {search: deepSearch{deepener: alphabeta.New(alphabeta.Config{
			Hurry: true, Reductions: true, Table: 16,
			Evaluation: func(s rules.Size) searching.Evaluation { return evaluation.Reserve().On(s) },
		})}, budget: depth(6)},
		"mcts:playouts=90,c=8,expand=7,nodes=400": {search: playoutSearch{mcts.New(mcts.Config{
			Exploration: 8, ExpandAt: 7, Nodes: 400, Threads: 1,
		})}, budget: playouts(90)},
		"mcts:playouts=90,c=8,expand=1,nodes=400,reuse=true": {search: playoutSearch{mcts.New(mcts.Config{
			Exploration: 8, ExpandAt: 1, Nodes: 400, Threads: 1, Reuse: true,
		})}, budget: playouts(90)},
		"dag:playouts=300,c=8,expand=1,nodes=400": {search: playoutSearch{mcts.New(mcts.Config{
			Exploration: 8, ExpandAt: 1, Nodes: 400, Threads: 1, Share: true,
		})}, budget: playouts(300)},
		"dag:playouts=300,canonical=true": {search: playoutSearch{mcts.New(mcts.Config{
			Exploration: 1000, ExpandAt: 5, Nodes: 2_000_000, Threads: 1, Share: true, Canonical: true,
		})}, budget: playouts(300)},
		"ov3y:depth=3,time=0": {search: deepSearch{deepener: annoying.New(annoying.Config{Win: true})}, budget: depth(3)},
		"ov3y:depth=2,time=0,win=false,eval=oka,cache=true": {search: deepSearch{deepener: annoying.New(annoying.Config{
			Cache: true, Evaluation: (&leafEvaluation{heuristic: heuristicOka}).on,
		})}, budget: depth(2)},
		"expectimax:depth=2,eval=score": {search: deepSearch{deepener: expectimax.New(expectimax.Config{})}, budget: depth(2)},
		"expectimax:depth=2,model=worst,rare=100,eval=ov3y": {search: deepSearch{deepener: expectimax.New(expectimax.Config{
			Mated: heuristicOv3y.mated(), Model: expectimax.Worst, Rare: 0.01,
			Evaluation: func(s rules.Size) searching.Evaluation { return evaluation.NewOv3y(s) },
		})}, budget: depth(2)},
		"mctsplus:playouts=90": {search: playoutSearch{mcts.NewPlus(mcts.PlusConfig{
			Nodes: 2_000_000, Exploration: 1, ExpandAt: 1, Canonical: true, Backup: mcts.Edges, Leaf: 1, Mate: 1000,
		})}, budget: playouts(90)},
		"mctsplus:playouts=90,nodes=300,c=150,expand=3,canonical=false,backup=minimax,leaf=2,policy=merge,slides=4,mate=7,reward=rank": {
			search: playoutSearch{mcts.NewPlus(mcts.PlusConfig{
				Nodes: 300, Exploration: 1.5, ExpandAt: 3, Backup: mcts.Minimax, Leaf: 2,
				Policy: playout.Merge, Slides: 4, Mate: 7, Reward: mcts.Rank,
			})},
			budget: playouts(90),
		},
	} {
		want.pace = &pace{}
		player := mustParse(t, text).New(Game{Seed: 1}).(Searcher)
		p := rules.NewPosition(rules.GPCC2015, rules.Full)
		for range 2 {
			g := playout.NewGenerator(1, 0, uint64(p.Ply()))
			wantMove := want.search.choose(p, p.AppendMoves(nil), &g, want.budget)
			got, err := player.Choose(t.Context(), p)
			if err != nil || got != wantMove {
				t.Errorf("%s: chose %v (%v), want %v", text, got, err, wantMove)
			}
			report, wantReport := player.LastSearch(), want.report()
			if report.Time <= 0 {
				t.Errorf("%s: the search took %v", text, report.Time)
			}
			if report.Time, report.CPU = 0, 0; !reflect.DeepEqual(report, wantReport) {
				t.Errorf("%s reports %+v, want %+v", text, report, wantReport)
			}
			p = p.Next(got)
			p = p.Next(p.AppendMoves(nil)[0])
		}
	}
}

// TestThreadsArrive checks the number of threads by the playouts: each thread makes two at once.
func TestThreadsArrive(t *testing.T) {
	for text, want := range map[string]int64{"mcts:playouts=9,threads=2": 10, "dag:playouts=9,threads=1": 9} {
		player := mustParse(t, text).New(Game{Seed: 1}).(Searcher)
		if _, err := player.Choose(t.Context(), rules.NewPosition(rules.GPCC2015, rules.Full)); err != nil {
			t.Fatal(err)
		}
		if got := player.LastSearch().Playouts; got != want {
			t.Errorf("%s made %d playouts, want %d", text, got, want)
		}
	}
}

// TestSeeds checks that the game's seed, the bot's own seed and the ply each change the moves that a bot draws,
// and that nothing else does.
func TestSeeds(t *testing.T) {
	draws := func(text string, seed uint64, ply int) (moves [16]rules.Move) {
		p := searchtest.Position(t, rules.GPCC2015, fmt.Sprintf("2,0,0/0,0,0/0,0,0 A 0 %d", ply))
		spec := mustParse(t, text)
		for i := range moves {
			// Sixteen games with seeds that are far apart.
			moves[i], _ = spec.New(Game{Seed: seed + uint64(i)<<32}).Choose(t.Context(), p)
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

// mustParse parses a spec and fails the test if it cannot.
func mustParse(t testing.TB, text string) Spec {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithFiles(t *testing.T) {
	for text, want := range map[string]string{
		"perfect:table=/a/b":                      "perfect:table=/c/d",
		"perfect:depth=4,table=/a/b,seed=1":       "perfect:depth=4,table=/c/d,seed=1",
		"perfect:table=/a/b,proof=none":           "perfect:table=/c/d,proof=none",
		"ov3y:weights=/a=b":                       "ov3y:weights=/e",
		"az:weights=/a/b,simulations=3":           "az:weights=/e,simulations=3",
		"perfect":                                 "perfect",
		"perfect:":                                "perfect:",
		"perfect:proof=/a/table=/b,table=/tab=le": "perfect:proof=/a/table=/b,table=/c/d",
		"": "",
	} {
		if got := WithFiles(text, map[string]string{"table": "/c/d", "weights": "/e"}); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestWith(t *testing.T) {
	for text, want := range map[string]string{
		"mcts":                   "mcts:playouts=7,seed=1",
		"mcts:":                  "mcts:playouts=7,seed=1",
		"mcts:time=5":            "mcts:time=5,playouts=7,seed=1",
		"mcts:playouts=3,time=5": "mcts:time=5,playouts=7,seed=1",
	} {
		if got := With(text, map[string]string{"seed": "1", "playouts": "7"}); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got, same := With(text, nil), strings.TrimSuffix(text, ":"); got != same {
			t.Errorf("%q becomes %q without a change", text, got)
		}
	}
}

// The defaults of the other options follow from a new value, as if the spec had given it.
func TestWithFollowingDefaults(t *testing.T) {
	for _, test := range []struct{ text, option, value, want string }{
		{"evminimax", "time", "1", "evminimax:depth=16,time=1"},
		{"evminimax:depth=3", "time", "1", "evminimax:depth=3,time=1"},
		{"evminimax:time=1", "time", "0", "evminimax"},
		{"ov3y:seed=3", "eval", "ntuple", "ov3y:eval=ntuple,weights=v1-rules,seed=3"},
	} {
		got, err := Parse(With(test.text, map[string]string{test.option: test.value}))
		want, wrong := Parse(test.want)
		if err != nil || wrong != nil || got.String() != want.String() {
			t.Errorf("%s with %s=%s is %v, want %v: %v, %v", test.text, test.option, test.value, got, want, err, wrong)
		}
	}
}

func TestFilesByOption(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"perfect:table=/a/b,proof=none":            {"table": "/a/b"},
		"perfect:proof=/a/b":                       {"proof": "/a/b"},
		"ntuple:weights=/a/b":                      {"weights": "/a/b"},
		"ntuple":                                   {},
		"alphabeta:eval=ntuple,weights=/a,depth=3": {"weights": "/a"},
		"mcts:playouts=3":                          {},
	} {
		spec, err := ParseClosed(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := spec.FilesByOption(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q has %v, want %v", text, got, want)
		}
	}
}

func TestInFolder(t *testing.T) {
	folder := string(filepath.Separator) + "tables"
	for text, want := range map[string]string{
		"perfect:table=a.table":          "perfect:table=" + filepath.Join(folder, "a.table"),
		"perfect:table=b/a.table":        "perfect:table=" + filepath.Join(folder, "b", "a.table"),
		"perfect:table=../a.table":       "perfect:table=" + filepath.Join(folder, "..", "a.table"),
		"perfect:table=" + folder + "/a": "perfect:table=" + folder + "/a",
		"perfect:table=":                 "perfect:table=",
		"ov3y:weights=v1":                "ov3y:weights=v1",
		"ntuple:weights=v1-gpcc2016":     "ntuple:weights=v1-gpcc2016",
		"ov3y:weights=a,eval=ntuple":     "ov3y:weights=" + filepath.Join(folder, "a") + ",eval=ntuple",
		"perfect:other=a,table=a":        "perfect:other=a,table=" + filepath.Join(folder, "a"),
		"perfect:":                       "perfect:",
		"perfect":                        "perfect",
		"mcts:playouts=7,table=a":        "mcts:playouts=7,table=a",
		"somebody:table=a":               "somebody:table=a",
		"":                               "",
	} {
		if got := InFolder(text, folder); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := InFolder(text, ""); got != text {
			t.Errorf("%q without a folder becomes %q", text, got)
		}
	}
}
