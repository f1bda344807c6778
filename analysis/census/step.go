package census

import (
	"context"
	"sync/atomic"
	"time"
)

// A step goes from one layer to the next.
type step struct {
	*census
	layer     *set
	plies     int    // of the next layer
	space     *space // of the next layer, and of the plies between
	pieces    counter
	next      gathering // positions with the attacker to move
	mated     gathering // mated positions, a ply before
	defenders gathering // all positions then
	expanded  atomic.Int64
	began     time.Time
}

// step makes the next layer, in the store, with its figures but for the scores.
func (c *census) step(ctx context.Context, layer *set, plies int, st store) (*set, Layer, error) {
	s := &step{census: c, layer: layer, plies: plies, space: c.halves.space(layer.space.sum + 1), began: time.Now()}
	s.pieces.of = layer.space.pieces()
	for _, g := range s.gatherings() {
		g.space, g.blocks = s.space, &c.blocks
	}
	for _, w := range c.workers {
		w.begin(s)
	}
	c.current.Store(s)
	if err := s.expand(ctx); err != nil {
		return nil, Layer{}, err
	}
	return s.join(ctx, st)
}

func (s *step) gatherings() []*gathering { return []*gathering{&s.next, &s.mated, &s.defenders} }

// expand gathers what comes of all positions, in as many rounds as the memory
// makes necessary.
func (s *step) expand(ctx context.Context) error {
	for {
		var unfinished atomic.Bool
		err := parallel(s.workers, func(w *worker) error {
			finished, err := w.expand(ctx)
			if !finished {
				unfinished.Store(true)
			}
			return err
		})
		if err != nil || !unfinished.Load() {
			return err
		}
		for _, g := range s.gatherings() {
			if err := s.spill(ctx, g); err != nil {
				return err
			}
		}
	}
}

// spill makes room by turning blocks into a run.
func (s *step) spill(ctx context.Context, g *gathering) error {
	if len(g.full) == 0 {
		return nil
	}
	st, err := s.runStore()
	if err != nil {
		return err
	}
	run, err := g.unite(ctx, s.workers, st, nil)
	if err != nil {
		return err
	}
	if _, ok := st.(*memory); ok {
		s.runBytes += run.size
	}
	g.runs = append(g.runs, run)
	return nil
}

// join makes the next layer of what was gathered.
func (s *step) join(ctx context.Context, st store) (*set, Layer, error) {
	mated, err := s.mated.join(ctx, s.workers, nowhere{})
	if err != nil {
		return nil, Layer{}, err
	}
	defenders, err := s.defenders.join(ctx, s.workers, nowhere{})
	if err != nil {
		return nil, Layer{}, err
	}
	next, err := s.next.join(ctx, s.workers, st)
	s.runBytes = 0
	if err != nil {
		return nil, Layer{}, err
	}
	return next, Layer{Positions: next.count, Mated: mated.count, Defenders: defenders.count, Bytes: next.size}, err
}
