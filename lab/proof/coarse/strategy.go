package coarse

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"versus2048/lab/proof/layers"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// A Strategy has the placements by which the attacker keeps the claim of a certificate. It
// may be used concurrently.
type Strategy struct {
	config Config
	layers map[int]*layers.Set
	from   int // the sum from which it wins
}

// Begins reports whether what is to be read begins like a certificate from coarse boards.
func Begins(in *bufio.Reader) bool {
	begin, _, _ := strings.Cut(lineFormat, "1")
	have, _ := in.Peek(len(begin))
	return string(have) == begin
}

// ReadStrategy reads a certificate. It returns a *certificate.FormatError for one that is
// not whole and undamaged. Whether it proves its claim is left to package check.
func ReadStrategy(r io.Reader) (*Strategy, error) {
	in, c, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	s := &Strategy{config: c, layers: map[int]*layers.Set{}}
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, &certificate.FormatError{Reason: "it ends too early"}
		}
		if err != nil {
			return nil, err
		}
		s.layers[l.Sum] = layers.NewSet(l.Boards)
	}
	s.from = 1<<s.config.Tile - 2
	if len(s.layers) > 0 {
		s.from = min(s.from, slices.Min(slices.Collect(maps.Keys(s.layers)))-2)
	}
	return s, nil
}

// Header returns what the certificate claims.
func (s *Strategy) Header() certificate.Header {
	return certificate.Header{Rules: s.config.Rules, Size: s.config.Size, Claimant: rules.Attacker, Score: s.config.Bound() + 1}
}

// Bytes returns the memory that the boards take.
func (s *Strategy) Bytes() (n uint64) {
	for _, l := range s.layers {
		n += uint64(l.Bytes()) // #nosec G115 -- not negative
	}
	return n
}

// Move returns a placement that keeps the claim, and whether there is one. There is none
// for the defender, nor where the attacker has already lost; and before the tiles have the
// sum from which it wins every placement will do, but for the last one, which is a 2.
func (s *Strategy) Move(p rules.Position) (rules.Move, bool) {
	if p.SideToMove() != rules.Attacker || p.Rules() != s.config.Rules || p.Size() != s.config.Size || p.Sum() < s.from-2 {
		return 0, false
	}
	moves := p.AppendMoves(nil)
	for _, m := range moves {
		if p.Sum() == s.from-2 && !m.IsFour() || p.Sum() >= s.from && s.keeps(p.Next(m)) {
			return m, true
		}
	}
	return 0, false
}

// keeps reports whether no slide of the defender leads to a lost board.
func (s *Strategy) keeps(p rules.Position) bool {
	return !slices.ContainsFunc(p.AppendMoves(nil), func(m rules.Move) bool { return s.isLost(p.Next(m)) })
}

// isLost reports whether the large tiles of a position are worth too much, or its board is among the lost ones.
func (s *Strategy) isLost(p rules.Position) bool {
	worth := 0
	var b rules.Board
	for cell := range 16 {
		k := p.Exponent(cell)
		if k == 0 {
			continue
		}
		if k >= s.config.Large {
			worth += 1 << (k - s.config.Large)
		}
		b = b.With(cell, min(k, s.config.Large))
	}
	l := s.layers[p.Sum()]
	return worth > s.config.most() || l != nil && l.Has(b.Canonical(s.config.Size))
}
