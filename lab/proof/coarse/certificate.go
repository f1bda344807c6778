package coarse

import (
	"bufio"
	"fmt"
	"io"

	"versus2048/lab/proof/layers"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// lineFormat is that of the first line of certificates and of states: the rules, the size, the smallest large tile,
// the one that the attacker prevents. docs/PROOFS.md has the format.
const lineFormat = "versus2048 coarse certificate 1 %v %v large %d prevents %d\n"

func (c Config) firstLine() string {
	return fmt.Sprintf(lineFormat, c.Rules, c.Size, 1<<c.Large, 1<<c.Tile)
}

// NewWriter begins the certificate of a proof on w. Prove has its layers: those with lost
// boards, by falling sums. The caller closes the Writer, and then w.
func NewWriter(w io.Writer, c Config) (*layers.Writer, error) {
	return layers.NewWriter(w, c.Size, c.firstLine())
}

// NewReader reads the first line of a certificate, and returns what is proven, with one
// thread. It returns a *certificate.FormatError for a file that has another first line.
// Whether the certificate is a proof is left to package check.
func NewReader(r io.Reader) (*layers.Reader, Config, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	line, err := certificate.FirstLine(in)
	if err != nil {
		return nil, Config{}, err
	}
	var ruleset, size string
	var large, tile int
	if n, _ := fmt.Sscanf(line, "versus2048 coarse certificate 1 %s %s large %d prevents %d\n", &ruleset, &size, &large, &tile); n < 4 {
		return nil, Config{}, &certificate.FormatError{Reason: fmt.Sprintf("its first line is %q", line)}
	}
	c := Config{Large: exponent(large), Tile: exponent(tile), Threads: 1}
	if c.Rules, err = rules.ParseRuleset(ruleset); err != nil {
		return nil, c, err
	}
	if c.Size, err = rules.ParseSize(size); err != nil {
		return nil, c, err
	}
	return layers.NewReader(in, c.Size, int64(len(line))), c, c.Validate()
}

// exponent returns k for 2^k, and 0 for another number.
func exponent(tile int) int {
	for k := 1; k <= MostTile; k++ {
		if tile == 1<<k {
			return k
		}
	}
	return 0
}
