package census

import (
	"context"
	"math/bits"

	"versus2048/rules"
)

// A worker goes through pieces of a layer and makes the next one's positions.
type worker struct {
	*step
	joiner
	cursor     cursor
	numbers    []uint32 // what is left of the worker's piece
	base       uint64   // the first rank that the piece may have
	successors boards
	filter     filter
	next       stage
	mated      stage
	defenders  stage
}

// newWorker needs room for so many ranks at each stage.
func newWorker(ranks int) *worker {
	w := new(worker)
	for _, s := range w.stages() {
		s.ranks = make([]uint64, 0, ranks)
	}
	return w
}

func (w *worker) stages() []*stage { return []*stage{&w.next, &w.mated, &w.defenders} }

func (w *worker) begin(s *step) {
	w.step = s
	w.cursor = cursor{space: s.layer.space}
	w.numbers = w.numbers[:0]
	for i, g := range s.gatherings() {
		w.stages()[i].gathering = g
		w.stages()[i].ranks = w.stages()[i].ranks[:0]
	}
}

// expand works until the step's pieces are used up, or there is no room left for
// what it makes; then it returns false.
func (w *worker) expand(ctx context.Context) (finished bool, err error) {
	for {
		if !w.positions() {
			return false, ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		piece, ok := w.pieces.take()
		if !ok {
			return w.next.sort() && w.mated.sort() && w.defenders.sort(), nil
		}
		if w.numbers, err = w.layer.appendPiece(w.numbers[:0], piece, &w.buffer); err != nil {
			return false, err
		}
		w.base = uint64(piece) << w.layer.space.shift
	}
}

// positions expands what is left of the piece. It returns false if there is no
// room left.
func (w *worker) positions() bool {
	placements := 0
	n := 0
	for ; n < len(w.numbers) && w.room(); n++ {
		placements += w.position(w.cursor.board(w.base + uint64(w.numbers[n])))
	}
	w.expanded.Add(int64(n))
	w.placements.Add(int64(placements))
	done := n == len(w.numbers)
	w.numbers = w.numbers[:copy(w.numbers, w.numbers[n:])]
	return done
}

func (w *worker) room() bool {
	return w.next.room(mostSuccessors) && w.mated.room(1) && (!w.Defenders || w.defenders.room(16))
}

// position makes all that comes of a position with the attacker to move, who has
// so many placements.
func (w *worker) position(b rules.Board) (placements int) {
	empty := b.Empty(w.geometry.size)
	placements = bits.OnesCount64(empty)
	if empty&(empty-1) == 0 {
		if full := b | rules.Board(empty); full.Stuck(w.geometry.size) {
			w.mated.ranks = append(w.mated.ranks, w.space.rank(w.geometry.canonical(full)))
		}
	}
	w.geometry.successors(&w.successors, b)
	w.filter.keep(&w.successors)
	w.geometry.canonicalize(w.successors.at[:w.successors.n])
	w.next.ranks = w.space.appendRanks(w.next.ranks, w.successors.at[:w.successors.n])
	if w.Defenders {
		for ; empty != 0; empty &= empty - 1 {
			s := b | rules.Board(empty&-empty)
			w.defenders.ranks = append(w.defenders.ranks, w.space.rank(w.geometry.canonical(s)))
		}
	}
	return placements
}
