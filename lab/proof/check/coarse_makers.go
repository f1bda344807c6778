package check

import (
	"math/bits"
	"slices"
)

// This file finds the boards with a slide that makes enough large tiles, row by row.

// A row is a line of a turned board.
type row struct {
	line, mirrored uint64
	tally
}

func (t tally) less(o tally) tally {
	return tally{t.large - o.large, t.small - o.small, t.made - o.made}
}

// A maker finds boards with a slide that makes large tiles. It fills turned boards row by row.
type maker struct {
	*coarseChecker
	turn
	all  []row
	with [][][]row // the rows by their number of large tiles, and by half the sum of the others
}

func (c *coarseChecker) newMaker(t turn) *maker {
	m := &maker{coarseChecker: c, turn: t, with: make([][][]row, t.length+1)}
	for large := range m.with {
		m.with[large] = make([][]row, t.length<<(c.large-2)+1)
	}
	for line, after := range c.after[t.length] {
		if len(after) == 0 {
			continue // a cell has more than a large tile
		}
		r := row{line: uint64(line), tally: c.tally(uint64(line))} // #nosec G115 -- an index
		r.made = after[0].made
		for cell := range t.length {
			r.mirrored = r.mirrored<<4 | r.line>>(4*cell)&15
		}
		m.all, m.with[r.large][r.small/2] = append(m.all, r), append(m.with[r.large][r.small/2], r)
	}
	return m
}

// makers calls task with tasks that find the boards of the sum with a slide that makes enough large tiles. They go
// through the possible numbers of large tiles and the possible sums of the others.
func (c *coarseChecker) makers(task func(func(*doubts) error) error) error {
	turns := []turn{c.slides[0], c.slides[2]} // a slide in the opposite direction makes as many
	if c.width == c.height {
		turns = turns[:1] // and so does the other slide of the transposed board
	}
	for _, t := range turns {
		m := c.newMaker(t)
		for small := c.tiles & (1<<c.large - 1); small <= min(c.tiles, c.cells<<(c.large-1)); small += 1 << c.large {
			worth := (c.tiles - small) >> c.large
			least := 1<<(c.tile-c.large) - worth
			for large := bits.OnesCount(uint(worth)); least >= 1 && large <= min(worth, c.cells-1); large++ { // #nosec G115 -- not negative
				if err := m.tasks(tally{large, small, least}, task); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tasks calls task with tasks that find the boards with these tiles. Each of them has some of the possible last rows.
func (m *maker) tasks(whole tally, task func(func(*doubts) error) error) error {
	for some := range slices.Chunk(m.all, 1<<4) {
		err := task(func(d *doubts) error {
			for _, r := range some {
				rest := whole.less(r.tally)
				if r.line > r.mirrored || !m.fit(rest, m.rows-1) {
					continue // the mirror images of the boards are enough
				}
				if err := m.fill(d, r.line, m.rows-1, r.line, rest); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fill adds the boards that begin with some more rows before those of code, which end with the row last. rest is what
// these rows have, but that they may make more large tiles.
func (m *maker) fill(d *doubts, code uint64, more int, last uint64, rest tally) error {
	rows := m.all
	switch more {
	case 0:
		return d.addMaker(m.back.of(code))
	case 1:
		rows = m.with[rest.large][rest.small/2]
	default:
		if err := d.stopped(); err != nil {
			return err
		}
	}
	for _, r := range rows {
		if more == 1 && min(r.line, r.mirrored) < last {
			continue // a board that is mirrored or upside down comes in its place
		}
		if next := rest.less(r.tally); m.fit(next, more-1) {
			if err := m.fill(d, code<<(4*m.length)|r.line, more-1, last, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// fit reports whether a number of rows may have the tiles of t, and make its large ones or more.
func (m *maker) fit(t tally, rows int) bool {
	return t.large >= 0 && t.small >= 0 && t.large <= rows*m.length && t.small <= (rows*m.length-t.large)<<(m.coarseChecker.large-1) &&
		t.made <= rows*(m.length/2)
}

// addMaker adds a board, unless it is full.
func (d *doubts) addMaker(code uint64) error {
	if !d.hasEmpty(code) {
		return nil
	}
	return d.add(d.smallest(code))
}
