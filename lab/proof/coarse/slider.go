package coarse

import (
	"versus2048/players/certificate"
	"versus2048/rules"
)

// slider slides boards of a class, after a placement.
type slider struct {
	*layer
	class
	wanted *certificate.BoardSet // the boards that the defender wants to reach

	// The following fields belong to one slide.
	axis
	from  rules.Board // transposed for slides along columns
	lines *lines
}

// escapes reports whether the defender has a slide to a board that it wants, or a slide that makes the large
// tiles worth too much, and returns the slide. It tries the slide likely first, and returns it if there is none. See
// history for the number of a slide.
func (s *slider) escapes(b rules.Board, likely int) (slide int, found bool) {
	for i := range 4 {
		slide = (likely + i) % 4
		s.axis, s.from = s.axes[slide/2], b
		if s.transposed {
			s.from = b.Transpose()
		}
		if s.lines = s.axis.first; slide%2 == 1 {
			s.lines = s.axis.last
		}
		if s.reaches(0, 0, 0, 0) {
			return slide, true
		}
	}
	return likely, false
}

// reaches reports whether the slide leads to a wanted board, or makes the large tiles worth too much, with some
// outcomes of the lines from line on. to, merged and made sum up the chosen outcomes of the lines before.
func (s *slider) reaches(line int, to rules.Board, merged, made int) bool {
	if line < s.count {
		for _, o := range s.lines[uint16(s.from>>(16*line))] { // #nosec G115 -- one line of the board
			if s.reaches(line+1, to|o.line<<(16*line), merged+o.merged, made+o.made) {
				return true
			}
		}
		return false
	}
	if to == s.from || merged > s.spare() {
		return false
	}
	if s.worth+made > s.config.most() {
		return true
	}
	if s.wanted.Len() == 0 {
		return false
	}
	if s.transposed {
		to = to.Transpose()
	}
	return s.wanted.Has(to.Canonical(s.config.Size))
}
