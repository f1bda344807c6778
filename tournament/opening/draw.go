package opening

import (
	"math/rand/v2"

	"versus2048/rules"
)

// drawsEach is how many positions are drawn at most for each one that is wanted.
const drawsEach = 50

// Draw draws positions that so many random plies lead to from the empty board.
// No two are equal under a symmetry of the board or equal to themselves turned
// or mirrored, none is mated; each is given in its canonical form. There are count
// of them, or fewer if no more are found. The same seed draws the same positions,
// and those for a smaller count are the first of those for a larger one.
func Draw(g Variant, plies, count int, seed uint64) []rules.Position {
	random := rand.New(rand.NewPCG(seed, uint64(plies)))
	known := map[rules.Position]bool{}
	var drawn []rules.Position
	for range drawsEach * count {
		if len(drawn) == count {
			break
		}
		p, ok := walk(g.start(), plies, random)
		p = p.Canonical()
		if ok && !known[p] && !symmetric(p) {
			drawn = append(drawn, p)
		}
		known[p] = true
	}
	return drawn
}

// walk plays random legal moves. It is not ok where the game ends with them.
func walk(p rules.Position, plies int, random *rand.Rand) (rules.Position, bool) {
	for range plies {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			return p, false
		}
		p = p.Next(moves[random.IntN(len(moves))])
	}
	return p, !p.Over()
}

// symmetric tells whether a symmetry other than the identity maps p to itself:
// then some of its moves are the same.
func symmetric(p rules.Position) bool {
	for _, y := range p.Size().Symmetries()[1:] {
		if y.Position(p) == p {
			return true
		}
	}
	return false
}
