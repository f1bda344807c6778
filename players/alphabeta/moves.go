package alphabeta

import (
	"math/bits"

	"versus2048/rules"
)

// placements are the placements on a board: bit 4i is set for a 2 on cell i, bit 4i+1 for a 4. The bits are
// rotated so that the first placement to try is the lowest bit.
type placements struct {
	left  uint64
	start int
}

// placements returns the placements on b: first the given one, if it is legal, and then the placements after it
// in the order of the cells, wrapping around. No better order was found: with this order, lines of play often
// meet in the same boards (docs/adr/0020-alphabeta.md).
func (s *boardSearch) placements(b rules.Board, first rules.Move) placements {
	cells := b.Empty(s.size)
	if s.fours {
		cells |= cells << 1
	}
	start := 4*first.Cell() + int(first>>4&1)
	return placements{bits.RotateLeft64(cells, -start), start}
}

// take removes the next placement and returns its bit.
func (p *placements) take() (bit int) { return (p.start + takeLowest(&p.left)) & 63 }

// rotated returns the place of a placement's bit in left.
func (p *placements) rotated(bit int) int { return (bit - p.start) & 63 }

// takeLowest removes the lowest bit.
func takeLowest(set *uint64) (bit int) {
	bit = bits.TrailingZeros64(*set)
	*set &= *set - 1
	return bit
}

// place returns b after a placement.
func place(b rules.Board, bit int) rules.Board { return b | rules.Board(1+bit&1)<<(bit&^3) }

func placement(bit int) rules.Move { return rules.Place(bit/4, bit&1 == 1) }

// slidBoard is a board after a slide.
type slidBoard struct {
	board rules.Board
	value int // its evaluation
	move  rules.Move
}

// knownSlide appends the table's slide to dst if it is legal and its evaluation is not needed. The evaluation
// is needed only if the attacker may pass.
func (s *boardSearch) knownSlide(dst []slidBoard, b rules.Board, m rules.Move) []slidBoard {
	if s.fours || !m.IsSlide() {
		return dst
	}
	if slid := b.Slide(s.size, m); slid != b {
		dst = append(dst, slidBoard{board: slid, move: m})
	}
	return dst
}

// slides appends the legal slides of b to dst. dst is empty or already has the slide first. The order is the
// slide first, if it is legal, and then the others, the highest evaluation first.
func (s *boardSearch) slides(dst []slidBoard, b rules.Board, first rules.Move) []slidBoard {
	across, known := b.Transpose(), len(dst) > 0
	for m := rules.North; m <= rules.East; m++ {
		if known && m == first {
			continue
		}
		slid, v := s.evaluation.Slide(b, across, m)
		if slid == b {
			continue
		}
		dst = append(dst, slidBoard{slid, v, m})
		for i := len(dst) - 1; i > 0 && (m == first || v > dst[i-1].value && dst[i-1].move != first); i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}
