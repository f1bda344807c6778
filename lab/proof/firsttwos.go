package proof

import (
	"math/bits"
	"slices"

	"versus2048/rules"
)

// FirstTwos takes 2s off boards of a size. Proofs that take slides back look for boards where the defender can answer
// every 2. The 2 on the first empty cell is enough to find all these boards, and finds each of them less often than all
// placements would.
type FirstTwos struct {
	size   rules.Size
	images int                // the number of symmetries
	alone  [16][8]rules.Board // by cell: the images of the board with a 2 on this cell alone
}

// NewFirstTwos makes the tables for boards of a size.
func NewFirstTwos(s rules.Size) *FirstTwos {
	f := &FirstTwos{size: s, images: 4}
	if s.Square() {
		f.images = 8
	}
	for cell := range f.alone {
		f.alone[cell] = rules.Board(0).With(cell, 1).Images(s)
	}
	return f
}

// Before calls visit for the canonical boards that a 2 on their first empty cell changes into b, or into an image of
// b. It may call visit several times for a board.
func (f *FirstTwos) Before(b rules.Board, visit func(rules.Board)) {
	const twos = 0x1111_1111_1111_1111
	cells := (b ^ twos).Empty(f.size)
	if cells == 0 {
		return
	}
	images := b.Images(f.size)
	for ; cells != 0; cells &= cells - 1 {
		two := &f.alone[bits.TrailingZeros64(cells)/4]
		before := images[0] - two[0]
		for i := 1; i < f.images; i++ {
			before = min(before, images[i]-two[i])
		}
		empty := before.Empty(f.size)
		if first := rules.Board(empty & -empty); slices.Contains(images[:f.images], before|first) {
			visit(before)
		}
	}
}
