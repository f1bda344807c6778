package census

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/rules"
)

// A step makes one layer from the layer before it.
type step struct {
	census    *census
	layer     *set
	plies     int       // of the next layer
	space     *space    // of the next layer, and of the positions one ply before it
	pieces    counter   // of layer
	next      collector // positions with the attacker to move
	mated     collector // mated positions one ply earlier
	defenders collector // all positions one ply earlier
	expanded  atomic.Int64
	began     time.Time
}

// step makes the next layer in the store, and its description except for the scores.
func (c *census) step(ctx context.Context, layer *set, plies int, st store) (next *set, l Layer, err error) {
	s := &step{census: c, layer: layer, plies: plies, space: c.halves.space(layer.space.sum + 1), began: time.Now()}
	s.pieces.limit = layer.space.pieces()
	for _, to := range s.collectors() {
		to.space, to.blocks = s.space, &c.blocks
	}
	for _, w := range c.workers {
		w.begin(s)
	}
	c.current.Store(s)
	if err = s.expand(ctx); err == nil {
		next, l, err = s.join(ctx, st)
	}
	if err == nil {
		return next, l, nil
	}
	for _, from := range s.collectors() {
		err = errors.Join(err, from.release())
	}
	return nil, l, errors.Join(err, st.release())
}

func (s *step) collectors() []*collector { return []*collector{&s.next, &s.mated, &s.defenders} }

// expand collects the successors of all positions, in as many rounds as the memory
// requires.
func (s *step) expand(ctx context.Context) error {
	for {
		var unfinished atomic.Bool
		err := withAll(s.census.workers, func(w *worker) error {
			finished, err := w.expand(ctx)
			if !finished {
				unfinished.Store(true)
			}
			return err
		})
		if err != nil || !unfinished.Load() {
			return err
		}
		for _, from := range s.collectors() {
			if err := s.spill(ctx, from); err != nil {
				return err
			}
		}
	}
}

// spill frees the collector's blocks by joining them into a run.
func (s *step) spill(ctx context.Context, from *collector) error {
	if len(from.full) == 0 {
		return nil
	}
	st, err := s.census.runStore()
	if err != nil {
		return err
	}
	run, err := from.unite(ctx, s.census.workers, st, nil)
	if err != nil {
		return errors.Join(err, st.release())
	}
	if _, ok := st.(*memory); ok {
		s.census.runBytes += run.size
	}
	from.runs = append(from.runs, run)
	return nil
}

// join makes the next layer from the collected positions.
func (s *step) join(ctx context.Context, st store) (*set, Layer, error) {
	workers := s.census.workers
	mated, err := s.mated.join(ctx, workers, discard{})
	if err != nil {
		return nil, Layer{}, err
	}
	defenders, err := s.defenders.join(ctx, workers, discard{})
	if err != nil {
		return nil, Layer{}, err
	}
	next, err := s.next.join(ctx, workers, st)
	s.census.runBytes = 0
	if err != nil {
		return nil, Layer{}, err
	}
	return next, Layer{Positions: next.count, Mated: mated.count, Defenders: defenders.count, Bytes: next.size}, nil
}

// A worker expands pieces of a layer: it makes the successors of their positions.
type worker struct {
	step      *step
	geometry  *geometry
	all       bool // whether to make the positions with the defender to move
	joiner    joiner
	cursor    cursor
	numbers   []uint32 // the numbers of the worker's piece that are not yet expanded
	base      uint64   // the first rank that the worker's piece may have
	made      boards   // the boards made from a batch of positions
	filter    filter
	next      stage
	mated     stage
	defenders stage
}

// newWorker returns a worker. Each of its stages has room for the given number of ranks.
func newWorker(ranks int) *worker {
	w := new(worker)
	for _, s := range w.stages() {
		s.ranks = make([]uint64, 0, ranks)
	}
	return w
}

func (w *worker) stages() []*stage { return []*stage{&w.next, &w.mated, &w.defenders} }

func (w *worker) begin(s *step) {
	w.step, w.geometry, w.all = s, s.census.geometry, s.census.config.Defenders
	w.cursor = cursor{space: s.layer.space}
	w.numbers = w.numbers[:0]
	for i, to := range s.collectors() {
		w.stages()[i].collector = to
		w.stages()[i].ranks = w.stages()[i].ranks[:0]
	}
}

// expand expands pieces until all pieces of the step are done. It returns false if it
// runs out of room before that.
func (w *worker) expand(ctx context.Context) (finished bool, err error) {
	for {
		if !w.expandPiece() {
			return false, ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		piece, ok := w.step.pieces.take()
		if !ok {
			return w.next.sort() && w.mated.sort() && w.defenders.sort(), nil
		}
		layer := w.step.layer
		if w.numbers, err = layer.appendPiece(w.numbers[:0], piece, &w.joiner.buffer); err != nil {
			return false, err
		}
		w.base = uint64(piece) << layer.space.shift
	}
}

// batch is the number of positions that are expanded together. Batches make the inner
// loops longer: the processor can hardly predict the end of a short loop.
const batch = 32

// expandPiece expands the rest of the piece. It returns false if it runs out of room before the end.
func (w *worker) expandPiece() bool {
	done, placements := 0, 0
	for done < len(w.numbers) && w.room() {
		some := w.numbers[done:min(done+batch, len(w.numbers))]
		placements += w.expandBatch(some)
		done += len(some)
	}
	w.step.expanded.Add(int64(done))
	w.step.census.placements.Add(int64(placements))
	w.numbers = w.numbers[:copy(w.numbers, w.numbers[done:])]
	return len(w.numbers) == 0
}

// room reports whether there is room for the successors of a batch.
func (w *worker) room() bool {
	return w.next.room(batch*mostSuccessors) && w.mated.room(batch) && (!w.all || w.defenders.room(batch*16))
}

// expandBatch makes the successors of at most batch positions, and the positions with the defender to move as far as
// they are counted. It returns the number of placements.
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
			w.addMated(b | rules.Board(empty))
		}
	}
	w.filter.keep(&w.made)
	w.next.add(w.geometry, w.made.at[:w.made.n])
	if w.all {
		w.placeAll(positions[:len(numbers)])
	}
	return placements
}

// addMated adds a full board if it is mated.
func (w *worker) addMated(b rules.Board) {
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

// withAll calls work for each worker in a goroutine of its own and waits for all
// of them. It returns the error of the first worker that has one.
func withAll(workers []*worker, work func(*worker) error) error {
	errs := make([]error, len(workers))
	var wait sync.WaitGroup
	for i, w := range workers {
		wait.Go(func() { errs[i] = work(w) })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// A counter hands out the numbers below limit, each once, in order.
type counter struct {
	next  atomic.Int64
	limit int
}

func (c *counter) take() (i int, ok bool) {
	i = int(c.next.Add(1)) - 1
	return i, i < c.limit
}
