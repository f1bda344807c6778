package archive

import (
	"context"
	"runtime"
	"sync"
	"time"

	"versus2048/internal/server/budget"
)

// Figures are computed from the recorded games of events and remembered, with the extent of these games. While more
// games are played the figures may be a little old. Requests for the same figures wait for one computation.
type Figures[K comparable, V any] struct {
	compute func(ctx context.Context, key K) (V, error)
	weight  func(V) int                                 // the cost of keeping a result
	begin   func(context.Context) (*budget.Turn, error) // waits until the next computation may begin
	most    int                                         // the largest sum of the weights of kept results, roughly
	places  chan struct{}                               // limits the computations at once; several Figures may share it
	mu      sync.Mutex
	known   map[K]*computed[V]
}

// Played is the extent of an event's finished games. Figures with equal extents are equal.
type Played struct {
	Games    int
	Reopened int64 // number of times that games were taken back: after that, Games may count other games
	Over     bool  // no game is being played; then figures of fewer games are not enough
}

// computed is the latest result under one key.
type computed[V any] struct {
	latest  V
	has     bool   // latest is set
	of      Played // the extent when the computation began; the result may count later games, too
	err     error
	took    time.Duration // of the last computation, even if it failed
	made    time.Time
	used    time.Time
	running chan struct{} // closed when the computation in progress is over; nil if there is none
}

// due returns the earliest time for the next computation while games are being played, or after a failure.
func (k *computed[V]) due() time.Time {
	pause := figuresShare * k.took
	if k.err != nil {
		pause = max(pause, failurePause)
	}
	return k.made.Add(pause)
}

const (
	// figuresShare limits the work for an event that is being played: figures are computed again after figuresShare
	// times the time of the last computation.
	figuresShare = 20
	// failurePause is the shortest time from a failed computation to the next one under its key.
	failurePause = time.Second
	// DefaultPatience is the patience of an archive that New has made.
	DefaultPatience = 250 * time.Millisecond
)

// computations returns places for computations: one for every four processors, at least one. Each computation uses a
// processor and a connection to the database.
func computations() chan struct{} { return make(chan struct{}, max(1, runtime.NumCPU()/4)) }

// NewFigures returns figures that share the places of an archive's statistics: there is one limit for the computations
// of both. most limits the sum of the weights of kept results.
func NewFigures[K comparable, V any](a *Archive, most int, weight func(V) int, compute func(context.Context, K) (V, error)) *Figures[K, V] {
	return newFigures(a.places, a.arena.ReadForAll, most, weight, compute)
}

func newFigures[K comparable, V any](places chan struct{}, begin func(context.Context) (*budget.Turn, error), most int, weight func(V) int, compute func(context.Context, K) (V, error)) *Figures[K, V] {
	return &Figures[K, V]{compute: compute, weight: weight, begin: begin, most: most, places: places, known: map[K]*computed[V]{}}
}

// Soon returns the figures under a key, if possible for this extent of the games, or else older ones. ok is false if
// there are none after the patience: then the page tells the visitor and asks again. If all computations have failed,
// Soon returns the last one's error.
func (f *Figures[K, V]) Soon(ctx context.Context, key K, of Played, patience time.Duration) (v V, ok bool, err error) {
	k, running := f.find(ctx, key, of)
	if running != nil && patience > 0 {
		budget.Of(ctx).End()
		timeout := time.NewTimer(patience)
		defer timeout.Stop()
		select {
		case <-running:
		case <-timeout.C:
		case <-ctx.Done():
		}
	}
	return f.read(k)
}

// Await returns the figures under a key. It waits without limit if there are none at all, or if they are of another
// extent and no game is being played. If the computation fails, it returns older figures or, without any, the error.
func (f *Figures[K, V]) Await(ctx context.Context, key K, of Played) (v V, err error) {
	if !of.Over {
		if v, ok, err := f.Soon(ctx, key, of, DefaultPatience); ok || err != nil {
			return v, err
		}
	}
	for {
		k, running := f.find(ctx, key, of)
		if running == nil {
			v, _, err = f.read(k)
			return v, err
		}
		budget.Of(ctx).End()
		select {
		case <-running:
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// find returns the result under a key. If the result is not for this extent, or the last computation failed, find
// begins a new computation. While games are being played, or after a failure, it begins none before the time that due
// returns. running is closed when a newer result can be read. It is nil if there is no need to wait.
func (f *Figures[K, V]) find(ctx context.Context, key K, of Played) (k *computed[V], running <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k = f.known[key]; k == nil {
		k = &computed[V]{}
		f.known[key] = k
	}
	k.used = time.Now()
	if k.has && k.of == of && k.err == nil {
		return k, nil
	}
	now := of.Over && k.err == nil
	if k.running == nil && (now || time.Until(k.due()) <= 0) {
		k.running = make(chan struct{})
		go f.run(context.WithoutCancel(ctx), key, k, of)
	}
	if k.has && !now && time.Since(k.made) < time.Second {
		return k, nil // new enough
	}
	return k, k.running
}

// Later returns a channel that is closed when newer figures under a key may be known, or may be computed. It returns
// nil if the figures for this extent of the games are known.
func (f *Figures[K, V]) Later(key K, of Played) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	k, due := f.known[key], make(chan struct{})
	switch {
	case k != nil && k.running != nil:
		return k.running
	case k != nil && k.has && k.of == of && k.err == nil:
		return nil
	case k == nil:
		close(due) // it was forgotten
	default:
		time.AfterFunc(time.Until(k.due()), func() { close(due) })
	}
	return due
}

func (f *Figures[K, V]) read(k *computed[V]) (v V, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k.has {
		return k.latest, true, nil
	}
	return v, false, k.err
}

func (f *Figures[K, V]) run(ctx context.Context, key K, k *computed[V], of Played) {
	v, took, err := f.make(ctx, key)
	f.mu.Lock()
	defer f.mu.Unlock()
	if k.err = err; err == nil {
		k.latest, k.has, k.of = v, true, of
	}
	k.took, k.made = took, time.Now()
	close(k.running)
	k.running = nil
	f.forget(k)
}

// make computes figures once they have a place and a turn, and returns the time of the computation.
func (f *Figures[K, V]) make(ctx context.Context, key K) (v V, took time.Duration, err error) {
	f.places <- struct{}{}
	defer func() { <-f.places }()
	turn, err := f.begin(ctx)
	if err != nil {
		return v, 0, err
	}
	defer turn.End()
	began := time.Now()
	v, err = f.compute(budget.With(ctx, turn), key)
	return v, time.Since(began), err
}

// forget drops the least recently used results while the weights are above the limit. It keeps the newest result, and
// results that are being computed again. The caller holds the lock.
func (f *Figures[K, V]) forget(newest *computed[V]) {
	for {
		sum := 0
		var oldest K
		var old *computed[V]
		for key, k := range f.known {
			sum++ // a failed computation also costs something
			if k.has {
				sum += f.weight(k.latest)
			}
			if k != newest && k.running == nil && (old == nil || k.used.Before(old.used)) {
				oldest, old = key, k
			}
		}
		if sum <= f.most || old == nil {
			return
		}
		delete(f.known, oldest)
	}
}

// mostCataloged is the largest number of games in all kept catalogs, roughly; a game has some 50 bytes.
const mostCataloged = 2_000_000
