package exact

import (
	"fmt"

	"versus2048/rules"
)

// Game is a game to solve: a rule set on a board of one size.
type Game struct {
	Rules rules.Ruleset
	Size  rules.Size
}

// mostCells is the largest number of cells of a board that can be solved.
const mostCells = 9

// Solvable returns an error for a board that is too large to be solved, with an estimate of the table for 12 cells.
// docs/notes/2026-11-29-analysis.md extrapolates it from 3x3.
func Solvable(s rules.Size) error {
	if cells := s.Cells(); cells > mostCells {
		return fmt.Errorf("board size %v: its %d cells are too many to be solved, want at most %d: with 12 cells solo has "+
			"1152817492752 states before a slide (Yamashita 2023), some 5 TB as a table", s, cells, mostCells)
	}
	return nil
}

// LargestScore returns the largest score that is possible on the board if both sides play for it. In the end
// there is one tile of each size from 2 (or 4) up. If the smallest is a 4, then for each tile the last placement
// that went into it was a 4, because no cell was left to build this 4 from 2s.
func LargestScore(r rules.Ruleset, s rules.Size) int {
	largest := Game{r, s}.largestTile()
	score := (largest-2)<<(largest+1) + 4 // the sum of (k-1)*2^k
	if r.Fours() {
		score -= 4 * s.Cells()
	}
	return score
}

// Tick returns the amount that each turn adds to a worth: 0 under solo, where turns do not count.
func (g Game) Tick() Worth {
	if g.Rules.Chance() {
		return 0
	}
	return tick
}

// largestTile returns an upper bound of the exponents on the board. When the last 2 (or 4) that goes into the largest
// tile is placed, the rest of that tile takes at least one cell for each smaller size.
func (g Game) largestTile() int {
	if g.Rules.Fours() {
		return g.Size.Cells() + 1
	}
	return g.Size.Cells()
}

// LargestSum returns an upper bound of the sum of tiles: the sum of one tile of each size.
func (g Game) LargestSum() int {
	if g.Rules.Fours() {
		return 4<<g.Size.Cells() - 4
	}
	return 2<<g.Size.Cells() - 2
}

// key numbers the boards of one sum of tiles, in the order of Board. The cells are the digits of the key,
// without cell 0, which follows from the sum.
func (g Game) key(b rules.Board) uint32 {
	base, key := uint32(g.largestTile()+1), uint32(0)
	for y := int(g.Size.Height) - 1; y >= 0; y-- {
		row := int(b >> (16 * y) & 0xFFFF)
		for x := int(g.Size.Width) - 1; x >= 0; x-- {
			if x+y > 0 {
				key = key*base + uint32(row>>(4*x)&15)
			}
		}
	}
	return key
}
