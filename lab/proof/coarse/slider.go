package coarse

import (
	"math/bits"

	"versus2048/players/certificate"
	"versus2048/rules"
)

// placement is a tile of exponent kind on a cell.
type placement struct{ cell, kind int }

// slider slides boards of a layer, after placements. It first tries the placements and slides that decided earlier
// boards, since successive boards are often much the same.
type slider struct {
	*layer
	wanted  [3]*certificate.BoardSet // by the kind of the placement: the boards that the defender wants to reach
	winner  placement                // the placement that won last
	answers [16][3]int               // by the placement: its last answer, as 2*axis, plus 1 for a slide to the last cells

	// The following fields belong to one board.
	merges int // the number of pairs of large tiles that can merge
	room   int // the most large tiles that a slide can make without making all large tiles worth too much

	// The following fields belong to one slide.
	*axis
	from  rules.Board // transposed for slides along columns
	lines *lines
	to    *certificate.BoardSet // the boards that the defender wants to reach
}

// holds reports whether the attacker has a placement after which no slide brings the defender closer to its tile.
func (s *slider) holds(b rules.Board) bool {
	large, small := tilesOf(b, s.config.Large)
	c := s.class(large, small, s.sum)
	s.merges, s.room = c.spare(), s.config.most()-c.worth
	empty, last := b.Empty(s.config.Size), s.winner
	if last.kind > 0 && empty>>(4*last.cell)&1 == 1 && !s.answer(b, last) {
		return true
	}
	for cells := empty; cells != 0; cells &= cells - 1 {
		for kind := 1; kind <= s.kinds; kind++ {
			p := placement{bits.TrailingZeros64(cells) / 4, kind}
			if p != last && !s.answer(b, p) {
				s.winner = p
				return true
			}
		}
	}
	return false
}

// answer reports whether the defender has an answer to a placement: a slide to a board that it wants, or a slide that
// makes the large tiles worth too much. It begins with the slide that was the last answer to the placement.
func (s *slider) answer(b rules.Board, p placement) bool {
	b, s.to = b.With(p.cell, p.kind), s.wanted[p.kind]
	likely := &s.answers[p.cell][p.kind]
	for i := range 4 {
		slide := (*likely + i) % 4
		s.axis, s.from = s.axes[slide/2], b
		if s.transposed {
			s.from = b.Transpose()
		}
		if s.lines = s.axis.first; slide%2 == 1 {
			s.lines = s.axis.last
		}
		if s.succeeds() {
			*likely = slide
			return true
		}
	}
	return false
}

// succeeds reports whether the slide leads to a wanted board, or makes the large tiles worth too much. Most often the
// slide has one outcome, where all large tiles stay apart.
func (s *slider) succeeds() bool {
	var to rules.Board
	var rest apart
	for line := range s.count {
		a := s.lines.apart[uint16(s.from>>(16*line))] // #nosec G115 -- one line of the board
		to |= rules.Board(a&0xFFFF) << (16 * line)
		rest += a >> 16
	}
	if s.reached(to, int(rest&0xFF)) {
		return true
	}
	return rest>>8 > 0 && s.merges > 0 && s.merging(0, 0, 0, 0)
}

// merging is succeeds for the outcomes where large tiles merge. It tries each outcome of each line from line on. to,
// merged and made sum up the outcomes chosen for the lines before.
func (s *slider) merging(line int, to rules.Board, merged, made int) bool {
	switch {
	case merged > s.merges:
		return false
	case line == s.count:
		return merged > 0 && s.reached(to, made)
	}
	for _, o := range s.lines.all[uint16(s.from>>(16*line))] { // #nosec G115 -- one line of the board
		if s.merging(line+1, to|o.line<<(16*line), merged+o.merged, made+o.made) {
			return true
		}
	}
	return false
}

// reached reports whether an outcome of the slide is a wanted board, or makes the large tiles worth too much.
func (s *slider) reached(to rules.Board, made int) bool {
	switch {
	case to == s.from:
		return false
	case made > s.room:
		return true
	case s.to.Len() == 0:
		return false
	case s.transposed:
		to = to.Transpose()
	}
	return s.to.Has(to.Canonical(s.config.Size))
}
