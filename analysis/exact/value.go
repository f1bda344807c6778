package exact

import "versus2048/rules"

// Value is what a position is worth when both sides play perfectly. Perfect
// play is lexicographic: the defender wants the higher final score and then the
// longer game, the attacker the lower final score and then the shorter game.
// Under solo the defender wants the higher expected score, and chance nothing.
type Value struct {
	// Gain is what the defender still scores from here: a whole number, under
	// solo an expectation. The final score is the position's score plus Gain.
	Gain float64 `json:"gain"`
	// Plies that the game still lasts; 0 under solo, where it is chance's.
	Plies int `json:"plies"`
}

// MoveValue is a legal move with the value of playing it: its own gain and all
// that follows, plies counted from before the move.
type MoveValue struct {
	Move  rules.Move `json:"move"`
	Value Value      `json:"value"`
}

// worth is a Value as one number that orders as perfect play does: the gain, and
// for each turn (a slide, with the placement before or after it) a tick more.
// Gains are whole numbers where turns count, so that the ticks are the fraction.
type worth float64

// tick is small enough for 2047 turns, more than any board that is solved
// allows: a placement adds at least 2 to the sum of tiles, which ends below
// 2^11 on 9 cells.
const tick worth = 1.0 / 2048

// apart are a worth's two parts.
func (w worth) apart() (gain float64, turns int) {
	whole := worth(int(w))
	return float64(whole), int((w - whole) / tick)
}
