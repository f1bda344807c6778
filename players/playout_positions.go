package players

import "versus2048/rules"

// playoutByPositions is playout for any tiles. The same generator draws the
// same game as in playoutByBoards.
func playoutByPositions(p rules.Position, g *generator) int {
	for {
		if p.SideToMove() == rules.Attacker {
			p = p.Next(rules.Place(drawPlacement(p.Board().Empty(p.Size()), p.Rules(), g)))
		}
		next := p
		for _, m := range slideOrders[g.below(len(slideOrders))] {
			if next = p.Next(m); next.Board() != p.Board() {
				break
			}
		}
		if next.Board() == p.Board() {
			return p.Score()
		}
		p = next
	}
}
