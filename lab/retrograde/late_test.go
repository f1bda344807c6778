package retrograde_test

import (
	"math/rand/v2"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// A full search agrees with the table in positions late in the game.
func TestLateMinimax(t *testing.T) {
	for _, test := range testkit.Shortened(t, []struct {
		rules rules.Ruleset
		size  string
		sums  [2]int // the smallest and the largest sum of the tiles at first
	}{
		{rules.GPCC2015, "4x2", [2]int{420, 510}},
		{rules.GPCC2015, "3x3", [2]int{900, 1022}},
		{rules.GPCC2016, "4x2", [2]int{920, 1020}},
		{rules.Solo, "4x2", [2]int{920, 1020}},
	}, 1) {
		t.Run(test.rules.String()+" "+test.size, func(t *testing.T) {
			solution, all := solve(t, test.rules, test.size), naive{}
			random := rand.New(rand.NewPCG(2048, 4))
			for i := 0; i < 20_000 && len(all) < 20_000; i++ {
				p, ok := late(test.rules, solution.Size(), test.sums, random)
				if _, err := solution.Value(p); ok && err == nil {
					all.value(p)
				}
			}
			if len(all) < 3000 {
				t.Errorf("only %d positions", len(all))
			}
			for _, want := range all {
				compare(t, solution.Table, all, want)
			}
		})
	}
}

// late returns a random position: the powers of two that make up a sum, some of them split in halves, on random cells.
// ok is false if the board cannot hold them.
func late(r rules.Ruleset, size rules.Size, sums [2]int, random *rand.Rand) (rules.Position, bool) {
	sum := sums[0] + 2*random.IntN((sums[1]-sums[0])/2+1)
	var tiles []int
	for tile := 2; tile <= sum; tile *= 2 {
		if sum&tile != 0 {
			tiles = append(tiles, tile)
		}
	}
	for cells := size.Cells() - random.IntN(2); len(tiles) < cells; {
		if i := random.IntN(len(tiles)); tiles[i] > 2 {
			tiles[i] /= 2
			tiles = append(tiles, tiles[i])
		}
	}
	if len(tiles) > size.Cells() {
		return rules.Position{}, false
	}
	cells, score := make([][]int, size.Height), 0
	for y := range cells {
		cells[y] = make([]int, size.Width)
	}
	for i, cell := range random.Perm(size.Cells())[:len(tiles)] {
		cells[cell/int(size.Width)][cell%int(size.Width)] = tiles[i]
		score += scored(tiles[i])
	}
	p, err := rules.PositionFrom(r, cells, rules.Side(random.IntN(2)), score, 0)
	return p, err == nil
}

// scored returns the points that a tile has scored if it was built from 2s.
func scored(tile int) int {
	score := 0
	for parts := 1; tile > 2; tile /= 2 {
		score += parts * tile
		parts *= 2
	}
	return score
}
