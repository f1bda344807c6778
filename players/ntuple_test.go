package players_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/players/ntuple"
	"versus2048/players/playertest"
	"versus2048/rules"
)

// writeNetwork writes a network of one tuple of cells whose weights grow with what the cells hold, and
// returns the path of its file.
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

// A search of one slide that knows a network defends as the network alone does.
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

// The defender's moves add the points of the slide to the value of the board after it, and the attacker
// takes the placement whose best answer is worth least.
func TestNTupleMoves(t *testing.T) {
	size := rules.Size{Width: 2, Height: 2}
	structure := ntuple.Structure{Size: size, Tuples: [][]int{{0}}}
	weights := make([]float32, structure.Weights())
	weights[0], weights[3] = 100, 90 // empty cells, and 8s, which are worth keeping
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
		"4,4/2,0 D": "W",     // the first of those that merge and leave two cells empty
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
