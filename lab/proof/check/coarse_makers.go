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
	equal [][]row         // for each tally the rows that have it
	with  map[tally][]row // by tally: the rows that have it, and the rows that only make more large tiles

	// most is the largest number of large tiles that a slide can make of some rows, by the number of the rows, their large
	// tiles and half the sum of their other tiles; -1 if no rows have these.
	most [][][]int
}

func (c *coarseChecker) newMaker(t turn) *maker {
	m, at := &maker{coarseChecker: c, turn: t, with: map[tally][]row{}}, map[tally]int{}
	for line, after := range c.after[t.length] {
		if len(after) == 0 {
			continue // a cell has more than a large tile
		}
		r := row{line: uint64(line), tally: c.tally(uint64(line))} // #nosec G115 -- an index
		r.made = after[0].made
		for cell := range t.length {
			r.mirrored = r.mirrored<<4 | r.line>>(4*cell)&15
		}
		if at[r.tally] == 0 {
			m.equal = append(m.equal, nil)
			at[r.tally] = len(m.equal)
		}
		equal := &m.equal[at[r.tally]-1]
		*equal = append(*equal, r)
		for least := r.tally; least.made >= 0; least.made-- {
			m.with[least] = append(m.with[least], r)
		}
	}
	m.findMost()
	return m
}

// findMost fills the table most: for no rows, then for one row, and so on up to a whole board.
func (m *maker) findMost() {
	none := func(rows int) (most [][]int) {
		for range rows*m.length + 1 {
			most = append(most, slices.Repeat([]int{-1}, rows*m.length<<(m.coarseChecker.large-2)+1))
		}
		return most
	}
	m.most = [][][]int{{{0}}}
	for rows := range m.rows {
		next := none(rows + 1)
		for large, some := range m.most[rows] {
			for half, made := range some {
				if made < 0 {
					continue
				}
				for _, equal := range m.equal {
					r := equal[0]
					most := &next[large+r.large][half+r.small/2]
					*most = max(*most, made+r.made)
				}
			}
		}
		m.most = append(m.most, next)
	}
}

// makers calls task with tasks that find the boards of the sum with a slide that makes enough large tiles: for every
// possible number of large tiles and every possible sum of the others.
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

// tasks calls task with tasks that find the boards with these tiles. Each task takes the possible last rows of one
// tally.
func (m *maker) tasks(whole tally, task func(func(*doubts) error) error) error {
	for _, some := range m.equal {
		rest := whole.less(some[0].tally)
		if !m.fit(rest, m.rows-1) {
			continue
		}
		err := task(func(d *doubts) error {
			for _, r := range some {
				if r.line > r.mirrored {
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

// fill adds boards. The last rows of each board come from code, and end with the row last. more is the number of rows
// before them. Together, the rows before have the tiles of rest, and make rest.made large tiles or more. Such rows
// exist.
func (m *maker) fill(d *doubts, code uint64, more int, last uint64, rest tally) error {
	if more == 0 {
		return d.addMaker(m.image(&m.turn, code))
	}
	if more == 1 {
		rest.made = max(0, rest.made)
		for _, r := range m.with[rest] {
			if min(r.line, r.mirrored) < last {
				continue // a board that is mirrored or upside down comes in its place
			}
			if err := m.fill(d, code<<(4*m.length)|r.line, 0, last, tally{}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, equal := range m.equal {
		next := rest.less(equal[0].tally)
		if !m.fit(next, more-1) {
			continue
		}
		for _, r := range equal {
			if err := m.fill(d, code<<(4*m.length)|r.line, more-1, last, next); err != nil {
				return err
			}
		}
	}
	return d.stopped()
}

// fit reports whether a number of rows can have the tiles of t, and make at least t.made large ones.
func (m *maker) fit(t tally, rows int) bool {
	most := m.most[rows]
	return t.large >= 0 && t.large < len(most) && t.small >= 0 && t.small/2 < len(most[0]) && most[t.large][t.small/2] >= max(0, t.made)
}

// addMaker adds a board, unless it is full.
func (d *doubts) addMaker(code uint64) error {
	if !d.hasEmpty(code) {
		return nil
	}
	return d.add(d.smallest(code))
}
