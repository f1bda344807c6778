package alphabeta

import (
	"versus2048/players/evaluation"
	"versus2048/players/searching"
	"versus2048/rules"
)

// MaxValue is larger than the value of any board. Mates by distance have values far below -MaxValue. An evaluation
// rates boards without a 65536, with values between -MaxValue and MaxValue.
//
// An evaluation may also have
//
//	Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int)
//
// which returns b after a slide and the value of the result; across is b transposed. A search calls it several
// times a node, so it should take little longer than the slide alone. And it may have
//
//	Position(p rules.Position) int
//
// which rates positions that a board cannot hold: positions with a 65536.
const MaxValue = 50_000_000

// slider is an evaluation with its own Slide.
type slider interface {
	searching.Evaluation
	Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int)
}

// positionEvaluation is an evaluation that rates every position.
type positionEvaluation interface {
	Position(p rules.Position) int
}

// paperEvaluation is the evaluation of a zero Config.
func paperEvaluation(s rules.Size) searching.Evaluation {
	return evaluation.New(s, evaluation.Variant{})
}

// slideThenRate makes a slider of any evaluation.
type slideThenRate struct {
	searching.Evaluation
	size rules.Size
}

// Slide implements slider.
func (e slideThenRate) Slide(b, _ rules.Board, m rules.Move) (slid rules.Board, value int) {
	if slid = b.Slide(e.size, m); slid == b {
		return b, 0
	}
	return slid, e.Of(slid)
}

// sliderOf returns e itself if it is a slider, and otherwise makes one of it.
func sliderOf(e searching.Evaluation, s rules.Size) slider {
	if fast, ok := e.(slider); ok {
		return fast
	}
	return slideThenRate{e, s}
}
