package recipe

import (
	"math/rand/v2"

	"versus2048/rules"
)

// Variant is the rules and the board size of openings.
type Variant struct {
	Rules rules.Ruleset
	Size  rules.Size
}

func (v Variant) start() rules.Position { return rules.NewPosition(v.Rules, v.Size) }

// drawsEach is the largest number of tried positions for each wanted position, on average.
const drawsEach = 50

// DrawOpenings draws count positions, or fewer if it finds no more. It plays the given number of random plies from the
// empty board for each. No two positions are equal under a symmetry of the board. No position is symmetric itself or
// mated. Each is in its canonical form. The same seed draws the same positions, and a smaller count draws the first
// ones of a larger count.
func DrawOpenings(v Variant, plies, count int, seed uint64) []rules.Position {
	random := rand.New(rand.NewPCG(seed, uint64(plies)))
	known := map[rules.Position]bool{}
	var drawn []rules.Position
	for range drawsEach * count {
		if len(drawn) == count {
			break
		}
		p, ok := walk(v.start(), plies, random)
		p = p.Canonical()
		if ok && !known[p] && !symmetric(p) {
			drawn = append(drawn, p)
		}
		known[p] = true
	}
	return drawn
}

// walk plays random legal moves. It returns false if they end the game.
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

// symmetric reports whether a symmetry other than the identity maps p to itself, so that some of
// its moves are equivalent.
func symmetric(p rules.Position) bool {
	for _, y := range p.Size().Symmetries()[1:] {
		if y.Position(p) == p {
			return true
		}
	}
	return false
}
