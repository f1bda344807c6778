package coarse

import (
	"fmt"
	"io"

	"versus2048/players/certificate"
	"versus2048/rules"
)

// Config describes the proof that the attacker can end the game, on a board of Size, before there is a tile of 2^Tile.
type Config struct {
	Rules rules.Ruleset // not solo, which has no attacker
	Size  rules.Size
	// Large is the exponent of the smallest large tile, 3 to certificate.MostLarge. All tiles of 2^Large and more
	// count as the same. A larger exponent proves more, and takes longer.
	Large   int
	Tile    int // more than Large, at most certificate.MostTile
	Threads int // number of goroutines that compute, at least 1; the result does not depend on it

	// Memory is the limit in bytes for the undecided boards of a layer together with the lost ones of the two layers
	// above; 0 is no limit.
	Memory int64
	State  string // a file that keeps the layers, or "" for none: Prove continues after the layers in it
}

// Claim returns the claim that Prove proves.
func (c Config) Claim() certificate.Coarse {
	return certificate.Coarse{Rules: c.Rules, Size: c.Size, Large: c.Large, Tile: c.Tile}
}

// Validate returns an error for settings that make no sense.
func (c Config) Validate() error {
	if err := c.Claim().Validate(); err != nil {
		return err
	}
	if c.Threads < 1 {
		return fmt.Errorf("%d threads: want at least 1", c.Threads)
	}
	return nil
}

// Bound returns an upper bound of the score, in points, for games that end as the proof says.
func (c Config) Bound() int { return c.Claim().Bound() }

// NewWriter begins the certificate of a proof on w. Prove calls found with the layers to
// be written. The caller closes the LayerWriter, and then w.
func NewWriter(w io.Writer, c Config) (*certificate.LayerWriter, error) {
	return certificate.NewLayerWriter(w, c.Size, c.firstLine())
}

func (c Config) firstLine() string { return c.Claim().FirstLine() }

// ForScore returns c with the largest Tile that proves a score below the limit. It
// returns an error if no Tile does, and for settings that make no sense.
func (c Config) ForScore(below int) (Config, error) {
	c.Tile = c.Large + 1
	if err := c.Validate(); err != nil {
		return c, err // Bound panics on a wrong Large
	}
	for tile := min(certificate.MostTile, c.Large+c.cells()); tile > c.Large; tile-- {
		if c.Tile = tile; c.Bound() < below {
			return c, nil
		}
	}
	return c, fmt.Errorf("below %d points: with large tiles from 2^%d on %v no limit below %d can be proven", below, c.Large, c.Size, c.Bound()+1)
}

// most is the largest worth that the large tiles may have together, in units of 2^Large.
func (c Config) most() int { return c.Claim().Most() }

func (c Config) cells() int { return c.Size.Cells() }
