package evaluation

import (
	"sync"

	"versus2048/rules"
)

// Variant selects the details of the evaluation by Oka et al. that their paper leaves open. The zero Variant comes
// closest to the paper's results (docs/adr/0007-evaluation.md).
type Variant struct {
	Empty EmptyCell
	// Mate is subtracted from the value of a mated position, 0 to MaxMate. Position, Board and Evaluator do not
	// subtract it, but a search does when it knows that a position is mated.
	Mate int
}

// MaxMate is larger than any evaluation. As Variant.Mate it makes mate worse than anything else.
const MaxMate = 10_000_000

// EmptyCell selects the value of an empty cell beside a tile.
type EmptyCell uint8

// The ways to count an empty cell.
const (
	EmptyIsZero    EmptyCell = iota // as a tile of value 0
	EmptyIsNothing                  // not at all: the pair is left out
)

// String returns "zero" or "nothing".
func (c EmptyCell) String() string { return [...]string{"zero", "nothing"}[c] }

// difference returns |a-b| of two neighbours, where 0 is an empty cell.
func (c EmptyCell) difference(a, b int) int {
	if c == EmptyIsNothing && (a == 0 || b == 0) {
		return 0
	}
	return max(a-b, b-a)
}

// Position evaluates p, whether it is mated or not.
func (v Variant) Position(p rules.Position) int {
	if p.HasHuge() {
		return 2*p.Score() - v.Empty.differences(p.Tiles())
	}
	return v.Board(p.Board(), p.Size(), p.Score())
}

// Board evaluates a board without a 65536 in a game with the given score.
func (v Variant) Board(b rules.Board, size rules.Size, score int) int {
	e := New(size, v)
	return e.Of(b) + 2*(score-b.Potential())
}

// differences returns the sum over all pairs of neighbours, for any tiles.
func (c EmptyCell) differences(tiles [][]int) int {
	sum := 0
	for y, row := range tiles {
		for x, tile := range row {
			if x > 0 {
				sum += c.difference(tile, row[x-1])
			}
			if y > 0 {
				sum += c.difference(tile, tiles[y-1][x])
			}
		}
	}
	return sum
}

// Evaluator evaluates boards of one size without a 65536, line by line.
type Evaluator struct {
	variant       Variant
	rows, columns *lineTable
}

// New returns an Evaluator for boards of the given size. The first call for a size computes its tables.
func New(s rules.Size, v Variant) *Evaluator {
	return &Evaluator{variant: v, rows: lines[s.Width][v.Empty](), columns: lines[s.Height][v.Empty]()}
}

// PointValue returns 2, the value of each point of the score.
func (*Evaluator) PointValue() int { return 2 }

// Position evaluates any position of the size.
func (e *Evaluator) Position(p rules.Position) int { return e.variant.Position(p) }

// Of evaluates b as if all its tiles had been merged from 2s. searching.Surplus returns the difference to the value
// of a position.
func (e *Evaluator) Of(b rules.Board) int {
	return sum(e.rows.values, b) - sum(e.columns.differences, b.Transpose())
}

// Slide returns b after a slide and the evaluation of the result. It takes little longer than the
// slide alone. across must be b transposed.
func (e *Evaluator) Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int) {
	switch m {
	case rules.North:
		across, value = slide(e.columns.toFirst, across)
	case rules.South:
		across, value = slide(e.columns.toLast, across)
	case rules.West:
		slid, value = slide(e.rows.toFirst, b)
		return slid, value - sum(e.columns.differences, slid.Transpose())
	default:
		slid, value = slide(e.rows.toLast, b)
		return slid, value - sum(e.columns.differences, slid.Transpose())
	}
	slid = across.Transpose()
	return slid, value - sum(e.rows.differences, slid)
}

// lineTable holds the values of all lines of one number of cells, indexed by the bits of their tiles. A line is a row,
// or a column as a row of the transposed board.
type lineTable struct {
	toFirst, toLast []slidLine // after a slide towards the first cell, or the last
	values          []int32    // twice the potential, minus the differences
	differences     []int32    // the sum of |a-b| over the pairs of neighbours
}

// slidLine holds a line after a slide in its low 16 bits, and the value of that line (see lineTable.values) above
// them.
type slidLine int64

// lines holds the tables by number of cells and by EmptyCell. Each is computed on first use.
var lines = [...][2]func() *lineTable{2: lineTables(2), 3: lineTables(3), 4: lineTables(4)}

func lineTables(cells uint8) (byEmpty [2]func() *lineTable) {
	for _, empty := range []EmptyCell{EmptyIsZero, EmptyIsNothing} {
		byEmpty[empty] = sync.OnceValue(func() *lineTable { return newLineTable(cells, empty) })
	}
	return byEmpty
}

func newLineTable(cells uint8, empty EmptyCell) *lineTable {
	n := 1 << (4 * cells)
	t := &lineTable{make([]slidLine, n), make([]slidLine, n), make([]int32, n), make([]int32, n)}
	for i := range n {
		t.differences[i] = lineDifferences(rules.Board(i), int(cells), empty)
		t.values[i] = 2*int32(rules.Board(i).Potential()) - t.differences[i]
	}
	row := rules.Size{Width: cells, Height: 2}
	for i := range n {
		t.toFirst[i] = t.withValue(rules.Board(i).Slide(row, rules.West))
		t.toLast[i] = t.withValue(rules.Board(i).Slide(row, rules.East))
	}
	return t
}

func lineDifferences(line rules.Board, cells int, empty EmptyCell) (sum int32) {
	for x := range cells - 1 {
		a, b := line.Exponent(x), line.Exponent(x+1)
		sum += int32(empty.difference(1<<a&^1, 1<<b&^1))
	}
	return sum
}

func (t *lineTable) withValue(line rules.Board) slidLine {
	return slidLine(t.values[line])<<16 | slidLine(line)
}

// slide slides all four lines of b and returns the sum of the values of the slid lines.
func slide(t []slidLine, b rules.Board) (slid rules.Board, value int) {
	e0, e1, e2, e3 := t[b&0xFFFF], t[b>>16&0xFFFF], t[b>>32&0xFFFF], t[b>>48]
	slid = rules.Board(e0&0xFFFF | e1&0xFFFF<<16 | e2&0xFFFF<<32 | e3<<48)
	return slid, int(e0>>16 + e1>>16 + e2>>16 + e3>>16)
}

// sum adds up the entries of t for the four lines of b.
func sum(t []int32, b rules.Board) int {
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}
