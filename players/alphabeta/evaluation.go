package alphabeta

import (
	"versus2048/players/evaluation"
	"versus2048/rules"
)

// Evaluation rates boards of one size without a 65536, with the attacker to move. High values are good for the
// defender. Values are whole numbers between -MaxValue and MaxValue.
//
// An Evaluation may also have
//
//	Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int)
//
// which returns b after a slide and the value of the result; across is b transposed. A search calls it several
// times a node, so it should take little longer than the slide alone. And it may have
//
//	Position(p rules.Position) int
//
// which rates positions that a board cannot show: positions with a 65536.
type Evaluation interface {
	Of(b rules.Board) int
}

// MaxValue is larger than the value of any board, and smaller than the value of any mate by distance.
const MaxValue = 50_000_000

// Scored is an Evaluation that counts the score. Of then rates a board as if all its tiles had been merged from
// 2s, and the search subtracts four points for each placed 4.
type Scored interface {
	Evaluation
	// PointValue returns the value of one point of the score.
	PointValue() int
}

// slider is an Evaluation with its own Slide.
type slider interface {
	Evaluation
	Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int)
}

// positioned is an Evaluation that rates every position.
type positioned interface {
	Position(p rules.Position) int
}

// paper is the evaluation of a zero Config.
func paper(s rules.Size) Evaluation { return evaluation.New(s, evaluation.Variant{}) }

// slideThenRate makes a slider of any Evaluation.
type slideThenRate struct {
	Evaluation
	size rules.Size
}

// Slide implements slider.
func (e slideThenRate) Slide(b, _ rules.Board, m rules.Move) (slid rules.Board, value int) {
	if slid = b.Slide(e.size, m); slid == b {
		return b, 0
	}
	return slid, e.Of(slid)
}

// sliding returns the slider of an Evaluation.
func sliding(e Evaluation, s rules.Size) slider {
	if fast, ok := e.(slider); ok {
		return fast
	}
	return slideThenRate{e, s}
}

// pointValue returns the value of one point of the score for e.
func pointValue(e Evaluation) int {
	if scored, ok := e.(Scored); ok {
		return scored.PointValue()
	}
	return 0
}

// surplus returns the part of an evaluation of p that its board does not show: minus four points for each
// placed 4. pointValue is the value of each point of the score.
func surplus(p rules.Position, pointValue int) int {
	return pointValue * (p.Score() - p.Board().Potential())
}
