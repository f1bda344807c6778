package players

import (
	"context"
	"math"
	"slices"
	"testing"

	"versus2048/rules"
)

// plainEvaluation is the paper's evaluation, cell by cell.
func plainEvaluation(p rules.Position) int {
	v := 2 * p.Score()
	width, height := int(p.Size().Width), int(p.Size().Height)
	for y := 1; y <= height; y++ {
		for x := 1; x <= width; x++ {
			if x < width {
				v -= int(math.Abs(float64(p.Tile(x, y) - p.Tile(x+1, y))))
			}
			if y < height {
				v -= int(math.Abs(float64(p.Tile(x, y) - p.Tile(x, y+1))))
			}
		}
	}
	return v
}

// plainMinimax searches the whole tree down to the given number of slides.
func plainMinimax(p rules.Position, slides int) int {
	if p.Over() || p.SideToMove() == rules.Attacker && slides == 0 {
		return plainEvaluation(p)
	}
	var values []int
	for _, m := range p.AppendMoves(nil) {
		values = append(values, plainMinimax(p.Next(m), slidesLeft(p, slides)))
	}
	if p.SideToMove() == rules.Defender {
		return slices.Max(values)
	}
	return slices.Min(values)
}

// slidesLeft is how many of depth slides are left after a move in p.
func slidesLeft(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}

// plainChoice is the first best of moves.
func plainChoice(p rules.Position, moves []rules.Move, depth int) rules.Move {
	var values []int
	for _, m := range moves {
		values = append(values, plainMinimax(p.Next(m), slidesLeft(p, depth)))
	}
	if p.SideToMove() == rules.Defender {
		return moves[slices.Index(values, slices.Max(values))]
	}
	return moves[slices.Index(values, slices.Min(values))]
}

// TestEvMinimaxIsMinimax compares the bot with plain minimax, move for move.
func TestEvMinimaxIsMinimax(t *testing.T) {
	g := newGenerator(5)
	compared := 0
	for p := range randomPositions(&g, 4) {
		depth := 2
		switch empty := p.Board().EmptyCells(p.Size()); {
		case empty < 4:
			depth = 3
		case empty > 8:
			depth = 1
		}
		seed := uint64(compared)
		moves := p.AppendMoves(nil)
		if len(moves) == 1 {
			continue
		}
		shuffler, forBot := newGenerator(seed), newGenerator(seed)
		got := (&evMinimax{depth: depth}).choose(t.Context(), p, slices.Clone(moves), &forBot)
		shuffler.shuffle(moves)
		if want := plainChoice(p, moves, depth); got != want {
			t.Fatalf("%v, %v, depth %d: chose %v, want %v", p.Rules(), p, depth, got, want)
		}
		compared++
	}
	if compared < 500 {
		t.Errorf("only %d positions compared", compared)
	}
}

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]int{
		"2,4/0,0 D 0":               -(2 + 2 + 4),
		"2,0/0,4 D 4":               8 - (2 + 2 + 4 + 4),
		"8,2,8/0,0,0 A 32":          64 - (6 + 6 + 8 + 2 + 8),
		"65536,32768/0,2 D 1441788": 2*1441788 - (32768 + 65536 + 32766 + 2),
	} {
		p := mustParsePosition(t, rules.Solo, text)
		if got := evaluate(p); got != want || want != plainEvaluation(p) {
			t.Errorf("%s: evaluated as %d, cell by cell %d, want %d", text, got, plainEvaluation(p), want)
		}
	}
	g := newGenerator(6)
	for p := range randomPositions(&g, 2) {
		if got, want := evaluate(p), plainEvaluation(p); got != want {
			t.Fatalf("%v: evaluated as %d, want %d", p, got, want)
		}
	}
}

// TestEvMinimaxFallback checks that with no time at all it looks one slide
// ahead.
func TestEvMinimaxFallback(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	g := newGenerator(7)
	for p := range randomPositions(&g, 1) {
		late, shallow := g, g
		got := (&evMinimax{depth: 8}).choose(ended, p, p.AppendMoves(nil), &late)
		if want := (&evMinimax{depth: 1}).choose(t.Context(), p, p.AppendMoves(nil), &shallow); got != want {
			t.Fatalf("%v: chose %v, want %v", p, got, want)
		}
	}
}
