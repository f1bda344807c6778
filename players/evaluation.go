package players

import "versus2048/rules"

// evaluate is the evaluation of Oka, Matsuzaki and Haraguchi 2015: twice the
// score minus the sum of |a-b| over all pairs of adjacent tiles a and b, by
// their values; an empty cell makes no pair.
func evaluate(p rules.Position) int {
	if p.HasHuge() {
		return 2*p.Score() - tileDifferences(p.Tiles())
	}
	b := p.Board()
	return 2*p.Score() - rowDifferences(b) - rowDifferences(b.Transpose())
}

// rowDifferences sums over the pairs within the rows.
func rowDifferences(b rules.Board) int {
	t := differences
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}

// differences has the sum for each row of four cells. It is computed once and
// never changes.
var differences = newDifferences()

func newDifferences() *[1 << 16]int32 {
	t := new([1 << 16]int32)
	for i := range t {
		row := rules.Board(i)
		for x := range 3 {
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

// difference is |a-b|, and 0 if either is an empty cell.
func difference(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return max(a-b, b-a)
}
