package exact

import (
	"fmt"

	"versus2048/rules"
)

// game is what is solved: rules on a board of one size.
type game struct {
	rules rules.Ruleset
	size  rules.Size
}

// mostCells is how many cells a board may have to be solved.
const mostCells = 9

// Solvable returns an error for a board that is too large to be solved. The size
// that it tells is estimated from 3x3 in docs/analysis.md.
func Solvable(s rules.Size) error {
	if cells := s.Cells(); cells > mostCells {
		return fmt.Errorf("board size %v: its %d cells are too many to be solved, want at most %d: with 12 cells solo has "+
			"1152817492752 states before a slide (Yamashita 2023), some 5 TB as a table", s, cells, mostCells)
	}
	return nil
}

// tick is what a turn adds to a worth.
func (g game) tick() worth {
	if g.rules.Chance() {
		return 0
	}
	return tick
}

// largestTile is an upper bound of the exponents on the board: of n cells, each
// holds at most one tile of each size when the last 2 (or 4) is placed.
func (g game) largestTile() int {
	if g.rules.Fours() {
		return g.size.Cells() + 1
	}
	return g.size.Cells()
}

// largestSum is that of the largest tiles, each once.
func (g game) largestSum() int {
	if g.rules.Fours() {
		return 4<<g.size.Cells() - 4
	}
	return 2<<g.size.Cells() - 2
}

// LargestScore is the largest score that the board could hold under the rules,
// were both sides to play for it: at the end the tiles from 2 (or 4) up, each
// once. The last tile placed into each of them must have been a 4 where the
// smallest is a 4, for no cell was left to build it from 2s.
func LargestScore(r rules.Ruleset, s rules.Size) int {
	largest := game{r, s}.largestTile()
	score := (largest-2)<<(largest+1) + 4 // the sum of (k-1)*2^k
	if r.Fours() {
		score -= 4 * s.Cells()
	}
	return score
}

// key numbers the boards of one sum of tiles, in the order of Board: the cells
// as digits, without cell 0, which the sum decides.
func (g game) key(b rules.Board) uint32 {
	base, key := uint32(g.largestTile()+1), uint32(0)
	for y := int(g.size.Height) - 1; y >= 0; y-- {
		row := int(b >> (16 * y) & 0xFFFF)
		for x := int(g.size.Width) - 1; x >= 0; x-- {
			if x+y > 0 {
				key = key*base + uint32(row>>(4*x)&15)
			}
		}
	}
	return key
}

// tileSum is the sum of a board's tiles.
func tileSum(b rules.Board) int {
	sum := 0
	for ; b != 0; b >>= 4 {
		sum += 1 << (b & 15) &^ 1
	}
	return sum
}
