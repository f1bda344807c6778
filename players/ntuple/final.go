package ntuple

import "versus2048/rules"

// Final is a network as an evaluation of the final score.
type Final struct{ *Network }

// mostExpected is more than the score of any game, and all searches accept it as a value.
const mostExpected = 9_000_000

// Of returns the score of the tiles of b, plus the score that is expected from b on.
func (n Final) Of(b rules.Board) int {
	return max(-mostExpected, min(b.Potential()+n.Network.Of(b), mostExpected))
}

// PointValue returns the value of one point of the score: see searching.PointValue.
func (Final) PointValue() int { return 1 }
