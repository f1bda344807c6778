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
	playertest.Run(t, playertest.Suite{
		New: func(t *testing.T, g playertest.Setting) players.Player {
			return mustParse(t, "ntuple:weights="+files[g.Start.Size()]).New(players.Game{Seed: g.Seed})
		},
		Ended: true,
	})
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
		"ntuple":                        "option weights is missing: want ntuple:weights=FILE",
		"ntuple:weights=" + notes:       "it is not an n-tuple network",
		"ntuple:weights=no/such/file":   "no/such/file",
		"ntuple:weights=" + path + ",x": "want option=value",
	} {
		if _, err := players.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	spec := mustParse(t, "ntuple:weights="+path)
	for _, r := range rules.Rulesets() {
		if err := spec.Plays(r, rules.Size{Width: 3, Height: 2}); err != nil {
			t.Error(err)
		}
	}
	const want = "its network is for boards of 3x2, it cannot play on 4x4"
	if err := spec.Plays(rules.GPCC2015, rules.Full); err == nil || err.Error() != want {
		t.Errorf("another size: %v, want %s", err, want)
	}
}
