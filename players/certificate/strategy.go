package certificate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"versus2048/rules"
)

// A Strategy has the moves by which the claimant reaches the claim of a certificate, whatever the other side plays.
// It may be used concurrently.
type Strategy struct {
	header  Header
	entries []entry // in the order of their boards
}

// An entry is a covered position in memory.
type entry struct {
	board rules.Board
	gain  int32
	move  rules.Move
}

// ReadStrategy reads a certificate. It returns a *FormatError for an incomplete or damaged file, and the error of r.
// It does not check whether the certificate proves its claim: package check does.
func ReadStrategy(r io.Reader) (*Strategy, error) {
	in, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	s := &Strategy{header: in.Header()}
	for {
		c, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if c.Gain < Unit || c.Gain > MostScore {
			return nil, &FormatError{fmt.Sprintf("board %x has a gain of %d: want %d to %d", uint64(c.Board), c.Gain, Unit, MostScore)}
		}
		s.entries = append(s.entries, entry{c.Board, int32(c.Gain), c.Move})
	}
	slices.SortFunc(s.entries, func(a, b entry) int { return cmp.Compare(a.board, b.board) })
	return s, nil
}

// Header returns the claim of the certificate.
func (s *Strategy) Header() Header { return s.header }

// Bytes returns the number of bytes of the positions in memory.
func (s *Strategy) Bytes() uint64 { return uint64(len(s.entries)) * uint64(unsafe.Sizeof(entry{})) }

// Move returns a move of the claimant that keeps the claim, and whether the certificate has one. It has none for the
// other side, for another game, for a position with a 65536, and once the defender has the score. Otherwise it has one
// if it covers p, or the position after a slide, for the points that the defender still misses.
func (s *Strategy) Move(p rules.Position) (rules.Move, bool) {
	missing := s.header.goal()*Unit - p.Score()
	ours := p.SideToMove() == s.header.Claimant && p.Rules() == s.header.Rules && p.Size() == s.header.Size
	switch {
	case !ours || missing <= 0 || p.HasHuge():
		return 0, false
	case s.header.Claimant == rules.Attacker:
		return s.placement(p, missing)
	}
	return s.slide(p, missing)
}

// placement returns the certificate's placement, mapped by a symmetry to the board of p. The bool is false if p is not
// covered for the missing points.
func (s *Strategy) placement(p rules.Position, missing int) (rules.Move, bool) {
	e, ok := s.find(p.Board().Canonical(p.Size()))
	if !ok || int(e.gain) > missing {
		return 0, false
	}
	want := placed(e.board, e.move).Canonical(p.Size())
	for _, m := range p.AppendMoves(nil) {
		if placed(p.Board(), m).Canonical(p.Size()) == want {
			return m, true
		}
	}
	return 0, false
}

func placed(b rules.Board, m rules.Move) rules.Board {
	if m.IsFour() {
		return b.With(m.Cell(), 2)
	}
	return b.With(m.Cell(), 1)
}

// slide returns the first slide that gains all the missing points, or that leads to a position that is covered for
// the rest of them.
func (s *Strategy) slide(p rules.Position, missing int) (rules.Move, bool) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		rest := missing - (next.Score() - p.Score())
		if rest <= 0 {
			return m, true
		}
		if e, ok := s.find(next.Board().Canonical(p.Size())); ok && !next.HasHuge() && int(e.gain) >= rest {
			return m, true
		}
	}
	return 0, false
}

func (s *Strategy) find(b rules.Board) (entry, bool) {
	i, ok := slices.BinarySearchFunc(s.entries, b, func(e entry, b rules.Board) int { return cmp.Compare(e.board, b) })
	if !ok {
		return entry{}, false
	}
	return s.entries[i], true
}
