package archive

import (
	"context"
	"sync"
	"time"

	"versus2048/results"
	"versus2048/tournament"
)

// tallies remembers the statistics of events by the number of their finished games.
type tallies struct {
	store *results.Store
	mu    sync.Mutex
	known map[int64]*tallied
}

func newTallies(store *results.Store) *tallies {
	return &tallies{store: store, known: map[int64]*tallied{}}
}

// tallied is what is known of one event.
type tallied struct {
	latest  *Statistics
	err     error
	took    time.Duration // to compute the latest
	made    time.Time
	used    time.Time
	running chan struct{} // closed when the computation in progress is over; nil if there is none
}

const (
	mostTallied = 64 // events
	// tallyShare is the part of the time for which the statistics of an event that is being played
	// are computed at most.
	tallyShare = 10
	// patience is how long a page waits for what is not known yet before it is shown without it.
	patience = 250 * time.Millisecond
)

// of returns an event's statistics, given how many of its games are finished. While more games are
// played they may be a little old. They are nil if it takes longer to compute them: then the page says
// so and asks again.
func (t *tallies) of(ctx context.Context, e tournament.Event, finished int) (*Statistics, error) {
	t.mu.Lock()
	k := t.known[e.ID]
	if k == nil {
		k = &tallied{}
		t.known[e.ID] = k
		t.forget()
	}
	k.used = time.Now()
	fresh := k.latest != nil && k.latest.Finished == finished && k.err == nil
	if !fresh && k.running == nil && time.Since(k.made) >= tallyShare*k.took {
		k.running = make(chan struct{})
		go t.compute(context.WithoutCancel(ctx), k, e)
	}
	running, latest := k.running, k.latest
	t.mu.Unlock()
	if fresh || running == nil {
		return latest, k.failure()
	}
	if latest != nil && time.Since(k.made) < time.Second {
		return latest, nil
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-running:
	case <-timeout.C:
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return k.latest, k.err
}

func (k *tallied) failure() error {
	if k.latest != nil {
		return nil
	}
	return k.err
}

func (t *tallies) compute(ctx context.Context, k *tallied, e tournament.Event) {
	began := time.Now()
	s, err := tally(ctx, t.store, e)
	t.mu.Lock()
	defer t.mu.Unlock()
	if k.err = err; err == nil {
		k.latest = s
	}
	k.took, k.made = time.Since(began), time.Now()
	close(k.running)
	k.running = nil
}

// forget drops the statistics that have not been asked for the longest, if there are too many. The
// caller holds the lock.
func (t *tallies) forget() {
	if len(t.known) <= mostTallied {
		return
	}
	var oldest int64
	for id, k := range t.known {
		if k.running == nil && (oldest == 0 || k.used.Before(t.known[oldest].used)) && !k.used.IsZero() {
			oldest = id
		}
	}
	delete(t.known, oldest)
}
