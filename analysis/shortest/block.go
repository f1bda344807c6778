package shortest

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// blockSize is the number of positions that are played from at a time. The ways
// from one take some 400 bytes, which so do not pile up over a layer.
const blockSize = 1 << 16

// block is what comes of playing a turn from some positions of a layer.
type block struct {
	ongoing layer
	mated   layer // after the placements
	placed  count // lines to all positions after the placements
}

// play plays a turn from all positions of l, size of them at a time, on all
// cores.
func play(ctx context.Context, l *layer, e expansion, size int) (block, error) {
	blocks := make([]block, (len(l.boards)+size-1)/size)
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			e := e // with memory of its own
			for i := int(next.Add(1)) - 1; i < len(blocks) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				blocks[i] = e.block(l, i*size, min((i+1)*size, len(l.boards)))
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return block{}, err
	}
	return together(blocks), nil
}

// block plays a turn from the positions of l from index from up to to.
func (e *expansion) block(l *layer, from, to int) (b block) {
	e.ongoing, e.mated = e.ongoing[:0], e.mated[:0]
	for i := from; i < to; i++ {
		b.placed.add(&l.lines[i], e.turn(l.boards[i], uint32(i)))
	}
	b.ongoing, b.mated = e.gathered(l.lines)
	return b
}

// together merges neighbours until one is left, on all cores.
func together(blocks []block) block {
	for len(blocks) > 1 {
		half := make([]block, (len(blocks)+1)/2)
		var group sync.WaitGroup
		for i := range half {
			group.Go(func() {
				half[i] = blocks[2*i]
				if 2*i+1 < len(blocks) {
					half[i] = half[i].and(blocks[2*i+1])
					blocks[2*i], blocks[2*i+1] = block{}, block{} // they are large
				}
			})
		}
		group.Wait()
		blocks = half
	}
	return blocks[0]
}

// and is b together with the block behind it.
func (b block) and(next block) block {
	b.ongoing, b.mated = merge(b.ongoing, next.ongoing), merge(b.mated, next.mated)
	b.placed.add(&next.placed, 1)
	return b
}
