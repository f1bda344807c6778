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
	cursor    cursor
	numbers   []uint32 // what is left of the worker's piece
	base      uint64   // the first rank that the piece may have
	made      boards   // by a batch
	filter    filter
	next      stage
	mated     stage
	defenders stage
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

// batch is how many positions are expanded together. It makes loops longer, which
// are hard to foretell to end.
const batch = 32

// positions expands what is left of the piece. It returns false if there is no
// room left.
func (w *worker) positions() bool {
	done, placements := 0, 0
	for done < len(w.numbers) && w.room() {
		some := w.numbers[done:min(done+batch, len(w.numbers))]
		placements += w.expandBatch(some)
		done += len(some)
	}
	w.expanded.Add(int64(done))
	w.placements.Add(int64(placements))
	w.numbers = w.numbers[:copy(w.numbers, w.numbers[done:])]
	return len(w.numbers) == 0
}

// room tells whether there is room for what a batch makes.
func (w *worker) room() bool {
	return w.next.room(batch*mostSuccessors) && w.mated.room(batch) && (!w.Defenders || w.defenders.room(batch*16))
}

// expandBatch makes all that comes of some positions, and counts the placements.
func (w *worker) expandBatch(numbers []uint32) (placements int) {
	var positions [batch]rules.Board
	for i, x := range numbers {
		positions[i] = w.cursor.board(w.base + uint64(x))
	}
	w.made.n = 0
	for _, b := range positions[:len(numbers)] {
		w.geometry.successors(&w.made, b)
		empty := b.Empty(w.geometry.size)
		placements += bits.OnesCount64(empty)
		if empty&(empty-1) == 0 {
			w.lastPlacement(b | rules.Board(empty))
		}
	}
	w.filter.keep(&w.made)
	w.next.add(w.geometry, w.made.at[:w.made.n])
	if w.Defenders {
		w.placeAll(positions[:len(numbers)])
	}
	return placements
}

// lastPlacement looks whether a full board is mated.
func (w *worker) lastPlacement(b rules.Board) {
	if b.Stuck(w.geometry.size) {
		w.mated.add(w.geometry, []rules.Board{b})
	}
}

// placeAll makes the positions with the defender to move.
func (w *worker) placeAll(positions []rules.Board) {
	w.made.n = 0
	for _, b := range positions {
		for empty := b.Empty(w.geometry.size); empty != 0; empty &= empty - 1 {
			w.made.at[w.made.n] = b | rules.Board(empty&-empty)
			w.made.n++
		}
	}
	w.defenders.add(w.geometry, w.made.at[:w.made.n])
}
