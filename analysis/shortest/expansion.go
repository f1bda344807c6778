package shortest

import (
	"math/bits"
	"slices"

	"versus2048/rules"
)

// expansion plays turns from positions with the attacker to move and gathers the
// ways to what comes of them.
type expansion struct {
	size    rules.Size
	largest int // exponent that may be placed
	ongoing []arrival
	mated   []arrival // after a placement
	spare   []arrival // for sorting
}

func newExpansion(start rules.Position) expansion {
	e := expansion{size: start.Size(), largest: 1}
	if start.Rules().Fours() {
		e.largest = 2
	}
	return e
}

// turn plays each placement on b and each slide that answers it. It returns the
// number of placements.
func (e *expansion) turn(b rules.Board, parent uint32) (placements uint64) {
	first := len(e.ongoing)
	for empty := b.Empty(e.size); empty != 0; empty &= empty - 1 {
		for k := 1; k <= e.largest; k++ {
			e.answer(b.With(bits.TrailingZeros64(empty)/4, k), parent, first)
			placements++
		}
	}
	canonical(e.ongoing[first:], e.size)
	return placements
}

// answer plays each slide on b. The parent's arrivals start at first and are not
// canonical yet: most boards come up several times, and only one of each has to
// be made so.
func (e *expansion) answer(b rules.Board, parent uint32, first int) {
	mated := true
	for m := rules.North; m <= rules.East; m++ {
		if child := b.Slide(e.size, m); child != b {
			e.arrive(arrival{child, parent, 1}, first)
			mated = false
		}
	}
	if mated {
		e.mated = append(e.mated, arrival{b.Canonical(e.size), parent, 1})
	}
}

func (e *expansion) arrive(a arrival, first int) {
	for i := first; i < len(e.ongoing); i++ {
		if e.ongoing[i].board == a.board {
			e.ongoing[i].ways++
			return
		}
	}
	e.ongoing = append(e.ongoing, a)
}

// first gathers the ways to the first positions with the attacker to move: start
// itself, or those after a slide.
func (e *expansion) first(start rules.Position) {
	if start.SideToMove() == rules.Attacker {
		e.ongoing = []arrival{{start.Board(), 0, 1}}
	} else {
		e.answer(start.Board(), 0, 0)
	}
	canonical(e.ongoing, e.size)
}

// gathered are the layers that all arrivals make.
func (e *expansion) gathered(lines []count) (ongoing, mated layer) {
	e.spare = slices.Grow(e.spare[:0], max(len(e.ongoing), len(e.mated)))
	sortByBoard(e.ongoing, e.spare[:len(e.ongoing)])
	sortByBoard(e.mated, e.spare[:len(e.mated)])
	return gather(e.ongoing, lines), gather(e.mated, lines)
}

func canonical(arrivals []arrival, s rules.Size) {
	for i := range arrivals {
		arrivals[i].board = arrivals[i].board.Canonical(s)
	}
}
