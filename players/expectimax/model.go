package expectimax

import "versus2048/rules"

// Model is the distribution of the placements that a search expects. All empty cells are equally likely.
type Model uint8

// The models.
const (
	// Chance places a 4 in one case of ten if the rules have 4s, as in the solo game.
	Chance Model = iota
	// Even places a 4 as often as a 2 if the rules have 4s.
	Even
	// Worst makes the worst placement for the defender.
	Worst
)

// String returns "chance", "even" or "worst".
func (m Model) String() string { return [...]string{"chance", "even", "worst"}[m] }

// odds are the weights of a 2 and a 4 on an empty cell. They add up to 1. For the worst placement the
// probabilities are unknown, and both weights are 1.
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
