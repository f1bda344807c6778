package certificate

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"versus2048/rules"
)

// A Coarse claim says that the attacker can end every game on a board of this size before there is a tile of
// 2^Tile. It is proven on coarse boards, which do not distinguish tiles of 2^Large and more.
type Coarse struct {
	Rules rules.Ruleset // not solo, which has no attacker
	Size  rules.Size
	Large int // 3 to MostLarge
	Tile  int // more than Large, at most MostTile
}

// The largest exponents of a Coarse claim.
const (
	MostLarge = 8
	MostTile  = 18 // no tile can be larger than 2^17 = 131072
)

// leastLarge is the smallest Large: a placed tile is never large.
const leastLarge = 3

// Validate returns an error for a claim that makes no sense.
func (c Coarse) Validate() error {
	switch {
	case c.Rules.Chance():
		return fmt.Errorf("%v has no attacker: nothing can be proven, want gpcc2015 or gpcc2016", c.Rules)
	case c.Large < leastLarge || c.Large > MostLarge:
		return fmt.Errorf("large tiles from 2^%d: want 2^%d to 2^%d", c.Large, leastLarge, MostLarge)
	case c.Tile <= c.Large || c.Tile > MostTile:
		return fmt.Errorf("prevented tile 2^%d: want 2^%d to 2^%d", c.Tile, c.Large+1, MostTile)
	}
	return nil
}

// Bound returns an upper bound of the score, in points, for games that end as claimed. In these games the large tiles
// always sum up to less than 2^Tile. The large tiles then score most if there is one tile of each large size below
// 2^Tile. All other cells score most with the largest tile that is not large.
func (c Coarse) Bound() int {
	score := (c.Size.Cells() - (c.Tile - c.Large)) * potential(c.Large-1)
	for k := c.Large; k < c.Tile; k++ {
		score += potential(k)
	}
	return score
}

// potential returns the score of a tile of 2^k that was built from 2s.
func potential(k int) int { return (k - 1) << k }

// Most returns the largest sum of all large tiles together, in units of 2^Large.
func (c Coarse) Most() int { return 1<<(c.Tile-c.Large) - 1 }

// Header returns the claim about the score.
func (c Coarse) Header() Header {
	return Header{Rules: c.Rules, Size: c.Size, Claimant: rules.Attacker, Score: c.Bound() + 1}
}

// coarseLine is the format of the first line of certificates from coarse boards: the rules, the size, the smallest
// large tile, and the tile that the attacker prevents. docs/PROOFS.md describes the whole file.
const coarseLine = "versus2048 coarse certificate 1 %s %s large %d prevents %d\n"

// FirstLine returns the first line of the claim's certificate.
func (c Coarse) FirstLine() string {
	return fmt.Sprintf(coarseLine, c.Rules, c.Size, 1<<c.Large, 1<<c.Tile)
}

// IsCoarse reports whether a file begins like a certificate from coarse boards.
func IsCoarse(in *bufio.Reader) bool {
	want, _, _ := strings.Cut(coarseLine, "1")
	have, _ := in.Peek(len(want))
	return string(have) == want
}

// NewCoarseReader reads the first line of a certificate from coarse boards, and returns the claim and a reader
// of its layers, which list the lost boards. It returns a *FormatError for a first line of another form, and other
// errors for a claim that makes no sense. The checker decides whether the certificate is a proof.
func NewCoarseReader(r io.Reader) (*LayerReader, Coarse, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	line, err := FirstLine(in)
	if err != nil {
		return nil, Coarse{}, err
	}
	var ruleset, size string
	var large, tile int
	example := Coarse{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Large: 4, Tile: 8}
	other := &FormatError{Reason: fmt.Sprintf("its first line is %q: want one like %q", line, example.FirstLine())}
	if n, _ := fmt.Sscanf(line, coarseLine, &ruleset, &size, &large, &tile); n < 4 {
		return nil, Coarse{}, other
	}
	c := Coarse{Large: exponent(large), Tile: exponent(tile)}
	if c.Rules, err = rules.ParseRuleset(ruleset); err != nil {
		return nil, c, err
	}
	if c.Size, err = rules.ParseSize(size); err != nil {
		return nil, c, err
	}
	if err := c.Validate(); err != nil {
		return nil, c, err
	}
	if line != c.FirstLine() {
		return nil, c, other
	}
	return NewLayerReader(in, c.Size, int64(len(line))), c, nil
}

// exponent returns k for 2^k, and 0 for another number.
func exponent(tile int) int {
	if tile <= 0 || tile&(tile-1) != 0 {
		return 0
	}
	return bits.TrailingZeros(uint(tile))
}
