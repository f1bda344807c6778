package coarse

import (
	"math/bits"

	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// class describes boards of a layer with the same number and the same worth of large tiles.
type class struct {
	large int // the number of large tiles
	worth int // their worth together, in units of 2^Large
	small int // the sum of the other tiles
}

// spare returns the number of pairs of large tiles that can merge.
func (c class) spare() int { return c.large - bits.OnesCount(uint(c.worth)) } // #nosec G115 -- not negative

// layer goes through the coarse boards with one sum of tiles, with the attacker to move.
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
// the second kind makes large tiles of pairs, and the board has these pairs already before the 2: see makers.
func (l *layer) tasks() (all []func() []rules.Board) {
	all = proof.ChunksOf(l.two, l.before)
	if l.sum+4 < 1<<l.config.Tile {
		return all
	}
	return append(all, l.makers()...)
}

// before returns the boards where the answer to a 2 on the first empty cell may be a slide to a wanted board.
func (l *layer) before(wanted []rules.Board) (all []rules.Board) {
	for _, b := range wanted {
		l.candidates(b, func(b rules.Board) { all = append(all, b) })
	}
	return all
}

// lost returns the lost boards among some boards.
func (l *layer) lost(boards []rules.Board) (all []rules.Board) {
	var h history
	for _, b := range boards {
		if !l.holds(b, l.classOf(b, l.sum), &h) {
			all = append(all, b)
		}
	}
	return all
}

// history has the placements and slides that decided the boards before, which are often much the same. A placement is
// twice the number of its cell, and 1 more for a 4; a slide is twice the number of its axis, and 1 more for a slide to the
// last cells.
type history struct {
	winner  int     // the placement that won last
	answers [32]int // by the placement: the slide that answered it last
}

// holds reports whether the attacker has a placement after which no slide brings the defender closer to its tile.
func (l *layer) holds(b rules.Board, c class, h *history) bool {
	after := slider{layer: l, class: c}
	empty := b.Empty(l.config.Size)
	for i := range 32 {
		placement := (h.winner + i) % 32
		cell, k := placement/2, placement%2
		if empty>>(4*cell)&1 == 0 || k >= l.kinds {
			continue
		}
		after.wanted = []*certificate.BoardSet{l.two, l.four}[k]
		var answered bool
		if h.answers[placement], answered = after.escapes(b.With(cell, k+1), h.answers[placement]); !answered {
			h.winner = placement
			return true
		}
	}
	return false
}
