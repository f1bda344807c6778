package check

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// checkDoubts checks the boards that tasks find.
func (c *coarseChecker) checkDoubts(tasks []func(*doubts) error) error {
	found := make([]doubts, len(tasks))
	err := each(c.threads, len(tasks), 1, func(i int) error {
		found[i].coarseChecker = c
		err := tasks[i](&found[i])
		found[i].sort()
		return err
	})
	if err != nil {
		return err
	}
	// The codes are divided at some of them, so that each is checked by one thread, once.
	var borders []uint64
	for _, d := range found {
		for some := range slices.Chunk(d.codes, 1<<12) {
			borders = append(borders, some[0])
		}
	}
	slices.Sort(borders)
	borders = append(slices.Compact(borders), math.MaxUint64)
	return each(c.threads, len(borders)-1, 1, func(i int) error {
		all := doubts{coarseChecker: c}
		for _, d := range found {
			begin, _ := slices.BinarySearch(d.codes, borders[i])
			end, _ := slices.BinarySearch(d.codes, borders[i+1])
			all.codes = append(all.codes, d.codes[begin:end]...)
		}
		all.sort()
		return all.check()
	})
}

// doubts has boards that are to be checked.
type doubts struct {
	*coarseChecker
	codes []uint64
}

// sort brings the boards into order, and leaves each there once.
func (d *doubts) sort() {
	slices.Sort(d.codes)
	d.codes = slices.Compact(d.codes)
}

// add remembers a board that is to be checked. If there are too many it checks them.
func (d *doubts) add(code uint64) error {
	const most = 1 << 18
	if d.codes = append(d.codes, code); len(d.codes) < most {
		return nil
	}
	if d.sort(); len(d.codes) < most/2 {
		return nil
	}
	return d.check()
}

// check checks that the boards are won or listed, and forgets them.
func (d *doubts) check() error {
	for _, code := range d.codes {
		if err := d.stopped(); err != nil {
			return err
		}
		if _, lost := d.listed[0].find(code); !lost && !d.wins(code) {
			return fmt.Errorf("%w: board %x (cell 1 lowest, %x is large) of sum %d is not listed, and no placement wins", ErrUncovered, code, d.large, d.tiles)
		}
	}
	d.checked.Add(int64(len(d.codes)))
	d.codes = d.codes[:0]
	return nil
}

// A part of a sum has the boards with the tiles of code on the cells before cell. The fields large, small and half are
// about the other cells: large is the number of large tiles, small is the sum of the smaller tiles, and half is the least
// number of halves of large tiles among these.
type part struct {
	code                     uint64
	cell, large, small, half int
	least                    int // the least number of large tiles that a slide is to make
}

// makers returns tasks that find the boards of the sum with a slide that makes enough large tiles. They go through
// the possible numbers of large tiles and the possible sums of the others.
func (c *coarseChecker) makers() (tasks []func(*doubts) error) {
	for small := c.tiles & (1<<c.large - 1); small <= min(c.tiles, c.cells<<(c.large-1)); small += 1 << c.large {
		worth := (c.tiles - small) >> c.large
		least := 1<<(c.tile-c.large) - worth
		if least < 1 {
			continue
		}
		for large := bits.OnesCount(uint(worth)); large <= min(worth, c.cells-1); large++ { // #nosec G115 -- not negative
			_ = c.fill(part{large: large, small: small, half: 2 * least, least: least}, min(2, c.cells), func(p part) error {
				tasks = append(tasks, func(d *doubts) error { return c.fill(p, c.cells, d.addMaker) })
				return nil
			})
		}
	}
	return tasks
}

// fill calls visit for every way to fill the cells of a part before the cell to.
func (c *coarseChecker) fill(p part, to int, visit func(part) error) error {
	left := c.cells - p.cell - p.large
	if left < max(p.half, 0) || p.small > left<<(c.large-1) || p.small < p.half<<(c.large-1) || p.large < 0 || p.small < 0 {
		return nil
	}
	if p.cell == to {
		return visit(p)
	}
	var err error
	for tile := 0; tile <= c.large && err == nil; tile++ {
		next := p
		next.cell, next.code = p.cell+1, p.code|uint64(tile)<<(4*p.cell) // #nosec G115 -- an exponent
		switch tile {
		case 0:
		case c.large:
			next.large--
		case c.large - 1:
			next.half--
			fallthrough
		default:
			next.small -= 1 << tile
		}
		err = c.fill(next, to, visit)
	}
	return err
}

// addMaker adds a board, if some slide makes enough large tiles.
func (d *doubts) addMaker(p part) error {
	if d.mostMade(p.code) < p.least || !d.isPosition(p.code) {
		return d.stopped()
	}
	return d.add(p.code)
}

// mostMade returns the largest number of large tiles that a slide makes. A slide in the opposite direction makes as
// many, and merges of large tiles make none.
func (c *coarseChecker) mostMade(code uint64) (most int) {
	for _, t := range []turn{c.slides[0], c.slides[2]} {
		made, from := 0, t.there.of(code)
		for row := range t.rows {
			made += c.after[t.length][t.row(from, row)][0].made
		}
		most = max(most, made)
	}
	return most
}

// takeBack checks the boards where a slide to one of the given boards may answer a 2 on the first empty cell.
func (d *doubts) takeBack(lost []uint64) error {
	for _, code := range lost {
		for _, t := range d.slides {
			if err := d.before(t, t.there.of(code), 0, change{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// before checks the boards, less a 2 on their first empty cell, that a slide may have changed into the turned board to.
// from is the change of the rows before row.
func (d *doubts) before(t turn, to uint64, row int, from change) error {
	if row < t.rows {
		for _, b := range d.coarseChecker.before[t.length][t.row(to, row)] {
			next := change{line: from.line | b.line<<(4*t.length*row), merged: from.merged + b.merged}
			if err := d.before(t, to, row+1, next); err != nil {
				return err
			}
		}
		return nil
	}
	code := t.back.of(from.line)
	_, merges, ok := d.worth(code, d.tiles+2)
	if from.line == to || !ok || from.merged > merges {
		return nil
	}
	placed := d.smallest(code)
	for cell := range d.cells {
		if code>>(4*cell)&15 != 1 {
			continue
		}
		if b := d.smallest(code &^ (15 << (4 * cell))); d.smallest(d.withTwo(b)) == placed {
			if err := d.add(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// withTwo returns a board with a 2 on its first empty cell.
func (s size) withTwo(code uint64) uint64 {
	cell := 0
	for code>>(4*cell)&15 != 0 {
		cell++
	}
	return code | 1<<(4*cell)
}
