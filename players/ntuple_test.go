package players_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/players/playertest"
	"versus2048/rules"
)

// writeNetwork writes a network of one tuple of cells to a file, and returns its path. The weights grow with
// the content of the cells.
func writeNetwork(t *testing.T, s rules.Size, cells ...int) string {
	t.Helper()
	structure := ntuple.Structure{Name: "test", Size: s, Tuples: [][]int{cells}}
	weights := make([]float32, structure.Weights())
	for i := range weights {
		weights[i] = float32(i % 97)
	}
	n, err := ntuple.New(structure, weights, 0, ntuple.Recipe{Rules: rules.GPCC2015})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), s.String()+".ntuple")
	if err := n.WriteFile(path, true, false); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNTupleConforms(t *testing.T) {
	testkit.Long(t)
	files := map[rules.Size]string{}
	for _, s := range rules.Sizes() {
		files[s] = writeNetwork(t, s, 0, 1, 4)
	}
	with := func(text string) func(*testing.T, playertest.Setting) players.Player {
		return func(t *testing.T, g playertest.Setting) players.Player {
			return mustParse(t, text+"weights="+files[g.Start.Size()]).New(players.Game{Seed: g.Seed})
		}
	}
	for name, suite := range map[string]playertest.Suite{
		"solo":       {New: factory(t, "ntuple:weights=v1-solo"), Plays: func(_ rules.Ruleset, s rules.Size) bool { return s == rules.Full }},
		"own":        {New: factory(t, "ntuple"), Plays: func(_ rules.Ruleset, s rules.Size) bool { return s == rules.Full }},
		"gpcc2016":   {New: factory(t, "ntuple:weights=v1-gpcc2016"), Plays: func(_ rules.Ruleset, s rules.Size) bool { return s == rules.Full }},
		"ntuple":     {New: with("ntuple:")},
		"alphabeta":  {New: with("alphabeta:eval=ntuple,depth=2,"), Patient: with("alphabeta:eval=ntuple,depth=32,")},
		"ov3y":       {New: with("ov3y:eval=ntuple,time=0,depth=1,"), Patient: with("ov3y:eval=ntuple,time=0,")},
		"expectimax": {New: with("expectimax:eval=ntuple,depth=1,"), Patient: with("expectimax:eval=ntuple,depth=31,")},
	} {
		t.Run(name, func(t *testing.T) {
			suite.Ended = true
			playertest.Run(t, suite)
		})
	}
}

// A search of one slide with a network defends like the network alone.
func TestNTupleEvaluates(t *testing.T) {
	size := rules.Size{Width: 3, Height: 3}
	path := writeNetwork(t, size, 0, 1, 2, 4)
	alone := mustParse(t, "ntuple:weights="+path).New(players.Game{})
	search := mustParse(t, "alphabeta:depth=1,ties=first,eval=ntuple,weights="+path).New(players.Game{})
	for p := rules.NewPosition(rules.GPCC2016, size); !p.Over(); {
		want, err := alone.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := search.Choose(t.Context(), p); p.SideToMove() == rules.Defender && (got != want || err != nil) {
			t.Errorf("%v: %v, %v, want %v", p, got, err, want)
		}
		p = p.Next(want)
	}
}

