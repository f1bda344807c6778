package check

import (
	"fmt"
	"math"
	"slices"
)

// checkDoubts checks the boards that a batch of tasks finds, except for boards that an earlier batch found. more is true
// if other batches follow.
func (c *coarseChecker) checkDoubts(tasks []func(*doubts) error, more bool) error {
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
	// Borders divide the codes into parts, so that one thread checks each code, once.
	var borders []uint64
	for _, d := range found {
		for some := range slices.Chunk(d.codes, 1<<12) {
			borders = append(borders, some[0])
		}
	}
	slices.Sort(borders)
	borders = thinned(borders)
	parts := make([][]uint64, len(borders)-1)
	err = each(c.threads, len(parts), 1, func(i int) error {
		all := doubts{coarseChecker: c}
		for _, d := range found {
			begin, _ := slices.BinarySearch(d.codes, borders[i])
			some := d.codes[begin:]
			all.codes = append(all.codes, some[:len(some)-len(from(some, borders[i+1]))]...)
		}
		all.sort()
		for _, done := range c.done {
			all.codes = without(all.codes, done)
		}
		if more {
			parts[i] = slices.Clone(all.codes)
		}
		return all.check()
	})
	if more {
		c.done = append(c.done, slices.Concat(parts...))
	}
	return err
}

// without removes others from codes. Both are in ascending order.
func without(codes, others []uint64) []uint64 {
	kept := codes[:0]
	for _, code := range codes {
		if others = from(others, code); !begins(others, code) {
			kept = append(kept, code)
		}
	}
	return kept
}

// begins reports whether a code is the first one of some codes.
func begins(codes []uint64, code uint64) bool { return len(codes) > 0 && codes[0] == code }

// from leaves out the codes that are smaller than the given one. The codes are in ascending order. The search begins
// with steps of 1, 2, 4 codes, since the next code of another list is often near.
func from(codes []uint64, code uint64) []uint64 {
	step := 1
	for step <= len(codes) && codes[step-1] < code {
		step *= 2
	}
	begin, _ := slices.BinarySearch(codes[step/2:min(step, len(codes))], code)
	return codes[step/2+begin:]
}

// thinned returns the first of the ordered codes, some later ones, each once, and at the end a number above all codes.
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
	codes   []uint64
	winner  int     // the placement that won the board before: twice its cell, and 1 more for a 4
	answers [32]int // by placement: the slide that answered it last
}

// sort brings the boards into order, and leaves each there once.
func (d *doubts) sort() {
	slices.Sort(d.codes)
	d.codes = slices.Compact(d.codes)
}

// add remembers a board that is to be checked. If there are too many boards, add checks them.
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
	lost := d.listed[0].all()
	for _, code := range d.codes {
		if err := d.stopped(); err != nil {
			return err
		}
		if lost = from(lost, code); !begins(lost, code) && !d.wins(code) {
			return fmt.Errorf("%w: board %x (cell 1 lowest, %x is large) of sum %d is not listed, and no placement wins", ErrUncovered, code, d.large, d.tiles)
		}
	}
	d.checked.Add(int64(len(d.codes)))
	d.codes = d.codes[:0]
	return nil
}

// wins reports whether there is a placement after which no slide leads to a listed board or makes the large tiles worth
// 2^T. It first tries the placement that won the last board, and after each placement the slide that answered it last:
// successive boards are often much the same.
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
		if !d.escapes(code|uint64(tile)<<(4*cell), merges, room, d.listed[tile], &d.answers[placement]) { // #nosec G115 -- 1 or 2
			d.winner = placement
			return true
		}
	}
	return false
}

// takeBack checks the boards where a slide to one of the given boards may answer a 2 on the first empty cell.
func (d *doubts) takeBack(lost []uint64) error {
	for _, code := range lost {
		for i := range d.slides {
			t := &d.slides[i]
			if err := d.before(t, t.there.of(code), 0, origin{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// before finds the boards that a slide may have changed into the turned board to. takeTwo then takes a 2 off them, and
// checks the boards without that 2. from has the origins of the rows before row.
func (d *doubts) before(t *turn, to uint64, row int, from origin) error {
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
	return d.takeTwo(d.image(t, from.line))
}

// takeTwo checks the boards that a 2 on the first empty cell changes into the given one, or into an image of it. The
// images of a board without a 2 are the images of the board, without the images of the 2.
func (d *doubts) takeTwo(code uint64) error {
	images, number := d.images(code), len(d.walk)+1
	for cell := range d.cells {
		if code>>(4*cell)&15 != 1 {
			continue
		}
		least := uint64(math.MaxUint64)
		for i, two := range d.twos[cell][:number] {
			least = min(least, images[i]-two)
		}
		if slices.Contains(images[:number], least|1<<(4*firstEmpty(least))) {
			if err := d.add(least); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstEmpty returns the first empty cell of a board.
func firstEmpty(code uint64) (cell int) {
	for ; code&15 != 0; code >>= 4 {
		cell++
	}
	return cell
}
