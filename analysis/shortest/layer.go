package shortest

import "versus2048/rules"

// layer holds the positions after some plies, each as its canonical board, in
// ascending order.
type layer struct {
	boards  []rules.Board
	parents []uint32 // for each the first position in the layer before that leads to it
	lines   []count  // how many lines lead to each; nil when they are no longer needed
}

// arrival is a way to a position.
type arrival struct {
	board  rules.Board // canonical
	parent uint32      // the position in the layer before that it comes from
	ways   uint32      // how many moves lead from there to an image of board
}

// gather is the layer that sorted arrivals make; the lines are those of their
// parents.
func gather(arrivals []arrival, lines []count) (l layer) {
	l.grow(distinct(arrivals))
	for _, a := range arrivals {
		l.add(a.board, a.parent, &lines[a.parent], uint64(a.ways))
	}
	return l
}

// distinct counts the boards of sorted arrivals.
func distinct(arrivals []arrival) (n int) {
	for i, a := range arrivals {
		if i == 0 || a.board != arrivals[i-1].board {
			n++
		}
	}
	return n
}

// merge is the layer of a and b together. Where they share a position, a has the
// first parent.
func merge(a, b layer) (l layer) {
	l.grow(len(a.boards) + len(b.boards))
	for i, j := 0, 0; i < len(a.boards) || j < len(b.boards); {
		if j == len(b.boards) || i < len(a.boards) && a.boards[i] <= b.boards[j] {
			l.add(a.boards[i], a.parents[i], &a.lines[i], 1)
			i++
		} else {
			l.add(b.boards[j], b.parents[j], &b.lines[j], 1)
			j++
		}
	}
	return l
}

// grow makes room for n positions in an empty layer.
func (l *layer) grow(n int) {
	l.boards, l.parents, l.lines = make([]rules.Board, 0, n), make([]uint32, 0, n), make([]count, 0, n)
}

// add adds times*lines to a position that is the last one or a new one behind it.
func (l *layer) add(b rules.Board, parent uint32, lines *count, times uint64) {
	last := len(l.boards) - 1
	if last < 0 || l.boards[last] != b {
		l.boards, l.parents, l.lines = append(l.boards, b), append(l.parents, parent), append(l.lines, count{})
		last++
	}
	l.lines[last].add(lines, times)
}

// total is the sum of all lines.
func (l *layer) total() *count {
	var sum count
	for i := range l.lines {
		sum.add(&l.lines[i], 1)
	}
	return &sum
}