// The defender's moves add the points of the slide to the value of the board after it. The attacker takes the
// placement that leaves the least value to the best answer.
func TestNTupleMoves(t *testing.T) {
	size := rules.Size{Width: 2, Height: 2}
	structure := ntuple.Structure{Size: size, Tuples: [][]int{{0}}}
	weights := make([]float32, structure.Weights())
	weights[0], weights[3] = 100, 90 // empty cells, and 8s, are worth keeping
	n, err := ntuple.New(structure, weights, 0, ntuple.Recipe{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.ntuple")
	if err := n.WriteFile(path, false, false); err != nil {
		t.Fatal(err)
	}
	player := mustParse(t, "ntuple:weights="+path).New(players.Game{})
	for text, want := range map[string]string{
		"8,8/2,0 D": "S",     // keeps both 8s
		"4,4/2,0 D": "W",     // the first of the moves that merge and leave two cells empty
		"4,2/0,0 A": "(1,2)", // keeps the 2s apart
	} {
		p, err := rules.ParsePosition(rules.GPCC2015, text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := player.Choose(t.Context(), p)
		if err != nil || m.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, m, err, want)
		}
	}
}

func TestNTupleRefuses(t *testing.T) {
	path := writeNetwork(t, rules.Size{Width: 3, Height: 2}, 0, 1)
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("notes of mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"ntuple:weights=" + notes:       "it is not an n-tuple network",
		"ntuple:weights=no/such/file":   "no/such/file",
		"ntuple:weights=" + path + ",x": "want option=value",

		"alphabeta:eval=ntuple,weights=" + notes:      "it is not an n-tuple network",
		"expectimax:weights=" + path:                  "option weights is only for eval=ntuple",
		"ov3y:eval=ntuple,weights=no/such/file/there": "no/such/file/there",
	} {
		if _, err := players.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	for _, text := range []string{"ntuple:", "alphabeta:eval=ntuple,", "ov3y:eval=ntuple,", "expectimax:eval=ntuple,"} {
		spec := mustParse(t, text+"weights="+path)
		for _, r := range rules.Rulesets() {
			if err := spec.Plays(r, rules.Size{Width: 3, Height: 2}); err != nil {
				t.Error(err)
			}
		}
		const want = "its network is for boards of 3x2, it cannot play on 4x4"
		if err := spec.Plays(rules.GPCC2015, rules.Full); err == nil || err.Error() != want {
			t.Errorf("%v on another size: %v, want %s", spec, err, want)
		}
		if files := spec.Files(); len(files) != 1 || files[0] != path {
			t.Errorf("%v names the files %q, want %s", spec, files, path)
		}
	}
	if files := mustParse(t, "alphabeta").Files(); len(files) != 0 {
		t.Errorf("alphabeta names the files %q", files)
	}
}

// Without weights a bot plays with the network that has learned the rules of the game. It may know the rules
// before the game or from the first position.
func TestDefaultNetwork(t *testing.T) {
	full := rules.Full
	for r, name := range map[rules.Ruleset]string{rules.GPCC2015: "v1", rules.GPCC2016: "v1-gpcc2016", rules.Solo: "v1-solo"} {
		var starts []rules.Position
		for seed := range uint64(20) {
			starts = append(starts, drawnPosition(t, r, seed))
		}
		for _, kind := range []string{"ntuple", "alphabeta:depth=1,eval=ntuple", "ov3y:time=0,depth=1,eval=ntuple", "expectimax:depth=1,eval=ntuple"} {
			weights := ":weights="
			if strings.Contains(kind, ":") {
				weights = ",weights="
			}
			byDefault, named := mustParse(t, kind), mustParse(t, kind+weights+name)
			for _, p := range starts {
				want := choice(t, named, players.Game{}, p)
				if got := choice(t, byDefault, players.Game{}, p); got != want {
					t.Errorf("%s under %v: %v in %v, with %s %v", kind, r, got, p, name, want)
				}
				if got := choice(t, byDefault, players.Game{Rules: r, Size: full}, p); got != want {
					t.Errorf("%s, told the rules %v: %v in %v, with %s %v", kind, r, got, p, name, want)
				}
			}
		}
	}
}

// drawnPosition returns a position some random plies after the start, with the defender to move.
func drawnPosition(t *testing.T, r rules.Ruleset, seed uint64) rules.Position {
	t.Helper()
	random, p := mustParse(t, "random").New(players.Game{Seed: seed}), rules.NewPosition(r, rules.Full)
	for p.Ply() < 30 || p.SideToMove() != rules.Defender {
		m, err := random.Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Next(m)
	}
	return p
}

// choice returns the move of a new player.
func choice(t *testing.T, spec players.Spec, g players.Game, p rules.Position) rules.Move {
	t.Helper()
	m, err := spec.New(g).Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A network that has learned another game can play, but does not suit a new event unless a user names its file.
func TestForeignNetworks(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	file := writeNetwork(t, size, 0, 1) // of gpcc2015
	for _, test := range []struct {
		spec           string
		size           rules.Size
		suits, learned map[rules.Ruleset]bool
	}{
		{"ntuple", rules.Full, anyRules(), anyRules()},
		{"alphabeta:eval=ntuple", rules.Full, anyRules(), anyRules()},
		{"alphabeta", size, anyRules(), anyRules()},
		{"ntuple:weights=v1", rules.Full, map[rules.Ruleset]bool{rules.GPCC2015: true}, map[rules.Ruleset]bool{rules.GPCC2015: true}},
		{"ov3y:eval=ntuple,weights=v1-solo", rules.Full, map[rules.Ruleset]bool{rules.Solo: true}, map[rules.Ruleset]bool{rules.Solo: true}},
		{"expectimax:eval=ntuple,weights=v1-gpcc2016", rules.Full, map[rules.Ruleset]bool{rules.GPCC2016: true}, map[rules.Ruleset]bool{rules.GPCC2016: true}},
		{"ntuple:weights=" + file, size, anyRules(), map[rules.Ruleset]bool{rules.GPCC2015: true}},
	} {
		spec := mustParse(t, test.spec)
		for _, r := range rules.Rulesets() {
			if err := spec.Plays(r, test.size); err != nil {
				t.Errorf("%s does not play %v: %v", test.spec, r, err)
			}
			if err := spec.Suits(r, test.size); (err == nil) != test.suits[r] {
				t.Errorf("%s suits %v: %v", test.spec, r, err)
			}
			if foreign := spec.Foreign(r, test.size); (foreign == nil) != test.learned[r] {
				t.Errorf("%s has learned %v: %v", test.spec, r, foreign)
			}
		}
		if spec.Suits(rules.GPCC2015, rules.Size{Width: 2, Height: 2}) == nil && strings.Contains(test.spec, "ntuple") {
			t.Errorf("%s suits 2x2", test.spec)
		}
	}
	want := "its network v1 has learned gpcc2015, and knows little of solo: leave out weights to get the network for the rules of the game"
	if err := mustParse(t, "ntuple:weights=v1").Suits(rules.Solo, rules.Full); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func anyRules() map[rules.Ruleset]bool {
	all := map[rules.Ruleset]bool{}
	for _, r := range rules.Rulesets() {
		all[r] = true
	}
	return all
}
