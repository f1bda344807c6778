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
	b, size := p.Board(), p.Size()
	return 2*p.Score() - rowDifferences(b, size.Width) - rowDifferences(b.Transpose(), size.Height)
}

// rowDifferences sums over the pairs within the rows of that many cells.
func rowDifferences(b rules.Board, cells uint8) int {
	t := differences[cells]
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}

// differences has the sum for each row, by the number of its cells, 2 to 4. It
// is computed once and never changes.
var differences = [...][]int32{2: newDifferences(2), 3: newDifferences(3), 4: newDifferences(4)}

func newDifferences(cells int) []int32 {
	t := make([]int32, 1<<(4*cells))
	for i := range t {
		row := rules.Board(i)
		for x := range cells - 1 {
			a, b := row.Exponent(x), row.Exponent(x+1)
			t[i] += int32(difference(1<<a&^1, 1<<b&^1))
		}
	}
	return t
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
