package coarse

import (
	"slices"

	"versus2048/rules"
)

// tally counts the tiles of some cells: the number of large tiles, the sum of the other tiles, and the number of
// large tiles that a slide makes of the others.
type tally struct{ large, small, made int }

func (t tally) less(o tally) tally {
	return tally{t.large - o.large, t.small - o.small, t.made - o.made}
}

// filled is a line with its mirror image and its tally.
type filled struct {
	line, mirrored rules.Board
	tally
}

// fillings has the lines that boards are filled with.
type fillings struct {
	equal [][]filled         // for each tally the lines that have it
	with  map[tally][]filled // by tally: the lines that have it, and the lines that only make more large tiles

	// most is the largest number of large tiles that a slide can make of some lines, by the number of lines, the
	// number of their large tiles and half the sum of their other tiles. It is -1 if there are no such lines.
	most [][][]int
}

// newFillings lists the coarse lines of a length. count is the number of lines of a board, and large is the exponent
// of the smallest large tile.
func newFillings(slides *lines, length, count, large int) *fillings {
	f, at := &fillings{with: map[tally][]filled{}}, map[tally]int{}
	for line, outcomes := range slides.all {
		if len(outcomes) == 0 {
			continue // not a coarse line: an exponent is above large
		}
		l := filled{line: rules.Board(line), tally: tally{made: outcomes[0].made}} // #nosec G115 -- 16 bits
		l.large, l.small = tilesOf(l.line, large)
		for cell := range length {
			l.mirrored = l.mirrored<<4 | rules.Board(l.line.Exponent(cell)) // #nosec G115 -- an exponent
		}
		if at[l.tally] == 0 {
			f.equal = append(f.equal, nil)
			at[l.tally] = len(f.equal)
		}
		equal := &f.equal[at[l.tally]-1]
		*equal = append(*equal, l)
		for least := l.tally; least.made >= 0; least.made-- {
			f.with[least] = append(f.with[least], l)
		}
	}
	f.most = [][][]int{{{0}}}
	for cells := length; cells <= count*length; cells += length {
		f.most = append(f.most, f.oneMore(f.most[len(f.most)-1], cells, large))
	}
	return f
}

// oneMore returns the table of most with one line more. cells is the number of cells with that line.
func (f *fillings) oneMore(most [][]int, cells, large int) [][]int {
	more := make([][]int, cells+1)
	for i := range more {
		more[i] = slices.Repeat([]int{-1}, cells<<(large-2)+1)
	}
	for i, some := range most {
		for half, made := range some {
			for _, equal := range f.equal {
				if l := equal[0]; made >= 0 {
					best := &more[i+l.large][half+l.small/2]
					*best = max(*best, made+l.made)
				}
			}
		}
	}
	return more
}

// fit reports whether a number of lines can have the tiles of t, and make at least t.made large ones.
func (f *fillings) fit(t tally, lines int) bool {
	most := f.most[lines]
	return t.large >= 0 && t.large < len(most) && t.small >= 0 && t.small/2 < len(most[0]) &&
		most[t.large][t.small/2] >= max(0, t.made)
}
