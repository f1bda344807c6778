package archive

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"versus2048/internal/server/budget"
)

type weighed int

func (w weighed) weight() int { return int(w) }

// However many ask for figures at once, they are computed once, and again when more games are finished.
func TestFiguresAreComputedOnce(t *testing.T) {
	var computed atomic.Int64
	begin := make(chan struct{})
	f := newFigures(make(chan struct{}, 1), atOnce, 100, weighed.weight, func(context.Context, int64) (weighed, error) {
		<-begin
		return weighed(computed.Add(1)), nil
	})
	if _, ok, err := f.Soon(t.Context(), 7, Played{Games: 10}, 0); ok || err != nil {
		t.Errorf("they are known at once: %v (%v)", ok, err)
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if v, err := f.Await(t.Context(), 7, Played{Games: 10}); v != 1 || err != nil {
				t.Errorf("got %d (%v), want 1", v, err)
			}
		})
	}
	close(begin)
	all.Wait()
	for v, ok := weighed(1), true; v != 2; {
		var err error
		if v, ok, err = f.Soon(t.Context(), 7, Played{Games: 12}, DefaultPatience); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if v, ok, err := f.Soon(t.Context(), 7, Played{Games: 12}, 0); v != 2 || !ok || err != nil {
		t.Errorf("got %d, %v (%v), want 2", v, ok, err)
	}
}

// Figures with large weights are forgotten, the least used first, and a failure is reported.
func TestFiguresAreBounded(t *testing.T) {
	broken := errors.New("broken")
	f := newFigures(make(chan struct{}, 1), atOnce, 100, weighed.weight, func(_ context.Context, key int64) (weighed, error) {
		if key == 9 {
			return 0, broken
		}
		return 40, nil
	})
	for key := range int64(5) {
		if v, err := f.Await(t.Context(), key, Played{Games: 1}); v != 40 || err != nil {
			t.Fatal(v, err)
		}
	}
	f.mu.Lock()
	for key := range f.known {
		if key < 3 {
			t.Errorf("%d is still known", key)
		}
	}
	f.mu.Unlock()
	if _, err := f.Await(t.Context(), 9, Played{Games: 1}); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// A failed computation is not repeated at once: a request that waits gets the error.
func TestFailureIsReported(t *testing.T) {
	full := errors.New("full")
	f := newFigures(make(chan struct{}, 1), func(context.Context) (*budget.Turn, error) { return nil, full }, 100, weighed.weight,
		func(context.Context, int64) (weighed, error) { return 40, nil })
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	if _, err := f.Await(ctx, 7, Played{Games: 1, Over: true}); !errors.Is(err, full) {
		t.Errorf("the error is %v, want %v", err, full)
	}
}

// atOnce lets everything be computed at once.
func atOnce(context.Context) (*budget.Turn, error) { return nil, nil }
