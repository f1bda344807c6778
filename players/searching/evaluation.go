package searching

import "versus2048/rules"

// Evaluation rates boards of one size, with the attacker to move. High values are good for the defender.
type Evaluation interface {
	Of(b rules.Board) int
}

// Scored is an Evaluation that counts the score. Of then rates a board as if all its tiles had been merged from 2s, and the
// search subtracts four points for each placed 4: see [Surplus].
type Scored interface {
	Evaluation
	// PointValue returns the value of one point of the score.
	PointValue() int
}

// PointValue returns the value of one point of the score for e: 0 if e is not Scored.
func PointValue(e Evaluation) int {
	if scored, ok := e.(Scored); ok {
		return scored.PointValue()
	}
	return 0
}

// Surplus returns the part of an evaluation of p that its board does not show: minus four points for each placed 4.
// pointValue is the value of each point of the score.
func Surplus(p rules.Position, pointValue int) int {
	return pointValue * (p.Score() - p.Board().Potential())
}
