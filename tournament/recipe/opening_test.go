package recipe

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/rules"
)

var small = Variant{rules.GPCC2015, rules.Size{Width: 3, Height: 3}}

func TestDraw(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, size := range []rules.Size{{Width: 3, Height: 2}, {Width: 3, Height: 3}, rules.Full} {
			for _, plies := range []int{1, 4, 7} {
				g := Variant{r, size}
				drawn := DrawOpenings(g, plies, 40, 7)
				if len(drawn) == 0 && plies > 1 {
					t.Errorf("%v: no opening of %d plies", g, plies)
				}
				checkDrawn(t, g, plies, drawn)
				if fewer := DrawOpenings(g, plies, 5, 7); !slices.Equal(fewer, drawn[:min(5, len(drawn))]) {
					t.Errorf("%v: 5 openings of %d plies are not the first of 40", g, plies)
				}
			}
		}
	}
	if slices.Equal(DrawOpenings(small, 6, 20, 1), DrawOpenings(small, 6, 20, 2)) {
		t.Error("another seed draws the same openings")
	}
	if n := len(DrawOpenings(Variant{rules.GPCC2016, rules.Full}, 9, 500, 1)); n != 500 {
		t.Errorf("%d openings of 9 plies, want 500", n)
	}
}

// checkDrawn compares every two openings under every symmetry.
func checkDrawn(t *testing.T, g Variant, plies int, drawn []rules.Position) {
	t.Helper()
	for i, p := range drawn {
		if p.Ply() != plies || p.Over() || p.Rules() != g.Rules || p.Size() != g.Size {
			t.Errorf("%v after %d plies: drew %v", g, plies, p)
		}
		for j, q := range drawn {
			for k, y := range g.Size.Symmetries() {
				if y.Position(q) == p && (i != j || k != 0) {
					t.Errorf("%v: %v and %v are the same", g, p, q)
				}
			}
		}
	}
}

func TestWriteAndRead(t *testing.T) {
	for _, r := range rules.Rulesets() {
		g := Variant{r, rules.Full}
		drawn := DrawOpenings(g, 9, 30, 3)
		var file strings.Builder
		if err := WriteOpenings(&file, drawn, "thirty openings\n0,2/0,0 D"); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadOpenings(strings.NewReader(file.String()), g); err != nil || !slices.Equal(read, drawn) {
			t.Errorf("%v: read back as %v, error %v", g, read, err)
		}
	}
}

func TestForms(t *testing.T) {
	const want = "[0,0,0/0,0,0/0,2,2 D 0 3]"
	for name, text := range map[string]string{
		"a position":             "0,0,0/0,0,0/0,2,2 D 0 3",
		"a comment":              "; openings\n\n  0,0,0/0,0,0/0,2,2 D 0 3 ; the first\r\n;",
		"moves":                  "(2,2) S (3,3)",
		"numbered moves":         "1. (2,2) S 2. (3,3)",
		"a record":               "[Size \"3x3\"]\n\n1. (2,2) S 2. (3,3)\n",
		"a record from anywhere": "; a game\n[Start \"0,0,0/0,0,0/0,2,0 A 0 2\"]\n\n1. (3,3)\n",
	} {
		read, err := ReadOpenings(strings.NewReader(text), small)
		if err != nil || fmt.Sprint(read) != want {
			t.Errorf("%s: %v, error %v", name, read, err)
		}
	}
	mixed, err := ReadOpenings(strings.NewReader("(2,2) S (3,3)\n0,0,0/0,0,0/0,2,2 D 0 3\n"), small)
	if err != nil || len(mixed) != 2 || mixed[0] != mixed[1] {
		t.Errorf("mixed forms: %v, error %v", mixed, err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "no opening",
		"; nothing":             "no opening",
		"\n0,2/0,0 D 0 1":       "line 2: a position of gpcc2015 2x2: want one of gpcc2015 3x3",
		"0,0,0/0,0,0/0,4,2 D 0": "line 1: position",
		"2,4,2/4,2,4/2,4,2 D":   "line 1: position 2,4,2/4,2,4/2,4,2 D 16 0: the defender is mated",
		"(2,2) N\n(2,2) W N":    "line 2: ",
		"(2,2) up":              "line 1: move \"up\"",
		"[Size \"3x3\"]\n\n(2,2) S\n\n[Size \"2x2\"]\n\n(1,1) S":     "game 2: a position of gpcc2015 2x2",
		"[Size \"3x3\"]\n\n(2,2) S\n\n[Rules \"gpcc2016\"]\n\n(1,1)": "game 2: a position of gpcc2016 4x4",
		"[Size \"3x3\"]\n\n(2,2) S\n\n[Size \"3x3\"]\n\n(1,1) (1,2)": "game 2: record, line 7",
	} {
		if _, err := ReadOpenings(strings.NewReader(text), small); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Positions that are read can be written, and read again.
func FuzzRead(f *testing.F) {
	f.Add("0,0,0/0,0,0/0,2,2 D 0 3\n; more\n(2,2) S (3,3)")
	f.Add("[Size \"3x3\"]\n\n1. (2,2) S 2. (3,3)\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := ReadOpenings(strings.NewReader(text), small)
		if err != nil {
			return
		}
		var file strings.Builder
		if err := WriteOpenings(&file, read, text); err != nil {
			t.Fatal(err)
		}
		again, err := ReadOpenings(strings.NewReader(file.String()), small)
		if err != nil || !slices.Equal(again, read) {
			t.Errorf("%q is read as %v and again as %v, error %v", text, read, again, err)
		}
	})
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "random.txt")
	if err := os.WriteFile(file, []byte("(2,2) S"), 0o600); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]int{file: 1, "random:plies=9,count=10": 10, "random:plies=9,seed=3,count=10": 10, "random": 0, "random:plies=3": 0} {
		drawn, err := LoadOpenings(source, small)
		if err != nil || want > 0 && len(drawn) != want || len(drawn) == 0 {
			t.Errorf("%s: %d openings, error %v, want %d", source, len(drawn), err, want)
		}
	}
	for source, want := range map[string]string{
		"random:plies":        `"plies": want a number from 1 to 100`,
		"random:plies=0":      "want a number from 1 to 100",
		"random:plies=9999":   "want a number from 1 to 100",
		"random:ply=3":        "want plies=8, seed=1 or count=100",
		"random:count=10001":  "from 1 to 10000",
		"random:plies=2":      "every position drawn on 3x3",
		"randomized":          "no such file",
		file + "/of/openings": "or want random",
	} {
		if _, err := LoadOpenings(source, small); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", source, err, want)
		}
	}
}

