package players

import "versus2048/rules"

// reading is how the evaluation of Oka, Matsuzaki and Haraguchi 2015 is read
// where the paper does not say what it means. The zero reading is the one that
// comes near its results (docs/adr/0007-evaluation.md).
type reading struct {
	empty emptyCell
	mate  int // what a mated position is worth less
}

// emptyCell is what an empty cell counts beside a tile.
type emptyCell uint8

const (
	emptyIsZero    emptyCell = iota // a tile of value 0
	emptyIsNothing                  // the pair is left out
)

var emptyReadings = []string{"zero", "nothing"}

// difference is |a-b| of two neighbours, 0 for an empty cell.
func (c emptyCell) difference(a, b int) int {
	if c == emptyIsNothing && (a == 0 || b == 0) {
		return 0
	}
	return max(a-b, b-a)
}

// evaluate is the paper's evaluation: twice the score minus the sum of |a-b|
// over all pairs of adjacent cells, a and b being the values of their tiles.
func evaluate(p rules.Position) int { return reading{}.evaluate(p) }

// evaluate is the evaluation as r reads it, whether p is mated or not.
func (r reading) evaluate(p rules.Position) int {
	if p.HasHuge() {
		return 2*p.Score() - r.empty.differences(p.Tiles())
	}
	e := newEvaluation(p.Size(), r)
	return e.of(p.Board()) + unearned(p)
}

// unearned is what evaluate counts beyond the tiles on the board: twice the
// score less twice the potential, -8 for each placed 4.
func unearned(p rules.Position) int { return 2 * (p.Score() - p.Board().Potential()) }

// evaluation evaluates boards of one size, without a 65536, by their lines.
type evaluation struct {
	rows, columns *lineTable
	mate          int
}

func newEvaluation(s rules.Size, r reading) evaluation {
	return evaluation{lines[s.Width][r.empty](), lines[s.Height][r.empty](), r.mate}
}

// of is the evaluation of b as if all its tiles had been merged from 2s.
func (e *evaluation) of(b rules.Board) int {
	return sum(e.rows.values, b) - sum(e.columns.differences, b.Transpose())
}

// slide is b after a slide, whose evaluation comes with little more effort.
// across must be b transposed.
func (e *evaluation) slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int) {
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

// differences sums over all pairs, whatever the tiles.
func (c emptyCell) differences(tiles [][]int) int {
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
