package census

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/rules"
)

// expansion plays turns from positions with the attacker to move and gathers the
// arrivals at the positions that follow.
type expansion struct {
	size    rules.Size
	largest int // the largest exponent that may be placed
	ongoing []arrival
	mated   []arrival // after a placement
	spare   []arrival // for sorting
}

// arrival is a way to reach a position.
type arrival struct {
	board  rules.Board // canonical
	parent uint32      // the index of the position before, in the layer before
	ways   uint32      // number of ways from the parent to one image of board
}

func newExpansion(start rules.Position) expansion {
	e := expansion{size: start.Size(), largest: 1}
	if start.Rules().Fours() {
		e.largest = 2
	}
	return e
}

// first gathers the arrivals at the first positions with the attacker to move: the
// start itself, or the positions after a slide.
func (e *expansion) first(start rules.Position) {
	if start.SideToMove() == rules.Attacker {
		e.ongoing = []arrival{{start.Board(), 0, 1}}
	} else {
		e.answer(start.Board(), 0, 0)
	}
	canonicalize(e.ongoing, e.size)
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
	canonicalize(e.ongoing[first:], e.size)
	return placements
}

// answer plays each slide on b. The parent's arrivals begin at the index first of ongoing. Their boards are not
// canonical yet: most boards come up several times, and it is enough to canonicalize each of them once.
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

// collect returns the layers of all arrivals. lines holds the lines to each parent.
func (e *expansion) collect(lines []lineCount) (ongoing, mated lineLayer) {
	e.spare = slices.Grow(e.spare[:0], max(len(e.ongoing), len(e.mated)))
	sortByBoard(e.ongoing, e.spare[:len(e.ongoing)])
	sortByBoard(e.mated, e.spare[:len(e.mated)])
	return newLineLayer(e.ongoing, lines), newLineLayer(e.mated, lines)
}

func canonicalize(arrivals []arrival, s rules.Size) {
	for i := range arrivals {
		arrivals[i].board = arrivals[i].board.Canonical(s)
	}
}

// sortByBoard sorts arrivals by board; the sort is stable. spare must have the same
// length. This radix sort is three to five times as fast as the functions of package
// slices.
func sortByBoard(arrivals, spare []arrival) {
	for shift := 0; shift < 64; shift += 8 {
		var ends [256]int // for each digit the end of its arrivals in spare
		for _, a := range arrivals {
			ends[a.board>>shift&255]++
		}
		for d := 1; d < len(ends); d++ {
			ends[d] += ends[d-1]
		}
		for i := len(arrivals) - 1; i >= 0; i-- {
			d := arrivals[i].board >> shift & 255
			ends[d]--
			spare[ends[d]] = arrivals[i]
		}
		arrivals, spare = spare, arrivals // an even number of times: there are eight digits
	}
}

// newLineLayer returns the layer of sorted arrivals. lines holds the lines to each parent.
func newLineLayer(arrivals []arrival, lines []lineCount) (l lineLayer) {
	l.grow(distinct(arrivals))
	for _, a := range arrivals {
		l.add(a.board, a.parent, &lines[a.parent], uint64(a.ways))
	}
	return l
}

// distinct counts the distinct boards of sorted arrivals.
func distinct(arrivals []arrival) (n int) {
	for i, a := range arrivals {
		if i == 0 || a.board != arrivals[i-1].board {
			n++
		}
	}
	return n
}

// lineBlock is the result of playing a turn from some positions of a layer.
type lineBlock struct {
	ongoing lineLayer
	mated   lineLayer // after the placements
	placed  lineCount // lines to all positions after the placements
}

// lineBlockSize is the number of positions in a block. The arrivals from one position
// take some 400 bytes; with blocks they do not pile up for the whole layer.
const lineBlockSize = 1 << 16

// play plays a turn from all positions of l, in blocks of size positions, on all
// cores. It returns ctx's error.
func play(ctx context.Context, l *lineLayer, e expansion, size int) (lineBlock, error) {
	blocks := make([]lineBlock, (len(l.boards)+size-1)/size)
	workers := make([]*expansion, runtime.GOMAXPROCS(0)) // each has its own buffers
	for i := range workers {
		own := e
		workers[i] = &own
	}
	parallel.Each(ctx, len(workers), len(blocks), func(worker, i int) {
		blocks[i] = workers[worker].block(l, i*size, min((i+1)*size, len(l.boards)))
	})
	if err := ctx.Err(); err != nil {
		return lineBlock{}, err
	}
	return mergeAll(ctx, blocks)
}

// block plays a turn from the positions l.boards[from:to].
func (e *expansion) block(l *lineLayer, from, to int) (b lineBlock) {
	e.ongoing, e.mated = e.ongoing[:0], e.mated[:0]
	for i := from; i < to; i++ {
		b.placed.add(&l.lines[i], e.turn(l.boards[i], uint32(i)))
	}
	b.ongoing, b.mated = e.collect(l.lines)
	return b
}

// mergeAll merges neighbours until one block is left, on all cores. It returns ctx's error.
func mergeAll(ctx context.Context, blocks []lineBlock) (lineBlock, error) {
	for len(blocks) > 1 {
		half := make([]lineBlock, (len(blocks)+1)/2)
		parallel.Each(ctx, runtime.GOMAXPROCS(0), len(half), func(_, i int) {
			half[i] = blocks[2*i]
			if 2*i+1 < len(blocks) {
				half[i] = half[i].merge(blocks[2*i+1])
				blocks[2*i], blocks[2*i+1] = lineBlock{}, lineBlock{} // free their memory
			}
		})
		if err := ctx.Err(); err != nil {
			return lineBlock{}, err
		}
		blocks = half
	}
	return blocks[0], nil
}

// merge returns b together with the block after it.
func (b lineBlock) merge(next lineBlock) lineBlock {
	b.ongoing, b.mated = merge(b.ongoing, next.ongoing), merge(b.mated, next.mated)
	b.placed.add(&next.placed, 1)
	return b
}
