package players

import (
	"versus2048/players/evaluation"
	"versus2048/players/expectimax"
	"versus2048/rules"
)

// heuristic is an evaluation that searches can be given. To add one, add its name, what it is to any
// search (on) and what else expectimax has to know of it (configure).
type heuristic uint8

const (
	heuristicOv3y heuristic = iota
	heuristicOka
	heuristicScore
)

// String returns the name of the evaluation.
func (h heuristic) String() string { return [...]string{"ov3y", "oka", "score"}[h] }

// rater rates boards with the attacker to move. High values are good for the defender.
type rater interface{ Of(b rules.Board) int }

// on returns the evaluation for boards of a size, with the score of the tiles where it counts.
func (h heuristic) on(s rules.Size) rater {
	switch h {
	case heuristicOv3y:
		return evaluation.NewOv3y(s)
	case heuristicOka:
		e := evaluation.New(s, evaluation.Variant{})
		return &e
	default:
		return potential{}
	}
}

// potential rates a board by what its tiles have scored.
type potential struct{}

func (potential) Of(b rules.Board) int { return b.Potential() }

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

// What a mated board is worth in units of the evaluation. Lower values were tried as well: see
// docs/experiments.md.
const (
	ov3yMated = -1_000_000
	okaMated  = -20_000
)

// configure sets the evaluation of c, and what it has to know of it.
func (h heuristic) configure(c *expectimax.Config) {
	switch h {
	case heuristicOv3y:
		c.Mated = ov3yMated
	case heuristicOka:
		c.Point, c.Mated = 2, okaMated
	default:
		c.Point = 1
	}
	point := c.Point
	c.Evaluation = func(s rules.Size) expectimax.Evaluation { return further{h.on(s), point} }
}
