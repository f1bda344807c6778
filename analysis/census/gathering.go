package census

import (
	"context"
	"errors"
	"sync"
)

// A gathering collects ranks from all workers and makes a set of the different
// ones. What there is no room for goes into runs, sets of their own, which are
// joined in the end.
type gathering struct {
	space  *space
	blocks *blocks
	mu     sync.Mutex
	full   []*block
	runs   []*set
}

// join makes a set of all that was gathered, in the store, and leaves the
// gathering empty.
func (g *gathering) join(ctx context.Context, workers []*worker, st store) (*set, error) {
	runs := g.runs
	g.runs = nil
	all, err := g.unite(ctx, workers, st, runs)
	for _, r := range runs {
		err = errors.Join(err, r.store.release())
	}
	return all, err
}

// unite makes a set of the blocks and these runs.
func (g *gathering) unite(ctx context.Context, workers []*worker, st store, runs []*set) (*set, error) {
	b := binder{set: &set{space: g.space, store: st}, ready: map[int]coded{}}
	todo := counter{of: g.space.pieces()}
	err := parallel(workers, func(w *worker) error {
		for i, ok := todo.take(); ok; i, ok = todo.take() {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := w.joiner.join(g.full, runs, i, g.space.shift)
			if err != nil {
				return err
			}
			if err := b.add(i, c); err != nil {
				return err
			}
		}
		return nil
	})
	g.blocks.give(g.full...)
	g.full = nil
	if err == nil {
		err = st.finish(b.set)
	}
	if err != nil {
		return nil, errors.Join(err, st.release())
	}
	return b.set, nil
}
