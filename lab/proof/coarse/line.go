package coarse

import "versus2048/rules"

// outcome is a line after a slide towards one of its ends.
type outcome struct {
	line   rules.Board // the cells, four bits each
	merged int         // pairs of large tiles that merged
	made   int         // large tiles that were made of smaller ones
}

// lines has the outcomes of each line of a length, by the line's cells. A line with large neighbours has several
// outcomes. In the first one, all large tiles stay apart.
type lines struct {
	all   [1 << 16][]outcome
	apart [1 << 16]apart
}

// apart is the first outcome of a line in one word: the cells (bits 0 to 15), the number of large tiles that were
// made (from bit 16 on), and a 1 in bit 24 if there are other outcomes.
type apart uint32

func newApart(all []outcome) (a apart) {
	if len(all) > 1 {
		a = 1 << 24
	}
	return a | apart(all[0].line) | apart(all[0].made)<<16 // #nosec G115 -- a line makes at most two large tiles
}

// newLines returns the outcomes of slides to the first cell of a line, and of slides to the last one. A tile of
// exponent large stands for all large tiles.
func newLines(length, large int) (first, last *lines) {
	first, last = new(lines), new(lines)
	var fill func(i int, cells []int)
	fill = func(i int, cells []int) {
		if i < length {
			for k := range large + 1 {
				fill(i+1, append(cells, k))
			}
			return
		}
		tiles, line, mirrored := []int{}, 0, 0
		for i, k := range cells {
			line, mirrored = line|k<<(4*i), mirrored|k<<(4*(length-1-i))
			if k > 0 {
				tiles = append(tiles, k)
			}
		}
		slide(tiles, large, nil, outcome{}, func(after []int, o outcome) {
			far := o
			for i, k := range after {
				o.line |= rules.Board(k) << (4 * i)
				far.line |= rules.Board(k) << (4 * (length - 1 - i))
			}
			first.all[line], last.all[mirrored] = append(first.all[line], o), append(last.all[mirrored], far)
		})
		first.apart[line], last.apart[mirrored] = newApart(first.all[line]), newApart(last.all[mirrored])
	}
	fill(0, make([]int, 0, length))
	return first, last
}

// slide calls visit for each possible arrangement of the tiles of a line after a slide, the tile nearest the wall
// first: two large neighbours may merge or stay apart. after and o have the tiles that are settled already.
func slide(tiles []int, large int, after []int, o outcome, visit func([]int, outcome)) {
	switch {
	case len(tiles) == 0:
		visit(after, o)
	case len(tiles) == 1 || tiles[0] != tiles[1]:
		slide(tiles[1:], large, append(after, tiles[0]), o, visit)
	case tiles[0] == large:
		slide(tiles[1:], large, append(after, large), o, visit)
		o.merged++
		slide(tiles[2:], large, append(after, large), o, visit)
	default:
		if tiles[0]+1 == large {
			o.made++
		}
		slide(tiles[2:], large, append(after, tiles[0]+1), o, visit)
	}
}
