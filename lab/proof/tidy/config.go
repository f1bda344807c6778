package tidy

import (
	"fmt"

	"versus2048/rules"
)

// Config sets the board of the claim, and the resources.
type Config struct {
	Size    rules.Size // 4 to MostCells cells
	Threads int        // number of goroutines that compute, at least 1; the result does not depend on it
	Memory  int64      // limit in bytes for a layer together with the candidate boards of the next; 0 for no limit
	State   string     // a file that keeps the layers, or "" for none: Prove continues after the layers in it
}

// MostCells is the number of cells of the largest board. A layer of 4x4 would not fit into memory.
const MostCells = 12

// Validate returns an error for settings that make no sense.
func (c Config) Validate() error {
	switch {
	case c.cells() < 4 || c.cells() > MostCells:
		return fmt.Errorf("tidy boards of %v: want 4 to %d cells", c.Size, MostCells)
	case c.Threads < 1:
		return fmt.Errorf("%d threads: want at least 1", c.Threads)
	}
	return nil
}

func (c Config) cells() int { return c.Size.Cells() }

// Score returns the largest score that the board allows under gpcc2015, which is the score of the chain.
func (c Config) Score() (score int) {
	for k := 2; k <= c.cells(); k++ {
		score += (k - 1) << k
	}
	return score
}

// top returns the sum of the tiles of the chain.
func (c Config) top() int { return 1<<(c.cells()+1) - 4 }

// firstLine begins the file of a state.
func (c Config) firstLine() string {
	return fmt.Sprintf("versus2048 tidy boards 1 gpcc2015 %v\n", c.Size)
}
