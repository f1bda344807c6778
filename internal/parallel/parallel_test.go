package parallel_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"versus2048/internal/parallel"
)

// Each piece is done once, and a worker does one at a time.
func TestEach(t *testing.T) {
	for _, workers := range []int{1, 3, 50} {
		const n = 20
		var done [n]atomic.Int64
		busy := make([]atomic.Bool, workers)
		parallel.Each(t.Context(), workers, n, func(worker, i int) {
			if busy[worker].Swap(true) {
				t.Errorf("worker %d of %d does two pieces at once", worker, workers)
			}
			done[i].Add(1)
			busy[worker].Store(false)
		})
		for i := range done {
			if got := done[i].Load(); got != 1 {
				t.Errorf("%d workers: piece %d was done %d times", workers, i, got)
			}
		}
	}
}

// Once the context is done no further piece is begun.
func TestEachEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int64
	parallel.Each(ctx, 1, 100, func(_, i int) {
		if done.Add(1); i == 4 {
			cancel()
		}
	})
	if got := done.Load(); got != 5 {
		t.Errorf("%d pieces were done, want 5", got)
	}
}

// The first failure ends the work and is returned; until then the progress is reported, piece by piece.
func TestDo(t *testing.T) {
	wrong, reported := errors.New("wrong"), 0
	err := parallel.Do(t.Context(), 1, 100, func(done, total int) {
		if reported++; done != reported || total != 100 {
			t.Errorf("report %d: %d of %d", reported, done, total)
		}
	}, func(i int) error {
		if i == 7 {
			return wrong
		}
		return nil
	})
	if !errors.Is(err, wrong) || reported != 7 {
		t.Errorf("%v after %d pieces, want %v after 7", err, reported, wrong)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := parallel.Do(ended, 2, 3, nil, func(int) error { return wrong }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
