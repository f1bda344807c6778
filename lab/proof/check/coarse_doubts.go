package check

import (
	"fmt"
	"math"
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
	borders = thinned(borders)
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

// thinned returns some of the ordered codes, each once, beginning with the first one, and a larger number as the last one.
func thinned(codes []uint64) (some []uint64) {
	const parts = 1 << 8
	for i := 0; i < len(codes); i += 1 + len(codes)/parts {
		some = append(some, codes[i])
	}
	return append(slices.Compact(some), math.MaxUint64)
}

// doubts has boards that are to be checked.
type doubts struct {
	*coarseChecker
	codes  []uint64
	winner int // the placement that won the board before: twice its cell, and 1 more for a 4
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

// wins reports whether no slide leads to a listed board, or makes the large tiles worth 2^T, after some placement. It first
// tries the placement that won the last board, which is often much the same.
func (d *doubts) wins(code uint64) bool {
	worth, merges, ok := d.worth(d.tally(code), d.tiles)
	if !ok {
		return true // no real board is behind this one
	}
	room := 1<<(d.tile-d.large) - 1 - worth // the number of large tiles that a slide may make
	for i := range 2 * d.cells {
		placement := (d.winner + i) % (2 * d.cells)
		cell, tile := placement/2, 1+placement%2
		if code>>(4*cell)&15 != 0 || tile == 2 && !d.fours {
			continue
		}
		if !d.escapes(code|uint64(tile)<<(4*cell), merges, room, d.listed[tile]) { // #nosec G115 -- 1 or 2
			d.winner = placement
			return true
		}
	}
	return false
}

// takeBack checks the boards where a slide to one of the given boards may answer a 2 on the first empty cell.
func (d *doubts) takeBack(lost []uint64) error {
	for _, code := range lost {
		for _, t := range d.slides {
			if err := d.before(t, t.there.of(code), 0, origin{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// before checks the boards, less a 2 on their first empty cell, that a slide may have changed into the turned board to.
// from has the origins of the rows before row.
func (d *doubts) before(t turn, to uint64, row int, from origin) error {
	if row < t.rows {
		for _, b := range d.coarseChecker.before[t.length][t.row(to, row)] {
			next := origin{line: from.line | b.line<<(4*t.length*row), merged: from.merged + b.merged}
			next.large, next.small = from.large+b.large, from.small+b.small
			if err := d.before(t, to, row+1, next); err != nil {
				return err
			}
		}
		return nil
	}
	_, merges, ok := d.worth(from.tally, d.tiles+2)
	if from.line == to || !ok || from.merged > merges {
		return nil
	}
	code := t.back.of(from.line)
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
