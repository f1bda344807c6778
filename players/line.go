package players

import (
	"sync"

	"versus2048/rules"
)

// lineTable answers for every line of so many cells, by the bits of its tiles:
// a row, or a column as a row of the transposed board.
type lineTable struct {
	toFirst, toLast []slidLine // after a slide towards the first cell, or the last
	values          []int32    // twice the potential, minus the differences
	differences     []int32    // the sum of |a-b| over its pairs of neighbours
}

// slidLine is a line after a slide in its low 16 bits, and above them what
// lineTable.values has for it.
type slidLine int64

// lines are the tables by the number of cells, 2 to 4, and by what an empty
// cell counts, each computed when it is first asked for.
var lines = [...][2]func() *lineTable{2: lineTables(2), 3: lineTables(3), 4: lineTables(4)}

func lineTables(cells uint8) (byEmpty [2]func() *lineTable) {
	for _, empty := range []emptyCell{emptyIsZero, emptyIsNothing} {
		byEmpty[empty] = sync.OnceValue(func() *lineTable { return newLineTable(cells, empty) })
	}
	return byEmpty
}

func newLineTable(cells uint8, empty emptyCell) *lineTable {
	n := 1 << (4 * cells)
	t := &lineTable{make([]slidLine, n), make([]slidLine, n), make([]int32, n), make([]int32, n)}
	for i := range n {
		t.differences[i] = lineDifferences(rules.Board(i), int(cells), empty)
		t.values[i] = 2*int32(rules.Board(i).Potential()) - t.differences[i]
	}
	row := rules.Size{Width: cells, Height: 2}
	for i := range n {
		t.toFirst[i] = t.slid(rules.Board(i).Slide(row, rules.West))
		t.toLast[i] = t.slid(rules.Board(i).Slide(row, rules.East))
	}
	return t
}

func lineDifferences(line rules.Board, cells int, empty emptyCell) (sum int32) {
	for x := range cells - 1 {
		a, b := line.Exponent(x), line.Exponent(x+1)
		sum += int32(empty.difference(1<<a&^1, 1<<b&^1))
	}
	return sum
}

func (t *lineTable) slid(line rules.Board) slidLine {
	return slidLine(t.values[line])<<16 | slidLine(line)
}

// slide slides all four lines of b, and sums the values of what they become.
func slide(t []slidLine, b rules.Board) (slid rules.Board, value int) {
	e0, e1, e2, e3 := t[b&0xFFFF], t[b>>16&0xFFFF], t[b>>32&0xFFFF], t[b>>48]
	slid = rules.Board(e0&0xFFFF | e1&0xFFFF<<16 | e2&0xFFFF<<32 | e3<<48)
	return slid, int(e0>>16 + e1>>16 + e2>>16 + e3>>16)
}

// sum adds what t has for the four lines of b.
func sum(t []int32, b rules.Board) int {
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}
