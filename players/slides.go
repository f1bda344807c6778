package players

import "versus2048/rules"

// lastSlide is highest where one slide is left. Much of the time is spent here.
func (s *boardSearch) lastSlide(b rules.Board, beta int) int {
	s.nodes++
	across, best, first := b.Transpose(), -infinity, s.refuter
	for i := rules.Move(0); i < 4 && best < beta; i++ {
		slid, v := s.Slide(b, across, first^i)
		if slid == b {
			continue
		}
		s.nodes++
		if v > best {
			best, s.refuter = v, first^i
		}
	}
	if best == -infinity {
		return s.Of(b) - s.mate
	}
	s.expand(1)
	return best
}

// slidBoard is a board after a slide.
type slidBoard struct {
	board rules.Board
	value int // its evaluation
	move  rules.Move
}

// slides appends the legal slides of b, first before all others and then by
// evaluation.
func (s *boardSearch) slides(dst []slidBoard, b rules.Board, first rules.Move) []slidBoard {
	across := b.Transpose()
	for m := rules.North; m <= rules.East; m++ {
		slid, v := s.Slide(b, across, m)
		if slid == b {
			continue
		}
		if m == first {
			v = infinity
		}
		dst = append(dst, slidBoard{slid, v, m})
		for i := len(dst) - 1; i > 0 && dst[i].value > dst[i-1].value; i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}
