package players_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/players/playertest"
	"versus2048/rules"
)

var solved = []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}}

// writeTable solves a game and returns the table and the path of its file.
func writeTable(t *testing.T, r rules.Ruleset, s rules.Size) (*exact.Table, string) {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), r, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%v-%v.table", s, r))
	if err := solution.WriteFile(path, true); err != nil {
		t.Fatal(err)
	}
	return solution.Table, path
}

func TestPerfectConforms(t *testing.T) {
	files := map[rules.Position]string{}
	for _, r := range rules.Rulesets() {
		for _, s := range solved {
			_, files[rules.NewPosition(r, s)] = writeTable(t, r, s)
		}
	}
	playertest.Run(t, playertest.Suite{
		New: func(t *testing.T, g playertest.Setting) players.Player {
			path := files[rules.NewPosition(g.Start.Rules(), g.Start.Size())]
			if path == "" {
				path = files[rules.NewPosition(rules.GPCC2015, solved[0])] // for forced moves
			}
			return mustParse(t, "perfect:table="+path).New(players.Game{Seed: g.Seed})
		},
		Plays: func(r rules.Ruleset, s rules.Size) bool { return files[rules.NewPosition(r, s)] != "" },
		Ended: true,
	})
}

func mustParse(t *testing.T, text string) players.Spec {
	t.Helper()
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestPerfectLosesNothing checks that no move of perfect loses value, in score or length, in any position that
// random moves lead to.
func TestPerfectLosesNothing(t *testing.T) {
	for _, r := range rules.Rulesets() {
		sizes := solved
		if r == rules.GPCC2015 {
			sizes = append(sizes[:len(sizes):len(sizes)], rules.Size{Width: 4, Height: 2}) // the others take seconds
		}
		for _, s := range sizes {
			table, path := writeTable(t, r, s)
			player := mustParse(t, "perfect:table="+path).New(players.Game{Seed: 1})
			random := rand.New(rand.NewPCG(2048, uint64(r)))
			for range 100 {
				for p := rules.NewPosition(r, s); !p.Over(); {
					checkPerfect(t, table, player, p)
					moves := p.AppendMoves(nil)
					p = p.Next(moves[random.IntN(len(moves))])
				}
			}
		}
	}
}

// checkPerfect checks the score and the length that the chosen move leads to. Under solo the value before a
// placement is the mean of the placements' values, not the best of them.
func checkPerfect(t *testing.T, table *exact.Table, player players.Player, p rules.Position) {
	t.Helper()
	m, err := player.Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if p.Rules().Chance() && p.SideToMove() == rules.Attacker {
		return
	}
	before, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	next := p.Next(m)
	after, err := table.Value(next)
	if err != nil {
		t.Fatal(err)
	}
	lost := before.Gain - after.Gain - float64(next.Score()-p.Score())
	if math.Abs(lost) > 1e-6 || before.Plies > 0 && after.Plies != before.Plies-1 {
		t.Errorf("%v in %v: from %v to %v", m, p, before, after)
	}
}

// TestPerfectRefuses checks that files of other kinds are refused when the spec is parsed, and other games
// before they start.
func TestPerfectRefuses(t *testing.T) {
	_, path := writeTable(t, rules.GPCC2016, solved[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 1
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.WriteFile(damaged, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"perfect":        "want one file: perfect:table=FILE or perfect:proof=FILE",
		"perfect:table=": "want the path of a file",
		"perfect:table=" + path + ",table=" + path: "given twice",
		"perfect:table=" + path + ",mode=1":        `unknown option "mode"`,
		"perfect:table=no/such/file":               "no/such/file",
		"perfect:table=" + damaged:                 "checksum",
		"perfect:table=" + t.TempDir():             "not a table",
	} {
		if _, err := players.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %s", text, err, want)
		}
	}
	if closed, err := players.ParseClosed("perfect"); err != nil || closed.Plays(rules.GPCC2015, rules.Size{Width: 3, Height: 3}) == nil {
		t.Errorf("without a file: %v, and it plays", err)
	}
	spec := mustParse(t, "perfect:table="+path)
	if err := spec.Plays(rules.GPCC2016, solved[0]); err != nil {
		t.Error(err)
	}
	const want = "its table is of gpcc2016 on 2x2, it cannot play gpcc2015 on 2x2"
	if err := spec.Plays(rules.GPCC2015, solved[0]); err == nil || err.Error() != want {
		t.Errorf("another game: %v, want %s", err, want)
	}
	unreachable, err := rules.ParsePosition(rules.GPCC2016, "64,2/0,0 A")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(players.Game{Seed: 1}).Choose(t.Context(), unreachable); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("a position that the table does not have: %v", err)
	}
}

// TestPerfectRelativePath checks that a relative path becomes absolute.
func TestPerfectRelativePath(t *testing.T) {
	_, path := writeTable(t, rules.Solo, solved[0])
	t.Chdir(filepath.Dir(path))
	if got := mustParse(t, "perfect:table="+filepath.Base(path)).String(); !strings.HasPrefix(got, "perfect:table="+path+",proof=none,") {
		t.Errorf("%s, want the path %s", got, path)
	}
	folder := filepath.Join(t.TempDir(), "a,b")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	if _, err := players.Parse("perfect:table=x"); err == nil || !strings.Contains(err.Error(), "without commas") {
		t.Errorf("in a folder with a comma: %v", err)
	}
}
