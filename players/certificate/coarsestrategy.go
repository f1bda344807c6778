package certificate

import (
	"errors"
	"io"
	"maps"
	"slices"

	"versus2048/rules"
)

// A CoarseStrategy has the attacker's placements that keep the claim of a certificate from coarse boards. It
// may be used concurrently.
type CoarseStrategy struct {
	claim  Coarse
	layers map[int]*BoardSet // the lost boards by their sums of tiles
	from   int               // below this sum of tiles no placed 2 loses, and below from-2 no placed 4 either
}

// ReadCoarseStrategy reads a certificate from coarse boards. It returns a *FormatError for an incomplete or damaged
// file, another error for a claim that makes no sense, and the error of r. The checker decides whether the certificate
// proves its claim.
func ReadCoarseStrategy(r io.Reader) (*CoarseStrategy, error) {
	in, c, err := NewCoarseReader(r)
	if err != nil {
		return nil, err
	}
	s := &CoarseStrategy{claim: c, layers: map[int]*BoardSet{}}
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, &FormatError{Reason: "it ends too early"}
		}
		if err != nil {
			return nil, err
		}
		s.layers[l.Sum] = NewBoardSet(l.Boards)
	}
	s.from = 1<<s.claim.Tile - 2
	if len(s.layers) > 0 {
		s.from = min(s.from, slices.Min(slices.Collect(maps.Keys(s.layers)))-2)
	}
	return s, nil
}

// Header returns the claim of the certificate.
func (s *CoarseStrategy) Header() Header { return s.claim.Header() }

// Bytes returns the memory of the boards.
func (s *CoarseStrategy) Bytes() (n uint64) {
	for _, l := range s.layers {
		n += uint64(l.Bytes()) // #nosec G115 -- not negative
	}
	return n
}

// Move returns a placement that keeps the claim, and reports whether it has chosen one. It chooses none for the
// defender, in a game of other rules or size, or if the attacker has already lost. Early in a game, while the sum of
// the tiles is below from-2, it chooses none because every placement keeps the claim. At from-2 it places a 2.
func (s *CoarseStrategy) Move(p rules.Position) (rules.Move, bool) {
	if p.SideToMove() != rules.Attacker || p.Rules() != s.claim.Rules || p.Size() != s.claim.Size || p.Sum() < s.from-2 {
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
func (s *CoarseStrategy) keeps(p rules.Position) bool {
	return !slices.ContainsFunc(p.AppendMoves(nil), func(m rules.Move) bool { return s.isLost(p.Next(m)) })
}

// isLost reports whether the sum of a position's large tiles is too large, or the certificate has its board.
func (s *CoarseStrategy) isLost(p rules.Position) bool {
	large := 0 // the sum of the large tiles, in units of 2^Large
	var b rules.Board
	for cell := range 16 {
		k := p.Exponent(cell)
		if k == 0 {
			continue
		}
		if k >= s.claim.Large {
			large += 1 << (k - s.claim.Large)
		}
		b = b.With(cell, min(k, s.claim.Large))
	}
	l := s.layers[p.Sum()]
	return large > s.claim.Most() || l != nil && l.Has(b.Canonical(s.claim.Size))
}
