package opening

import "versus2048/rules"

// Game is the game that openings are for.
type Variant struct {
	Rules rules.Ruleset
	Size  rules.Size
}

// start is the empty board.
func (g Variant) start() rules.Position { return rules.NewPosition(g.Rules, g.Size) }
