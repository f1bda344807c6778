package players

import "versus2048/rules"

// evaluate is the evaluation of Oka, Matsuzaki and Haraguchi 2015: twice the
// score minus the sum of |a-b| over all pairs of adjacent cells, a and b being
// the values of their tiles. The paper does not say what an empty cell counts;
// here it is a tile of value 0, the reading that comes near the paper's results
// (docs/adr/0007-evaluation.md).
func evaluate(p rules.Position) int {
	if p.HasHuge() {
		return 2*p.Score() - tileDifferences(p.Tiles())
	}
	e := newEvaluation(p.Size())
	return e.of(p.Board()) + unearned(p)
}

// unearned is what evaluate counts beyond the tiles on the board: twice the
// score less twice the potential, -8 for each placed 4.
func unearned(p rules.Position) int { return 2 * (p.Score() - p.Board().Potential()) }

// evaluation evaluates boards of one size, without a 65536, by their lines.
type evaluation struct{ rows, columns *lineTable }

func newEvaluation(s rules.Size) evaluation {
	return evaluation{lines[s.Width](), lines[s.Height]()}
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

// tileDifferences sums over all pairs, whatever the tiles.
func tileDifferences(tiles [][]int) int {
	sum := 0
	for y, row := range tiles {
		for x, tile := range row {
			if x > 0 {
				sum += difference(tile, row[x-1])
			}
			if y > 0 {
				sum += difference(tile, tiles[y-1][x])
			}
		}
	}
	return sum
}

// difference is |a-b|.
func difference(a, b int) int { return max(a-b, b-a) }
