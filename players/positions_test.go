package players

import (
	"iter"

	"versus2048/rules"
)

// randomPositions yields positions in which the game is not over, of both
// sides, from so many random games under each rule set on each size.
func randomPositions(g *generator, games int) iter.Seq[rules.Position] {
	return func(yield func(rules.Position) bool) {
		for _, r := range rules.Rulesets() {
			for _, size := range rules.Sizes() {
				for range games {
					if !yieldGame(rules.NewPosition(r, size), g, yield) {
						return
					}
				}
			}
		}
	}
}

// yieldGame yields positions of one game, farther and farther apart.
func yieldGame(p rules.Position, g *generator, yield func(rules.Position) bool) bool {
	for next := 0; !p.Over(); {
		if p.Ply() == next {
			if !yield(p) {
				return false
			}
			next += 1 + g.below(next+2)
		}
		moves := p.AppendMoves(nil)
		p = p.Next(moves[g.below(len(moves))])
	}
	return true
}
