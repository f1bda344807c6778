package evaluation

import (
	"math"
	"math/bits"
	"sync"

	"versus2048/rules"
)

// Ov3y is the evaluation of ov3y's 2048-AI, as an article of 2016 describes it, for boards of one size:
//
//	0.1 smoothness + 1.0 monotonicity + 2.7 ln(empty cells) + 1.0 log2(largest tile)
//
// Smoothness is minus the sum of the differences in log2 between each tile and its nearest tiles to the right
// and below. Monotonicity is, for all rows together, minus the sum of the steps in log2 in the wrong direction:
// falling or rising, whichever makes the sum smaller. The same is added for all columns. Monotonicity skips the
// empty cells inside a line, but counts an empty cell at the start or the end as 0.
//
// Values are in thousandths. High values are good for the defender.
type Ov3y struct {
	size          rules.Size
	rows, columns []ov3yLine
}

// NewOv3y returns the evaluation for boards of the given size. The first call for a size computes its tables.
func NewOv3y(s rules.Size) *Ov3y {
	return &Ov3y{size: s, rows: ov3yLines[s.Width](), columns: ov3yLines[s.Height]()}
}

// The weights of the evaluation, in thousandths.
const (
	smoothnessWeight   = 100
	monotonicityWeight = 1000
	emptyWeight        = 2700
	largestWeight      = 1000
)

// noEmptyCell is used instead of ln(0), which is minus infinity. No board after a slide is full.
const noEmptyCell = -10_000_000

// Of evaluates b in thousandths.
func (e *Ov3y) Of(b rules.Board) int {
	rows, mostInRow := sumOv3y(e.rows, b)
	columns, _ := sumOv3y(e.columns, b.Transpose())
	return emptyTerm[b.EmptyCells(e.size)] +
		largestWeight*mostInRow.largest() -
		smoothnessWeight*(rows.differences()+columns.differences()) -
		monotonicityWeight*(min(rows.falls(), rows.rises())+min(columns.falls(), columns.rises()))
}

// Annoyance rates a board after a placement: the number of islands, which are connected groups of equal tiles,
// minus the smoothness. The search of ov3y considers only the placements with the highest rating.
func (e *Ov3y) Annoyance(b rules.Board) int {
	rows, _ := sumOv3y(e.rows, b)
	columns, _ := sumOv3y(e.columns, b.Transpose())
	return islands(b) + rows.differences() + columns.differences()
}

// emptyTerm has the term of the evaluation for each number of empty cells.
var emptyTerm = newEmptyTerm()

func newEmptyTerm() (terms [17]int) {
	terms[0] = noEmptyCell
	for n := 1; n < len(terms); n++ {
		terms[n] = int(math.Round(emptyWeight * math.Log(float64(n))))
	}
	return terms
}

// islands counts the connected groups of equal tiles. Most tiles have no equal neighbour, so it follows only
// the others.
func islands(b rules.Board) int {
	const lastColumn, lastRow = 0x1000_1000_1000_1000, 0x1111_0000_0000_0000
	tiles := occupied(b)
	right := tiles &^ occupied(b^b>>4) &^ lastColumn // tiles that equal their right neighbour
	down := tiles &^ occupied(b^b>>16) &^ lastRow
	paired := right | right<<4 | down | down<<16
	n := bits.OnesCount64(tiles &^ paired)
	for ; paired != 0; n++ {
		island, last := paired&-paired, uint64(0)
		for island != last {
			last = island
			island |= (last&right)<<4 | last>>4&right | (last&down)<<16 | last>>16&down
		}
		paired &^= island
	}
	return n
}

// occupied returns the cells that have a tile as a mask: bit 4i is set for cell i.
func occupied(b rules.Board) uint64 {
	b |= b >> 1
	b |= b >> 2
	return uint64(b) & 0x1111_1111_1111_1111
}

// ov3yLine has Ov3y's data of a line in four numbers of eight bits, so that one addition adds all of them. From
// the lowest bits they are: the sum of the differences between successive tiles, the sum of the steps down from
// the first cell to the last, the sum of the steps up, and the largest exponent.
type ov3yLine uint32

func (l ov3yLine) differences() int { return int(l & 0xFF) }
func (l ov3yLine) falls() int       { return int(l >> 8 & 0xFF) }
func (l ov3yLine) rises() int       { return int(l >> 16 & 0xFF) }
func (l ov3yLine) largest() int     { return int(l >> 24) }

// sumOv3y adds up the entries of t for the four lines of b. It also returns the entry of the line with the largest
// exponent of the board.
func sumOv3y(t []ov3yLine, b rules.Board) (sum, largest ov3yLine) {
	l0, l1, l2, l3 := t[b&0xFFFF], t[b>>16&0xFFFF], t[b>>32&0xFFFF], t[b>>48]
	return l0 + l1 + l2 + l3, max(l0, l1, l2, l3)
}

// ov3yLines holds the entries of all lines of 2, 3 or 4 cells, indexed by the bits of their tiles. Each table
// is computed on first use.
var ov3yLines = [...]func() []ov3yLine{2: newOv3yLines(2), 3: newOv3yLines(3), 4: newOv3yLines(4)}

func newOv3yLines(cells int) func() []ov3yLine {
	return sync.OnceValue(func() []ov3yLine {
		lines := make([]ov3yLine, 1<<(4*cells))
		for i := range lines {
			lines[i] = newOv3yLine(rules.Board(i), cells)
		}
		return lines
	})
}

func newOv3yLine(line rules.Board, cells int) ov3yLine {
	differences, falls, rises := 0, 0, 0
	last := line.Exponent(0) // of the cells that count: the tiles, and the cells at both ends
	largest := last
	for x := 1; x < cells; x++ {
		next := line.Exponent(x)
		if next == 0 && x < cells-1 {
			continue
		}
		falls, rises = falls+max(0, last-next), rises+max(0, next-last)
		if last > 0 && next > 0 {
			differences += max(last-next, next-last)
		}
		last, largest = next, max(largest, next)
	}
	return ov3yLine(differences | falls<<8 | rises<<16 | largest<<24)
}
