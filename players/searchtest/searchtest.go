package searchtest

import (
	"iter"
	"math"
	"testing"

	"versus2048/players/evaluation"
	"versus2048/rules"
)

// Midgame is a position of a full game with the defender to move.
const Midgame = "4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D"

// Position parses a position and fails the test if the text is not one.
func Position(t testing.TB, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// RandomPositions yields positions that are not over, with either side to move. They come from the given number of
// random games under each rule set on each size of board. below draws from 0 to n-1.
func RandomPositions(below func(n int) int, games int) iter.Seq[rules.Position] {
	return func(yield func(rules.Position) bool) {
		for _, r := range rules.Rulesets() {
			for _, size := range rules.Sizes() {
				for range games {
					for p := range RandomGame(rules.NewPosition(r, size), below) {
						if !yield(p) {
							return
						}
					}
				}
			}
		}
	}
}

// RandomGame yields positions of one random game from p on, which must have ply 0. The gaps between the positions grow
// with the ply. below draws from 0 to n-1.
func RandomGame(p rules.Position, below func(n int) int) iter.Seq[rules.Position] {
	return func(yield func(rules.Position) bool) {
		for next := 0; !p.Over(); {
			if p.Ply() == next {
				if !yield(p) {
					return
				}
				next += 1 + below(next+2)
			}
			moves := p.AppendMoves(nil)
			p = p.Next(moves[below(len(moves))])
		}
	}
}

// Sample collects numbers for their mean and its standard error.
type Sample struct {
	N            float64 // the size of the sample
	sum, squares float64
}

// Add adds a number.
func (s *Sample) Add(x float64) { s.N, s.sum, s.squares = s.N+1, s.sum+x, s.squares+x*x }

// Count adds 1 for yes and 0 for no, so that the mean is the share of yes.
func (s *Sample) Count(yes bool) {
	if yes {
		s.Add(1)
	} else {
		s.Add(0)
	}
}

// Mean returns the mean of the numbers.
func (s *Sample) Mean() float64 { return s.sum / s.N }

// Near fails the test if the mean is more than 4 standard errors from want.
func (s *Sample) Near(t *testing.T, what string, want float64) {
	t.Helper()
	standardError := math.Sqrt((s.squares/s.N - s.Mean()*s.Mean()) / s.N)
	if math.Abs(s.Mean()-want) > 4*standardError {
		t.Errorf("%s: mean %.4f (standard error %.4f), want %.4f", what, s.Mean(), standardError, want)
	}
}

// PlainEvaluation computes the evaluation of p cell by cell, and subtracts v.Mate if p is mated.
func PlainEvaluation(p rules.Position, v evaluation.Variant) int {
	value := 2 * p.Score()
	width, height := int(p.Size().Width), int(p.Size().Height)
	for y := 1; y <= height; y++ {
		for x := 1; x <= width; x++ {
			for _, next := range [][2]int{{x + 1, y}, {x, y + 1}} {
				a, b := p.Tile(x, y), p.Tile(next[0], next[1])
				if next[0] <= width && next[1] <= height && (v.Empty == evaluation.EmptyIsZero || a > 0 && b > 0) {
					value -= int(math.Abs(float64(a - b)))
				}
			}
		}
	}
	if p.Over() {
		value -= v.Mate
	}
	return value
}
