package evaluation_test

import (
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

func TestPosition(t *testing.T) {
	for text, want := range map[string]int{
		"2,4/0,0 D 0":               -(2 + 2 + 4),
		"2,0/0,4 D 4":               8 - (2 + 2 + 4 + 4),
		"8,2,8/0,0,0 A 32":          64 - (6 + 6 + 8 + 2 + 8),
		"65536,32768/0,2 D 1441788": 2*1441788 - (32768 + 65536 + 32766 + 2),
	} {
		p := searchtest.Position(t, rules.Solo, text)
		if got := (evaluation.Variant{}).Position(p); got != want || want != searchtest.PlainEvaluation(p, evaluation.Variant{}) {
			t.Errorf("%s: evaluated as %d, cell by cell %d, want %d", text, got, searchtest.PlainEvaluation(p, evaluation.Variant{}), want)
		}
	}
	g := playout.NewGenerator(6)
	for p := range searchtest.RandomPositions(g.Below, 2) {
		for _, as := range []evaluation.Variant{{}, {Empty: evaluation.EmptyIsNothing}} {
			if got, want := as.Position(p), searchtest.PlainEvaluation(p, as); got != want {
				t.Fatalf("%v: evaluated as %d, want %d", p, got, want)
			}
		}
	}
}

// TestSlide compares Slide with sliding first and evaluating afterwards.
func TestSlide(t *testing.T) {
	g := playout.NewGenerator(9)
	for p := range searchtest.RandomPositions(g.Below, 2) {
		b, e := p.Board(), evaluation.New(p.Size(), evaluation.Variant{})
		for m := rules.North; m <= rules.East; m++ {
			slid, v := e.Slide(b, b.Transpose(), m)
			if want := b.Slide(p.Size(), m); slid != want || v != e.Of(want) {
				t.Fatalf("%v slid %v: %x evaluated as %d, want %x as %d", p, m, slid, v, want, e.Of(want))
			}
		}
	}
}

// BenchmarkEvaluation evaluates boards of random games.
func BenchmarkEvaluation(b *testing.B) {
	var boards [256]rules.Board
	g := playout.NewGenerator(10)
fill:
	for i := 0; ; {
		for p := range searchtest.RandomGame(rules.NewPosition(rules.GPCC2015, rules.Full), g.Below) {
			if boards[i] = p.Board(); i+1 == len(boards) {
				break fill
			}
			i++
		}
	}
	for name, e := range map[string]interface {
		Of(b rules.Board) int
		Slide(b, across rules.Board, m rules.Move) (rules.Board, int)
	}{
		"oka": evaluation.New(rules.Full, evaluation.Variant{}), "reserve": evaluation.Reserve().On(rules.Full), "room": evaluation.Room().On(rules.Full),
	} {
		sum := 0
		b.Run(name+"/of", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				sum += e.Of(boards[i&255])
			}
		})
		b.Run(name+"/slide", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				board := boards[i&255]
				_, v := e.Slide(board, board.Transpose(), rules.North+rules.Move(i>>8&3))
				sum += v
			}
		})
	}
}
