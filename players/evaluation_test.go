package players

import (
	"math"
	"testing"

	"versus2048/rules"
)

// plainEvaluation is the paper's evaluation, cell by cell.
func plainEvaluation(p rules.Position, as reading) int {
	v := 2 * p.Score()
	width, height := int(p.Size().Width), int(p.Size().Height)
	for y := 1; y <= height; y++ {
		for x := 1; x <= width; x++ {
			for _, next := range [][2]int{{x + 1, y}, {x, y + 1}} {
				a, b := p.Tile(x, y), p.Tile(next[0], next[1])
				if next[0] <= width && next[1] <= height && (as.empty == emptyIsZero || a > 0 && b > 0) {
					v -= int(math.Abs(float64(a - b)))
				}
			}
		}
	}
	if p.Over() {
		v -= as.mate
	}
	return v
}

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]int{
		"2,4/0,0 D 0":               -(2 + 2 + 4),
		"2,0/0,4 D 4":               8 - (2 + 2 + 4 + 4),
		"8,2,8/0,0,0 A 32":          64 - (6 + 6 + 8 + 2 + 8),
		"65536,32768/0,2 D 1441788": 2*1441788 - (32768 + 65536 + 32766 + 2),
	} {
		p := mustParsePosition(t, rules.Solo, text)
		if got := evaluate(p); got != want || want != plainEvaluation(p, reading{}) {
			t.Errorf("%s: evaluated as %d, cell by cell %d, want %d", text, got, plainEvaluation(p, reading{}), want)
		}
	}
	g := newGenerator(6)
	for p := range randomPositions(&g, 2) {
		for _, as := range []reading{{}, {empty: emptyIsNothing}} {
			if got, want := as.evaluate(p), plainEvaluation(p, as); got != want {
				t.Fatalf("%v: evaluated as %d, want %d", p, got, want)
			}
		}
	}
}

// TestEvaluationSlide compares with sliding first and evaluating then.
func TestEvaluationSlide(t *testing.T) {
	g := newGenerator(9)
	for p := range randomPositions(&g, 2) {
		b, e := p.Board(), newEvaluation(p.Size(), reading{})
		for m := rules.North; m <= rules.East; m++ {
			slid, v := e.slide(b, b.Transpose(), m)
			if want := b.Slide(p.Size(), m); slid != want || v != e.of(want) {
				t.Fatalf("%v slid %v: %x evaluated as %d, want %x as %d", p, m, slid, v, want, e.of(want))
			}
		}
	}
}

func BenchmarkEvaluation(b *testing.B) {
	var boards [256]rules.Board
	g := newGenerator(10)
	for i := 0; i < len(boards); {
		yieldGame(rules.NewPosition(rules.GPCC2015, rules.Full), &g, func(p rules.Position) bool {
			boards[i] = p.Board()
			i++
			return i < len(boards)
		})
	}
	e, sum := newEvaluation(rules.Full, reading{}), 0
	b.Run("of", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			sum += e.of(boards[i&255])
		}
	})
	b.Run("slide", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			board := boards[i&255]
			_, v := e.slide(board, board.Transpose(), rules.North+rules.Move(i>>8&3))
			sum += v
		}
	})
}
