package exact_test

import (
	"bytes"
	"math"
	"os"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players/exact"
	"versus2048/rules"
)

// ownBook returns the puzzles that come with the program.
func ownBook(t *testing.T) *exact.PuzzleBook {
	t.Helper()
	book, err := exact.OwnPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// There are some thousands of puzzles in at most 500 kB, of all rules and both roles, on small boards and the full one,
// and the file names the command that made it.
func TestOwn(t *testing.T) {
	text, err := os.ReadFile("puzzles.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 500_000 || !bytes.HasPrefix(text, []byte("# made by lab puzzles --seed ")) {
		t.Errorf("%d bytes, which begin with %.60q", len(text), text)
	}
	book := ownBook(t)
	if n := len(book.Puzzles); n < 2000 {
		t.Errorf("%d puzzles", n)
	}
	for _, r := range rules.Rulesets() {
		for _, role := range r.Roles() {
			if _, ok := book.Next(0, rules.Variants{Rules: []rules.Ruleset{r}, Roles: []rules.Side{role}}); !ok {
				t.Errorf("no puzzle for the %v under %v", role, r)
			}
		}
	}
	if _, ok := book.Next(0, rules.Variants{Sizes: []rules.Size{rules.Full}}); !ok {
		t.Error("no puzzle on the full board")
	}
}

// No puzzle is trivial, no two are equal under a symmetry, and in half of them a greedy player goes wrong.
func TestOwnPuzzlesAreGood(t *testing.T) {
	book := ownBook(t)
	type key struct {
		rules rules.Ruleset
		size  rules.Size
		board rules.Board
		side  rules.Side
	}
	seen := map[key]int{}
	greedy := 0
	for i := range book.Puzzles {
		p := &book.Puzzles[i]
		at := p.Position
		k := key{at.Rules(), at.Size(), at.Board().Canonical(at.Size()), at.SideToMove()}
		if other := seen[k]; other != 0 {
			t.Errorf("puzzles %d and %d are the same", other, p.Number)
		}
		seen[k] = p.Number
		if len(p.Scores) < 3 || p.Margin() < 1 {
			t.Errorf("puzzle %d has %d moves and a margin of %v", p.Number, len(p.Scores), p.Margin())
		}
		if pleasesGreedy(p) {
			greedy++
		}
	}
	if 2*greedy > len(book.Puzzles) {
		t.Errorf("a greedy player may find %d of %d", greedy, len(book.Puzzles))
	}
}

// pleasesGreedy reports whether the best move is among the moves that are best by the next slide alone.
func pleasesGreedy(p *exact.Puzzle) bool {
	first := func(m rules.Move) int {
		next := p.Position.Next(m)
		if m.IsSlide() {
			return next.Score()
		}
		best := 1 // more than for any slide: a mate
		for _, slide := range next.AppendMoves(nil) {
			best = min(best, -next.Next(slide).Score())
		}
		return best
	}
	for _, m := range p.Position.AppendMoves(nil) {
		if first(m) > first(p.Best()) {
			return false
		}
	}
	return true
}

// The scores are exact. Boards of few positions are solved by a search of everything that can follow; on the full board
// a search shows that the defender can reach each score, and that the attacker can hold it.
func TestSampleOfOwnScoresIsExact(t *testing.T) {
	checked := checkScores(t, 61, 30_000)
	for _, size := range []rules.Size{{Width: 3, Height: 2}, rules.Full} {
		if checked[size] == 0 {
			t.Errorf("no puzzle on %v is cheap enough to be checked", size)
		}
	}
}

// The scores of all puzzles that are cheap enough are exact.
func TestAllOwnScoresAreExact(t *testing.T) {
	testkit.Long(t)
	checked := checkScores(t, 1, 200_000)
	if all := checked[rules.Size{Width: 3, Height: 2}]; all < 500 {
		t.Errorf("only %d puzzles on 3x2 are cheap enough to be checked", all)
	}
}

// checkScores checks every n-th puzzle of each board, and returns how many it could check. On small boards, all
// searches of one size and rule set together give up after the given number of positions.
func checkScores(t *testing.T, n, positions int) map[rules.Size]int {
	t.Helper()
	book := ownBook(t)
	searches := map[exactGame]*everything{}
	seen, checked := map[rules.Size]int{}, map[rules.Size]int{}
	for i := range book.Puzzles {
		p := &book.Puzzles[i]
		g := exactGame{p.Position.Rules(), p.Position.Size()}
		if seen[g.size]++; seen[g.size]%n != 1%n {
			continue
		}
		if searches[g] == nil {
			searches[g] = &everything{known: map[state]float64{}, left: positions}
		}
		if scores, ok := scoresOf(p.Position, searches[g]); ok {
			wantScores(t, p, scores)
			checked[g.size]++
		}
	}
	t.Logf("checked %v of %d", checked, len(book.Puzzles))
	return checked
}

type exactGame struct {
	rules rules.Ruleset
	size  rules.Size
}

// wantScores compares a puzzle with the scores of its moves.
func wantScores(t *testing.T, p *exact.Puzzle, scores []float64) {
	t.Helper()
	for i, score := range scores {
		if math.Abs(score-p.Scores[i]) > 0.00501 {
			t.Errorf("puzzle %d, %v: move %d leads to %v points, in the file to %v", p.Number, p.Position, i+1, score, p.Scores[i])
		}
	}
}
