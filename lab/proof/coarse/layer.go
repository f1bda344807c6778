package coarse

import (
	"math/bits"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// tilesOf returns the number of tiles of 2^large, which stand for all large tiles, and the sum of the other tiles of a
// coarse board or line.
func tilesOf(b rules.Board, large int) (number, small int) {
	for ; b > 0; b >>= 4 {
		switch k := b.Exponent(0); {
		case k == large:
			number++
		case k > 0:
			small += 1 << k
		}
	}
	return number, small
}

// class describes boards of a layer with the same number and the same worth of large tiles.
type class struct {
	large int // the number of large tiles
	worth int // their worth together, in units of 2^Large
	small int // the sum of the other tiles
}

// spare returns the largest number of pairs of large tiles that can merge before another large tile is made. It is
// negative if the class has no real board.
func (c class) spare() int { return c.large - bits.OnesCount(uint(c.worth)) } // #nosec G115 -- not negative

// class returns the class of the boards of a sum with a number of large tiles and a sum of the others.
func (g *game) class(large, small, sum int) class {
	return class{large: large, worth: (sum - small) >> g.config.Large, small: small}
}

// layer finds the lost boards with one sum of tiles and the attacker to move.
type layer struct {
	*game
	sum       int
	two, four *certificate.BoardSet // the boards that a defender wants to reach, after a 2 or a 4
}

// classes returns the classes of the layer's boards.
func (l *layer) classes() (all []class) {
	unit := 1 << l.config.Large
	for large := range l.config.cells() { // a board with the attacker to move has an empty cell
		for small := 0; small <= min(l.sum, (l.config.cells()-large)*unit/2); small += 2 {
			c := class{large: large, worth: (l.sum - small) / unit, small: small}
			if (l.sum-small)%unit == 0 && c.worth <= l.config.most() && large <= c.worth && c.spare() >= 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// tasks returns functions that find the boards of the layer that may be lost: the defender answers a 2 on the first
// empty cell by a slide to a board that it wants, or by a slide that makes the large tiles worth too much. A slide of
// the second kind makes large tiles of pairs that the board has already before the 2: see makers.
func (l *layer) tasks() (all []proof.Task) {
	all = proof.ChunksOf(l.two, l.before)
	if l.sum+4 < 1<<l.config.Tile {
		return all
	}
	return append(all, l.makers()...)
}

// before appends the boards where the answer to a 2 on the first empty cell may be a slide to a wanted board.
func (l *layer) before(found, wanted []rules.Board) []rules.Board {
	for _, b := range wanted {
		l.candidates(b, func(b rules.Board) { found = append(found, b) })
	}
	return found
}

// lost appends the lost boards among some boards.
func (l *layer) lost(found, boards []rules.Board) []rules.Board {
	s := slider{layer: l, wanted: [...]*certificate.BoardSet{1: l.two, 2: l.four}}
	for _, b := range boards {
		if !s.holds(b) {
			found = append(found, b)
		}
	}
	return found
}
