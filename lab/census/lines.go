package census

import (
	"math/big"
	"math/bits"

	"versus2048/rules"
)

// lineLayer holds the positions after some plies, each as its canonical board, in
// ascending order.
type lineLayer struct {
	boards  []rules.Board
	parents []uint32    // for each position the index of its first parent, in the layer before
	lines   []lineCount // number of lines to each position; nil when no longer needed
}

// merge returns the layer of a and b together. A position that is in both gets the
// parent that it has in a.
func merge(a, b lineLayer) (l lineLayer) {
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
func (l *lineLayer) grow(n int) {
	l.boards, l.parents, l.lines = make([]rules.Board, 0, n), make([]uint32, 0, n), make([]lineCount, 0, n)
}

// add adds times*lines to the count of a position. The position must be the last one of
// the layer, or come after the last one.
func (l *lineLayer) add(b rules.Board, parent uint32, lines *lineCount, times uint64) {
	last := len(l.boards) - 1
	if last < 0 || l.boards[last] != b {
		l.boards, l.parents, l.lines = append(l.boards, b), append(l.parents, parent), append(l.lines, lineCount{})
		last++
	}
	l.lines[last].add(lines, times)
}

// total returns the sum of all lines.
func (l *lineLayer) total() *lineCount {
	var sum lineCount
	for i := range l.lines {
		sum.add(&l.lines[i], 1)
	}
	return &sum
}

// lineCountBits is the size of a count. There are some 10^41 lines of 51 plies from the
// empty 4x4 board, more than 128 bits can count.
const lineCountBits = 256

// lineCount is a number of lines below 2^256, its lowest word first.
type lineCount [lineCountBits / 64]uint64

// add adds times*n. The sum must be below 2^256.
func (c *lineCount) add(n *lineCount, times uint64) {
	var carry uint64
	for i := range c {
		high, low := bits.Mul64(n[i], times)
		low, over := bits.Add64(low, carry, 0)
		c[i], carry = bits.Add64(c[i], low, 0)
		carry += high + over
	}
}

// big returns the count as a big.Int.
func (c *lineCount) big() *big.Int {
	n := new(big.Int)
	for i := range c {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c[len(c)-1-i]))
	}
	return n
}
