package players_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/players/playertest"
	"versus2048/players/searchtest"
	"versus2048/rules"
	"versus2048/rules/record"
)

// The bots without a search conform on every size of board, each with a small network for that size.
func TestInstinctConforms(t *testing.T) {
	testkit.Long(t)
	for name, method := range map[string]string{
		"td:": "td", "dqn:": "dqn", "cnn:": "cnn", "cnn:boards=8,": "cnn", "ppo:": "ppo",
	} {
		files := map[rules.Size]string{}
		for _, s := range rules.Sizes() {
			files[s] = searchtest.WriteNetwork(t, method, rules.Solo, s, 3)
		}
		t.Run(name, func(t *testing.T) {
			playertest.Run(t, playertest.Suite{Ended: true, New: func(t *testing.T, g playertest.Setting) players.Player {
				return mustParse(t, name+"weights="+files[g.Start.Size()]).New(players.Game{Seed: g.Seed})
			}})
		})
	}
}

// square is a network for 2x2 with functions that see the cells as planes: weight 12*cell+plane for each
// output.
func square(t *testing.T, method string, functions map[string][]float32) string {
	t.Helper()
	h := neural.Header{
		Method: method, Rules: rules.Solo, Size: rules.Size{Width: 2, Height: 2},
		Description: neural.Description{
			Planes: 12, Functions: map[string]neural.Function{}, Value: neural.Value{Transform: neural.None, Scale: 1},
		},
	}
	var weights []neural.Tensor
	for name, values := range functions {
		outputs := len(values) / 48
		h.Description.Functions[name] = neural.Function{
			From: neural.Source{Function: "board"}, Layers: []neural.Layer{{Kind: neural.Dense, In: 48, Out: outputs}},
		}
		weights = append(weights, neural.Tensor{Name: name + ".0.weight", Shape: []int{48, outputs}, Values: values},
			neural.Tensor{Name: name + ".0.bias", Shape: []int{outputs}, Values: make([]float32, outputs)})
	}
	n, err := neural.New(h, weights)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), method+".safetensors")
	if err := n.WriteFile(path, false); err != nil {
		t.Fatal(err)
	}
	return path
}

// weights returns weights for a number of outputs: the given ones, by cell, plane and output, and 0 for all
// others.
func weights(outputs int, given map[[3]int]float32) []float32 {
	list := make([]float32, 48*outputs)
	for at, w := range given {
		list[(12*at[0]+at[1])*outputs+at[2]] = w
	}
	return list
}

// Each method's bot takes the move that its network prefers, and reports the network's values of the other
// moves.
func TestInstinctMoves(t *testing.T) {
	const slideW, slideE = 2, 3
	corner := weights(1, map[[3]int]float32{{0, 3, 0}: 100, {1, 3, 0}: 50}) // an 8 in the upper left or right corner
	// The logits of W and E if the upper left cell is empty, and their logits if it holds a 4.
	policy := weights(4, map[[3]int]float32{{0, 0, slideW}: 1, {0, 0, slideE}: 2, {0, 2, slideW}: 3, {0, 2, 0}: 5})
	for _, test := range []struct {
		spec, position, move string
		values               []float64 // of the moves in their order in the report, the best first
	}{
		{"td:weights=" + square(t, "td", map[string][]float32{"value": corner}), "4,4/0,0 D 8 8", "W", []float64{116, 66, 8}},
		{"dqn:weights=" + square(t, "dqn", map[string][]float32{"q": policy}), "0,4/2,0 D 4 8", "E", []float64{6, 5, 4, 4}},
		{"cnn:weights=" + square(t, "cnn", map[string][]float32{"policy": policy}), "0,4/2,0 D 4 8", "E", nil},
		{"cnn:weights=" + square(t, "cnn", map[string][]float32{"policy": policy}), "4,4/0,0 D 4 8", "W", nil}, // N is not legal
		{"ppo:weights=" + square(t, "ppo", map[string][]float32{"value": corner, "policy": policy}), "4,4/0,0 D 8 8", "W", nil},
		{"ppo:weights=" + square(t, "ppo", map[string][]float32{"value": weights(1, nil), "preference": corner}), "4,4/0,0 D 8 8", "W", nil},
	} {
		p, err := rules.ParsePosition(rules.Solo, test.position)
		if err != nil {
			t.Fatal(err)
		}
		player := mustParse(t, test.spec).New(players.Game{}).(players.Searcher)
		m, err := player.Choose(t.Context(), p)
		if err != nil || m.String() != test.move {
			t.Errorf("%s in %v: %v, %v, want %s", test.spec, p, m, err, test.move)
		}
		report := player.LastSearch()
		if report == nil || report.Moves[0].Move != m || report.Check(p) != nil {
			t.Errorf("%s: reported %+v", test.spec, report)
		}
		if test.values != nil && len(report.Moves) != len(test.values) {
			t.Fatalf("%s: reported %+v, want the values %v", test.spec, report.Moves, test.values)
		}
		if test.values != nil {
			for i, want := range test.values {
				if math.Abs(report.Moves[i].Value-want) > 1e-3 {
					t.Errorf("%s: reported %+v, want the values %v", test.spec, report.Moves, test.values)
				}
			}
		}
	}
}

