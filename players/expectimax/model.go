package expectimax

import "versus2048/rules"

// Model is what is expected of the attacker's placements. Every empty cell is like any other.
type Model uint8

// The models.
const (
	// Chance places a 4 in one case of ten where the rules have 4s, as the solo game does.
	Chance Model = iota
	// Even places a 4 as often as a 2 where the rules have 4s.
	Even
	// Worst makes the placement that is worst for the defender.
	Worst
)

// String returns "chance", "even" or "worst".
func (m Model) String() string { return [...]string{"chance", "even", "worst"}[m] }

// odds are the weights of a 2 and a 4 on an empty cell, which add up to 1. Both are 1 where the worst
// placement is made, whose probability is not known.
type odds struct{ two, four float64 }

func (m Model) odds(r rules.Ruleset) odds {
	switch {
	case m == Worst && r.Fours():
		return odds{1, 1}
	case m == Worst, !r.Fours():
		return odds{1, 0}
	case m == Chance:
		return odds{0.9, 0.1}
	default:
		return odds{0.5, 0.5}
	}
}
