package botcmd_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"versus2048/cmd/internal/botapp"
	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/players/process"
	"versus2048/players/searchtest"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// TestMain makes this test binary the program bot, and the programs of the tests, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "stdio" {
		os.Exit(cmdline.Main(botapp.App(), os.Args))
	}
	if len(os.Args) == 3 && os.Args[1] == "bot" {
		play(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// small is a board with short games.
var small = rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2})

// table writes the exact values of the small board.
func table(t *testing.T) string {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), small.Rules(), small.Size(), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.table")
	if err := solution.WriteFile(path, true); err != nil {
		t.Fatal(err)
	}
	return path
}

// network writes a network for the small board.
func network(t *testing.T) string {
	t.Helper()
	structure := ntuple.Structure{Name: "test", Size: small.Size(), Tuples: [][]int{{0, 1, 4}}}
	weights := make([]float32, structure.Weights())
	for i := range weights {
		weights[i] = float32(i % 97)
	}
	n, err := ntuple.New(structure, weights, 0, ntuple.Recipe{Rules: small.Rules()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.ntuple")
	if err := n.WriteFile(path, true, false); err != nil {
		t.Fatal(err)
	}
	return path
}

// trained writes a network of a method for the small board.
func trained(t *testing.T, method string) string {
	t.Helper()
	return searchtest.WriteNetwork(t, method, small.Rules(), small.Size(), 1)
}

// Every kind of bot makes the same moves in a process of "bot stdio" as in this one, and reports the same
// searches. (champion is alphabeta with a limit of time, which no two searches share.)
func TestSameMoves(t *testing.T) {
	specs := map[string][]string{
		"random": {"random:seed=3"}, "greedy": {"greedy"}, "chance": {"chance:seed=2"}, "evminimax": {"evminimax:depth=2", "evminimax:depth=1,ties=first"},
		"alphabeta": {"alphabeta:depth=2", "alphabeta:depth=2,keep=true,reductions=false"}, "champion": nil,
		"mcts": {"mcts:playouts=20,expand=2", "mcts:playouts=20,expand=2,reuse=true"}, "dag": {"dag:playouts=20,expand=2,canonical=true"},
		"mctsplus": {"mctsplus:playouts=12"}, "ov3y": {"ov3y:depth=2,time=0"}, "expectimax": {"expectimax:depth=1"},
		"perfect": {"perfect:table=" + table(t)}, "ntuple": {"ntuple:weights=" + network(t)},
		"td": {"td:weights=" + trained(t, "td")}, "dqn": {"dqn:weights=" + trained(t, "dqn")},
		"cnn": {"cnn:boards=8,weights=" + trained(t, "cnn")}, "ppo": {"ppo:weights=" + trained(t, "ppo")},
		"az":     {"az:simulations=10,weights=" + trained(t, "az")},
		"muzero": {"muzero:simulations=10,weights=" + trained(t, "muzero")},
	}
	for _, k := range players.Kinds() {
		texts, known := specs[k.Name]
		if !known {
			t.Errorf("%s is not tested", k.Name)
		}
		for _, text := range texts {
			t.Run(text, func(t *testing.T) { sameMoves(t, text) })
		}
	}
}

// sameMoves plays a game in each role with a bot in a process, and asks the same bot here in each position.
func sameMoves(t *testing.T, text string) {
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	program, err := process.Start(t.Context(), process.Config{Command: []string{os.Args[0], "stdio", text}})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if games := program.Plays(); games.Suits(small.Rules(), small.Size(), small.Rules().Roles()...) != nil || games.String() != spec.Variants().String() {
		t.Errorf("it says that it plays %q", games)
	}
	if program.ID(stdio.IDName) != spec.Kind() {
		t.Errorf("it says that it is %q", program.ID(stdio.IDName))
	}
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		g := program.Play(t.Context(), stdio.New{Role: side, Rules: small.Rules(), Size: small.Size(), Seed: 2048})
		here, opponent := spec.New(players.Game{Seed: 2048}), players.Chance(players.Game{Seed: 1})
		for p := small; !p.Over(); {
			player := opponent
			if p.SideToMove() == side {
				player = here
			}
			want, err := player.Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if p.SideToMove() == side {
				if got, err := g.Choose(t.Context(), p); err != nil || got != want {
					t.Fatalf("in %v the process plays %v (%v), the bot here %v", p, got, err, want)
				}
				sameSearch(t, g, here)
			}
			p = p.Next(want)
		}
		g.Over(stdio.Over{})
	}
}

// sameSearch compares the reports on the last search, but for its times.
func sameSearch(t *testing.T, program *process.Game, here players.Player) {
	t.Helper()
	s, ok := here.(players.Searcher)
	if !ok {
		return
	}
	got, want := program.LastSearch(), s.LastSearch()
	if got == nil || want == nil {
		if got != want {
			t.Errorf("the process reports %v, the bot here %v", got, want)
		}
		return
	}
	got.Time, got.CPU, want.Time, want.CPU = 0, 0, 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the process reports\n%+v, the bot here\n%+v", got, want)
	}
}

// A bot with a network says which boards that is for.
func TestPlays(t *testing.T) {
	program, err := process.Start(t.Context(), process.Config{Command: []string{os.Args[0], "stdio", "ntuple"}})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if got := program.Plays().String(); got != "size=4x4" {
		t.Errorf("it says that it plays %q", got)
	}
}

// An option for a file takes any path, also where there are words that stand for files of the program's own.
func TestFileOptions(t *testing.T) {
	for bot, file := range map[string]string{"ntuple": "weights", "td": "weights", "ov3y": "weights"} {
		program, err := process.Start(t.Context(), process.Config{Command: []string{os.Args[0], "stdio", bot}})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(program.Options(), func(o stdio.Option) bool { return o.Name == file })
		if i < 0 {
			t.Errorf("%s has no option %s: %v", bot, file, program.Options())
		} else if o := program.Options()[i]; o.Type != stdio.StringType || o.Check("some/file") != nil {
			t.Errorf("%s: %+v does not take a path", bot, o)
		}
		program.Close()
	}
}

// "bot stdio" names the options of its bot, and they can be set.
func TestOptions(t *testing.T) {
	program, err := process.Start(t.Context(), process.Config{
		Command: []string{os.Args[0], "stdio", "mcts:playouts=7"}, Options: map[string]string{"playouts": "30", "reuse": "true"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	var names, kinds []string
	for _, o := range program.Options() {
		names = append(names, o.Name)
		if o.Name == "playouts" && (o.Default != "7" || o.Type != stdio.IntType || o.Max != "100000000") {
			t.Errorf("%v", o)
		}
	}
	for _, k := range players.Kinds() {
		for _, o := range k.Options {
			if k.Name == "mcts" {
				kinds = append(kinds, o.Name)
			}
		}
	}
	if !slices.Equal(names, kinds) {
		t.Errorf("options %v, want %v", names, kinds)
	}
	g := program.Play(t.Context(), stdio.New{Role: rules.Attacker, Rules: small.Rules(), Size: small.Size()})
	if _, err := g.Choose(t.Context(), small); err != nil || g.LastSearch() == nil || g.LastSearch().Playouts != 30 {
		t.Errorf("%v, %+v", err, g.LastSearch())
	}
	g.Over(stdio.Over{})
}
