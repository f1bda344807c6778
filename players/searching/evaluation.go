package searching

import "versus2048/rules"

// Evaluation rates boards of one size, with the attacker to move. High values are good for the defender.
type Evaluation interface {
	Of(b rules.Board) int
}

// Scored is an Evaluation that counts the score. Of then rates a board as if all its tiles had been merged from 2s: see
// [Surplus].
type Scored interface {
	Evaluation
	// PointValue returns how much a point of the score counts.
	PointValue() int
}

// PointValue returns how much a point of the score counts for e: 0 if e is not Scored.
func PointValue(e Evaluation) int {
	if scored, ok := e.(Scored); ok {
		return scored.PointValue()
	}
	return 0
}

// Surplus returns what the evaluation of p counts beyond its board, if each point of the score counts that much: minus four
// points for each placed 4.
func Surplus(p rules.Position, pointValue int) int {
	return pointValue * (p.Score() - p.Board().Potential())
}
