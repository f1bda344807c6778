package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// This file checks a claim of the defender. It checks many positions at once, because their answers are in distant places
// of memory: so the processor waits for many answers at the same time.

// most is the largest number of positions of a portion.
const most = 1 << 6

// mostAtOnce is the largest number of placements of a portion with the same tile.
const mostAtOnce = most * 16

// A portion has some positions of a layer.
type portion struct {
	sum    int
	codes  []uint64
	gains  []int32
	likely [most]uint8 // by position: the slide that answered an earlier placement
}

// A placement is one that the attacker may choose: the position's place in the portion, the cell, and the exponent of the
// tile.
type placement struct{ position, cell, exponent uint8 }

// defenderGains checks that after every placement on the positions some slide gains enough. It checks one placement of
// each position before the others: the slide that answers it is likely to answer the others, too.
func (c *checker) defenderGains(p *portion) error {
	var open []placement
	for exponent := uint8(1); exponent == 1 || exponent == 2 && c.fours; exponent++ {
		first, others := c.placements(p, exponent)
		covered := c.layer(p.sum + 1<<exponent)
		open = append(open, c.unanswered(p, first, covered)...)
		open = append(open, c.unanswered(p, others, covered)...)
	}
	if len(open) == 0 {
		return nil
	}
	o := slices.MinFunc(open, func(a, b placement) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.cell, b.cell), cmp.Compare(a.exponent, b.exponent))
	})
	return fmt.Errorf("%w: %s, after a %d on cell %d no slide keeps a gain of %d", ErrUncovered,
		c.show(p.codes[o.position]), 1<<o.exponent, o.cell, 4*p.gains[o.position])
}

// placements returns the placements of a tile: the first one on each position, and all others.
func (c *checker) placements(p *portion, exponent uint8) (first, others []placement) {
	first, others = make([]placement, 0, most), make([]placement, 0, mostAtOnce)
	for i, code := range p.codes {
		list := &first
		for cell := range c.cells {
			if code>>(4*cell)&15 == 0 {
				*list = append(*list, placement{uint8(i), uint8(cell), exponent}) // #nosec G115 -- less than most and 16
				list = &others
			}
		}
	}
	return first, others
}

// unanswered returns the placements that no slide answers. A slide answers a placement if it scores the gain, or leads to a
// position that is covered for the rest. The result is in the memory of open.
func (c *checker) unanswered(p *portion, open []placement, covered *layer) []placement {
	var after [mostAtOnce]uint64 // by open placement: the smallest image of the board after the slide
	var rest [mostAtOnce]int32   // likewise: the gain that is left, or more than any gain if the slide is illegal
	var places [mostAtOnce]int
	try := p.likely // first
	for turn := range uint8(len(c.slides)) {
		for i, o := range open {
			t := &c.slides[(try[o.position]+turn)%4]
			board, points, legal := c.slide(p.codes[o.position]|uint64(o.exponent)<<(4*o.cell), t)
			after[i], rest[i] = c.smallest(c.image(t, board)), p.gains[o.position]-int32(points) // #nosec G115 -- at most 2^28
			if !legal {
				rest[i] = math.MaxInt32
			}
		}
		covered.boards.findAll(after[:len(open)], places[:])
		left := open[:0]
		for i, o := range open {
			if rest[i] > 0 && (places[i] < 0 || covered.gains[places[i]] < rest[i]) {
				left = append(left, o)
			} else {
				p.likely[o.position] = (try[o.position] + turn) % 4
			}
		}
		open = left
	}
	return open
}