func TestBalance(t *testing.T) {
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	trial := OpeningTrial{Bot: spec, Games: 3, Seed: 5}
	for _, r := range rules.Rulesets() {
		candidates := DrawOpenings(Variant{r, small.Size}, 11, 31, 1)
		kept, err := BalanceOpenings(t.Context(), candidates, 10, trial)
		if err != nil || len(kept) != 10 {
			t.Fatalf("%v: %d kept, error %v", r, len(kept), err)
		}
		again, err := BalanceOpenings(t.Context(), candidates, 10, trial)
		if err != nil || !slices.Equal(again, kept) {
			t.Errorf("%v: balanced again it is %v, error %v", r, again, err)
		}
		checkBalance(t, candidates, kept, trial)
	}
	if kept, err := BalanceOpenings(t.Context(), nil, 3, trial); err != nil || len(kept) != 0 {
		t.Errorf("of nothing %v is kept, error %v", kept, err)
	}
}

// checkBalance checks that no position was left out that is nearer to the median than
// one that was kept, and that the kept ones are in the order of the candidates.
func checkBalance(t *testing.T, candidates, kept []rules.Position, trial OpeningTrial) {
	t.Helper()
	worth := map[rules.Position]float64{}
	var all []float64
	for _, p := range candidates {
		value, err := trial.value(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		worth[p] = value
		all = append(all, value)
	}
	slices.Sort(all)
	distance := func(p rules.Position) float64 { return math.Abs(worth[p] - all[len(all)/2]) }
	farthest, at := 0.0, -1
	for _, p := range kept {
		farthest = max(farthest, distance(p))
		next := slices.Index(candidates, p)
		if next <= at {
			t.Errorf("%v is out of order", p)
		}
		at = next
	}
	for _, p := range candidates {
		if !slices.Contains(kept, p) && distance(p) < farthest {
			t.Errorf("%v is left out, %.1f from the median, and one of %.1f is kept", p, distance(p), farthest)
		}
	}
	if slices.Max(all) == slices.Min(all) {
		t.Error("all candidates are worth the same: the test tells nothing")
	}
}

// There are few openings of a few plies, since a slide pushes all tiles to one side.
// These are all that can be reached, and all are drawn.
func TestAllOpenings(t *testing.T) {
	for plies, want := range map[int]int{1: 1, 2: 1, 3: 10, 5: 53, 6: 10, 7: 120, 8: 21} {
		level := map[rules.Position]bool{rules.NewPosition(rules.GPCC2015, rules.Full): true}
		for range plies {
			next := map[rules.Position]bool{}
			for p := range level {
				for _, m := range p.AppendMoves(nil) {
					next[p.Next(m).Canonical()] = true
				}
			}
			level = next
		}
		for p := range level {
			if symmetric(p) {
				delete(level, p)
			}
		}
		drawn := DrawOpenings(Variant{Size: rules.Full}, plies, 1000, 1)
		for _, p := range drawn {
			if !level[p] {
				t.Errorf("%v is no opening of %d plies", p, plies)
			}
		}
		if len(level) != want || len(drawn) != want {
			t.Errorf("%d openings of %d plies, %d drawn, want %d", len(level), plies, len(drawn), want)
		}
	}
}
