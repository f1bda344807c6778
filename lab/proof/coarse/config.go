package coarse

import (
	"fmt"

	"versus2048/rules"
)

// Config says what is to be proven: that the attacker can end the game, on a board of that
// size, before there is a tile of 2^Tile.
type Config struct {
	Rules   rules.Ruleset // not solo, which has no attacker
	Size    rules.Size
	Large   int // tiles of 2^Large and more are told apart no more, 3 to MostLarge; a larger one proves more, and takes longer
	Tile    int // more than Large, at most MostTile
	Threads int // how many goroutines compute, at least 1; the result does not depend on it

	Memory int64  // bytes that the lost boards of three layers may take, and those to be decided with the lost ones of two; or 0 for no limit
	State  string // a file that keeps the layers, or "" for none: Prove continues after those that it has
}

// The largest exponents of a Config.
const (
	MostLarge = 8
	MostTile  = 18 // no board holds more than a 131072
)

// leastLarge is the smallest Large: what the attacker places is not large.
const leastLarge = 3

// Validate returns an error for settings that make no sense.
func (c Config) Validate() error {
	switch {
	case c.Rules.Chance():
		return fmt.Errorf("%v has no attacker: nothing can be proven, want gpcc2015 or gpcc2016", c.Rules)
	case c.Large < leastLarge || c.Large > MostLarge:
		return fmt.Errorf("large tiles from 2^%d: want 2^%d to 2^%d", c.Large, leastLarge, MostLarge)
	case c.Tile <= c.Large || c.Tile > MostTile:
		return fmt.Errorf("a tile of 2^%d: want 2^%d to 2^%d", c.Tile, c.Large+1, MostTile)
	case c.Threads < 1:
		return fmt.Errorf("%d threads: want at least 1", c.Threads)
	}
	return nil
}

// Bound returns the largest score that is possible without a tile of 2^Tile, in points.
// The large tiles are worth less than 2^Tile together, as the game ends before they are
// worth more, and score most as one tile of each size; all other cells hold the largest
// tile that is not large.
func (c Config) Bound() int {
	score := (c.cells() - (c.Tile - c.Large)) * potential(c.Large-1)
	for k := c.Large; k < c.Tile; k++ {
		score += potential(k)
	}
	return score
}

// ForScore returns the settings that prove a score below a limit, with the largest Tile
// that does. It returns an error if there is none, and for settings that make no sense.
func (c Config) ForScore(below int) (Config, error) {
	c.Tile = c.Large + 1
	if err := c.Validate(); err != nil {
		return c, err // Bound panics on a wrong Large
	}
	for tile := min(MostTile, c.Large+c.cells()); tile > c.Large; tile-- {
		if c.Tile = tile; c.Bound() < below {
			return c, nil
		}
	}
	return c, fmt.Errorf("below %d points: with large tiles from 2^%d on %v no limit below %d can be proven", below, c.Large, c.Size, c.Bound()+1)
}

// most is how much the large tiles may be worth together, in units of 2^Large.
func (c Config) most() int { return 1<<(c.Tile-c.Large) - 1 }

func (c Config) cells() int { return int(c.Size.Width) * int(c.Size.Height) }

// potential returns what a tile of 2^k has scored if it was built from 2s.
func potential(k int) int { return (k - 1) << k }
