package players

import (
	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/rules"
)

// heuristic is an evaluation that searches can be given. To add one, add its name, what it is to any
// search (on) and what a mated board is worth to expectimax (mated).
type heuristic uint8

const (
	heuristicReserve heuristic = iota
	heuristicSlope
	heuristicOka
	heuristicOv3y
	heuristicScore
)

// String returns the name of the evaluation.
func (h heuristic) String() string {
	return [...]string{"reserve", "slope", "oka", "ov3y", "score"}[h]
}

// evalOption binds the evaluation of a search.
func evalOption(field *heuristic, byDefault heuristic) setting {
	return number(field, Option{
		Name: "eval", Default: byDefault.String(), Choices: words(heuristicScore),
		Meaning: "what evaluates positions: gradients along lines with merges in reserve, gradients as the project first had them, the evaluation of Oka et al. 2015, that of ov3y's 2048-AI, or just the score",
	})
}

// rater rates boards with the attacker to move. High values are good for the defender.
type rater interface{ Of(b rules.Board) int }

// on returns the evaluation for boards of a size, with the score of the tiles where it counts.
func (h heuristic) on(s rules.Size) rater {
	switch h {
	case heuristicReserve:
		return evaluation.Reserve().On(s)
	case heuristicSlope:
		return evaluation.Slope().On(s)
	case heuristicOka:
		return evaluation.New(s, evaluation.Variant{})
	case heuristicOv3y:
		return evaluation.NewOv3y(s)
	default:
		return potential{}
	}
}

// potential rates a board by what its tiles have scored.
type potential struct{}

func (potential) Of(b rules.Board) int { return b.Potential() }
func (potential) PointValue() int      { return 1 }

// pointValue returns how much a point of the score counts for an evaluation.
func pointValue(r rater) int {
	if scored, ok := r.(interface{ PointValue() int }); ok {
		return scored.PointValue()
	}
	return 0
}

// further rates a board without what has been scored, which expectimax counts by itself.
type further struct {
	rater
	point int // what a point counts in the rating
}

func (f further) Of(b rules.Board) int {
	if f.point == 0 {
		return f.rater.Of(b)
	}
	return f.rater.Of(b) - f.point*b.Potential()
}

// mated returns what a mated board is worth in units of the evaluation. docs/experiments.md has
// what was tried.
func (h heuristic) mated() int {
	switch h {
	case heuristicReserve:
		return -10_000
	case heuristicSlope:
		return -30_000
	case heuristicOka:
		return -20_000
	case heuristicOv3y:
		return -1_000_000
	default:
		return 0
	}
}

// configure sets the evaluation of c, and what it has to know of it.
func (h heuristic) configure(c *expectimax.Config) {
	point := pointValue(h.on(rules.Full))
	c.Mated, c.Point = h.mated(), point
	c.Evaluation = func(s rules.Size) expectimax.Evaluation { return further{h.on(s), point} }
}
