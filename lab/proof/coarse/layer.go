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

// part is the boards of a class that have the tiles of board on the cells before cell.
type part struct {
	class
	board     rules.Board
	cell      int // in the game's order of cells
	restLarge int // the number of large tiles on the other cells
	restSmall int // the sum of the smaller tiles on the other cells
	restHalf  int // at least so many of these are halves of large tiles
}

// fill calls visit for every way to fill the cells of a part up to a cell. If boards are equal under a symmetry,
// it may leave out all but the canonical one.
func (l *layer) fill(p part, to int, visit func(part)) {
	rest := len(l.cells) - p.cell
	half := 1 << (l.config.Large - 1)
	if rest < p.restLarge+max(p.restHalf, 0) || p.restSmall > (rest-p.restLarge)*half || p.restSmall < p.restHalf*half {
		return
	}
	if p.cell == 2*int(l.config.Size.Width) && !l.canBeLeast(p.board) {
		return
	}
	if p.cell == to {
		visit(p)
		return
	}
	at := l.cells[p.cell]
	p.cell++
	l.fill(p, to, visit)
	if p.restLarge > 0 {
		next := p
		next.board, next.restLarge = p.board.With(at, l.config.Large), p.restLarge-1
		l.fill(next, to, visit)
	}
	for k := 1; k < l.config.Large && 1<<k <= p.restSmall; k++ {
		next := p
		next.board, next.restSmall = p.board.With(at, k), p.restSmall-1<<k
		if 1<<k == half {
			next.restHalf--
		}
		l.fill(next, to, visit)
	}
}

// canBeLeast reports whether a board can still become canonical once its last and its first row are filled: no
// image of it has a smaller last row, which comes first in the order of boards.
func (l *layer) canBeLeast(b rules.Board) bool {
	shift := 16 * (l.config.Size.Height - 1)
	images := b.Images(l.config.Size)
	last := b >> shift
	return last <= images[1]>>shift && last <= images[2]>>shift && last <= images[3]>>shift
}

// holds reports whether the attacker has a placement after which no slide brings the defender closer to its tile.
func (l *layer) holds(b rules.Board, c class) bool {
	after := slider{layer: l, class: c}
	for k, wanted := range []*certificate.BoardSet{l.two, l.four}[:l.kinds] {
		after.wanted = wanted
		for cells := b.Empty(l.config.Size); cells != 0; cells &= cells - 1 {
			if !after.escapes(b.With(bits.TrailingZeros64(cells)/4, k+1)) {
				return true
			}
		}
	}
	return false
}

// tasks returns functions that find the boards of the layer that may be lost: the defender answers a 2 on the first
// empty cell by a slide to a board that it wants, or by a slide that makes the large tiles worth too much. A slide of
// the second kind makes large tiles of pairs, and the board has these pairs already before the 2.
func (l *layer) tasks() (all []func() []rules.Board) {
	all = proof.ChunksOf(l.two, l.before)
	if l.sum+4 < 1<<l.config.Tile {
		return all
	}
	for _, p := range l.parts(func(c class) int { return 2 * (l.config.most() + 1 - c.worth) }) {
		all = append(all, func() []rules.Board { return l.search(p, l.mayReach) })
	}
	return all
}

// mayReach reports whether slides of a board make enough large tiles for the defender's aim.
func (l *layer) mayReach(b rules.Board, c class) bool {
	rows, columns := 0, 0
	turned := b.Transpose()
	for i := range 4 {
		rows += l.axes[0].made(b >> (16 * i))
		columns += l.axes[1].made(turned >> (16 * i))
	}
	return c.worth+max(rows, columns) > l.config.most()
}

// before returns the boards where the answer to a 2 on the first empty cell may be a slide to a wanted board.
func (l *layer) before(wanted []rules.Board) (all []rules.Board) {
	for _, b := range wanted {
		l.candidates(b, func(b rules.Board) { all = append(all, b) })
	}
	return all
}

// parts returns the layer's boards with at least halves(class) halves of large tiles in parts, by the cells of the last
// row.
func (l *layer) parts(halves func(class) int) (all []part) {
	for _, c := range l.classes() {
		whole := part{class: c, restLarge: c.large, restSmall: c.small, restHalf: halves(c)}
		l.fill(whole, int(l.config.Size.Width), func(p part) { all = append(all, p) })
	}
	return all
}

// search returns the eligible boards of a part, the canonical one of each symmetry.
func (l *layer) search(p part, eligible func(rules.Board, class) bool) (all []rules.Board) {
	l.fill(p, len(l.cells), func(p part) {
		if p.board.Empty(l.config.Size) != 0 && eligible(p.board, p.class) && p.board.Canonical(l.config.Size) == p.board {
			all = append(all, p.board)
		}
	})
	return all
}

// lost returns the lost boards among some boards.
func (l *layer) lost(boards []rules.Board) (all []rules.Board) {
	for _, b := range boards {
		if !l.holds(b, l.classOf(b, l.sum)) {
			all = append(all, b)
		}
	}
	return all
}