// With eight boards the policies of the symmetric boards vote, so that the result is as symmetric as the board.
func TestVotesAreSymmetric(t *testing.T) {
	size := rules.Size{Width: 3, Height: 3}
	spec := mustParse(t, "cnn:boards=8,weights="+searchtest.WriteNetwork(t, "cnn", rules.Solo, size, 5))
	player := spec.New(players.Game{}).(players.Searcher)
	p, err := rules.ParsePosition(rules.Solo, "2,4,0/8,2,0/2,0,16 D 68 30")
	if err != nil {
		t.Fatal(err)
	}
	report := func(p rules.Position) map[rules.Move]record.RootMove {
		if _, err := player.Choose(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		found := map[rules.Move]record.RootMove{}
		for _, m := range player.LastSearch().Moves {
			found[m.Move] = m
		}
		return found
	}
	original := report(p)
	votes := int64(0)
	for _, m := range original {
		votes += m.Visits
	}
	if votes != 8 {
		t.Errorf("%d votes, want 8", votes)
	}
	for _, y := range size.Symmetries() {
		for move, m := range report(y.Position(p)) {
			if want := original[y.Inverse().Move(move, size)]; m.Visits != want.Visits || math.Abs(m.Prior-want.Prior) > 1e-9 {
				t.Errorf("symmetry %d: %+v, want what %+v has", y, m, want)
			}
		}
	}
}

// The attacker takes the placement with the lowest value by the network. For cnn that is a mate, if there is one.
func TestInstinctAttacks(t *testing.T) {
	for _, test := range []struct {
		method         string
		rules          rules.Ruleset
		position, want string
	}{
		{"td", rules.GPCC2015, "4,8,2/2,4,0 A 24 8", "(3,2)"}, // forced
		{"cnn", rules.GPCC2016, "4,8,16/2,4,0 A", "(3,2)"},    // a 2 mates, a 4 does not
		{"td", rules.GPCC2015, "4,8,0/2,4,0 A 24 8", ""},
		{"cnn", rules.GPCC2015, "4,8,0/2,4,0 A 24 8", ""},
		{"dqn", rules.GPCC2015, "4,8,0/2,4,0 A 24 8", ""},
		{"ppo", rules.GPCC2015, "4,8,0/2,4,0 A 24 8", ""},
	} {
		p, err := rules.ParsePosition(test.rules, test.position)
		if err != nil {
			t.Fatal(err)
		}
		spec := mustParse(t, test.method+":weights="+searchtest.WriteNetwork(t, test.method, test.rules, p.Size(), 1))
		player := spec.New(players.Game{}).(players.Searcher)
		m, err := player.Choose(t.Context(), p)
		if err != nil || test.want != "" && m.String() != test.want {
			t.Errorf("%s in %v: %v, %v, want %s", test.method, p, m, err, test.want)
		}
		report := player.LastSearch()
		if (report == nil) != (len(p.AppendMoves(nil)) == 1) {
			t.Errorf("%s in %v: reported %+v, want a report unless the move is forced", test.method, p, report)
		}
		if report != nil {
			increasing := slices.IsSortedFunc(report.Moves, func(a, b record.RootMove) int {
				if a.Value < b.Value {
					return -1
				}
				return 1
			})
			if !increasing || report.Moves[0].Move != m {
				t.Errorf("%s chose %v of %+v", test.method, m, report.Moves)
			}
		}
	}
}

func TestInstinctRefuses(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	td := searchtest.WriteNetwork(t, "td", rules.Solo, size, 1)
	for text, want := range map[string]string{
		"cnn:weights=" + td:                "it was learned by the method td, want cnn",
		"td:weights=no/such/file":          "no/such/file",
		"td:weights=/dev/null":             "it is no file",
		"cnn:boards=2,weights=" + td:       "want 1 or 8",
		"td:boards=8,weights=" + td:        "boards",
		"ppo:weights=" + td + ",weights=x": "weights",
	} {
		if _, err := players.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	spec := mustParse(t, "td:weights="+td)
	for _, r := range rules.Rulesets() {
		if err := spec.Plays(r, size); err != nil {
			t.Error(err)
		}
	}
	const want = "its network is for boards of 3x2, it cannot play on 4x4"
	if err := spec.Plays(rules.Solo, rules.Full); err == nil || err.Error() != want {
		t.Errorf("on another size: %v, want %s", err, want)
	}
	if files := spec.Files(); len(files) != 1 || files[0] != td {
		t.Errorf("it names the files %q", files)
	}
}

// All games of a spec share one network, each with its own memory to compute.
func TestInstinctsShareANetwork(t *testing.T) {
	size := rules.Size{Width: 3, Height: 3}
	spec := mustParse(t, "ppo:weights="+searchtest.WriteNetwork(t, "ppo", rules.Solo, size, 1))
	games := make([][]rules.Move, 8)
	var all sync.WaitGroup
	for i := range games {
		all.Go(func() {
			player := spec.New(players.Game{})
			for p := rules.NewPosition(rules.GPCC2015, size); !p.Over(); {
				m, err := player.Choose(t.Context(), p)
				if err != nil {
					t.Error(err)
					return
				}
				games[i], p = append(games[i], m), p.Next(m)
			}
		})
	}
	all.Wait()
	for i, moves := range games {
		if !slices.Equal(moves, games[0]) {
			t.Errorf("game %d: %v, want %v", i, moves, games[0])
		}
	}
}

// The need of a bot includes the memory of its network. It is larger with eight boards, and largest before the file is
// open.
func TestInstinctNeed(t *testing.T) {
	path := searchtest.WriteNetwork(t, "cnn", rules.Solo, rules.Full, 1)
	n, err := neural.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	one, eight := mustParse(t, "cnn:weights="+path).Need(), mustParse(t, "cnn:boards=8,weights="+path).Need()
	closed, err := players.ParseClosed("cnn:weights=" + path)
	if err != nil {
		t.Fatal(err)
	}
	if one.Memory < n.Bytes()+n.EvaluatorBytes(32) || eight.Memory < n.Bytes()+n.EvaluatorBytes(64) || closed.Need().Memory < eight.Memory {
		t.Errorf("%d bytes for one board, %d for eight, %d before it is open", one.Memory, eight.Memory, closed.Need().Memory)
	}
}
