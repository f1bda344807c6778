package alphabeta

import (
	"math/bits"

	"versus2048/rules"
)

// placementSet is the set of placements on a board that are still to be tried. The bit 4i stands for a 2 on cell
// i, the bit 4i+1 for a 4.
type placementSet struct {
	remaining uint64 // rotated to the right by start, so that its lowest bit is the next placement
	start     int
}

// placementsOn returns the placements on b: first the preferred one, if it is legal, and then the placements after it
// in the order of the cells, wrapping around. No better order was found. In the order of the cells, different sequences
// of moves often lead to the same board, which the table then has (docs/adr/0020-alphabeta.md).
func (s *boardSearch) placementsOn(b rules.Board, preferred rules.Move) placementSet {
	placements := b.Empty(s.size)
	if s.fours {
		placements |= placements << 1
	}
	start := 4 * preferred.Cell()
	if preferred.IsFour() {
		start++
	}
	return placementSet{bits.RotateLeft64(placements, -start), start}
}

// take removes the next placement and returns its bit.
func (p *placementSet) take() (bit int) { return (p.start + takeLowest(&p.remaining)) & 63 }

// rotated returns the bit in remaining that stands for the given bit.
func (p *placementSet) rotated(bit int) int { return (bit - p.start) & 63 }

// takeLowest removes the lowest bit and returns its number.
func takeLowest(set *uint64) (bit int) {
	bit = bits.TrailingZeros64(*set)
	*set &= *set - 1
	return bit
}

// place returns b after the placement of a bit.
func place(b rules.Board, bit int) rules.Board { return b | rules.Board(1+bit&1)<<(bit&^3) }

// moveOf returns the placement of a bit as a move.
func moveOf(bit int) rules.Move { return rules.Place(bit/4, bit&1 == 1) }

// slidBoard is a board after a slide.
type slidBoard struct {
	board rules.Board
	value int // its evaluation; 0 from knownSlide
	move  rules.Move
}

// knownSlide appends m, the table's slide, to dst if it is legal. It does not evaluate the board, since only a null
// move (see pass) needs the value. Where 4s are placed there may be null moves, so it appends nothing.
func (s *boardSearch) knownSlide(dst []slidBoard, b rules.Board, m rules.Move) []slidBoard {
	if s.fours || !m.IsSlide() {
		return dst
	}
	if slid := b.Slide(s.size, m); slid != b {
		dst = append(dst, slidBoard{board: slid, move: m})
	}
	return dst
}

// slides appends the legal slides of b to dst: first the preferred one, if it is legal, and then the others by
// falling evaluation. dst is empty or already has the preferred slide.
func (s *boardSearch) slides(dst []slidBoard, b rules.Board, preferred rules.Move) []slidBoard {
	across, known := b.Transpose(), len(dst) > 0
	for m := rules.North; m <= rules.East; m++ {
		if known && m == preferred {
			continue
		}
		slid, v := s.evaluation.Slide(b, across, m)
		if slid == b {
			continue
		}
		dst = append(dst, slidBoard{slid, v, m})
		for i := len(dst) - 1; i > 0 && dst[i].before(dst[i-1], preferred); i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}

// before reports whether a is tried before b.
func (a slidBoard) before(b slidBoard, preferred rules.Move) bool {
	return a.move == preferred || a.value > b.value && b.move != preferred
}
