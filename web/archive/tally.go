package archive

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"versus2048/results"
	"versus2048/tournament"
)

// tallies remembers the statistics of events by the number of their finished games.
type tallies struct {
	store *results.Store
	mu    sync.Mutex
	known *lru.Cache[int64, *tallied]
}

func newTallies(store *results.Store) *tallies {
	known, _ := lru.New[int64, *tallied](mostTallied) // fails only without any room
	return &tallies{store: store, known: known}
}

// tallied is what is known of one event.
type tallied struct {
	latest  *Statistics
	err     error
	took    time.Duration // to compute the latest
	made    time.Time
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
	k, found := t.known.Get(e.ID)
	if !found {
		k = &tallied{}
		t.known.Add(e.ID, k)
	}
	fresh := k.latest != nil && k.latest.Finished == finished && k.err == nil
	if !fresh && k.running == nil && time.Since(k.made) >= tallyShare*k.took {
		k.running = make(chan struct{})
		go t.compute(context.WithoutCancel(ctx), k, e)
	}
	running, latest, err, recent := k.running, k.latest, k.err, time.Since(k.made) < time.Second
	t.mu.Unlock()
	switch {
	case latest != nil && (running == nil || fresh || recent):
		return latest, nil
	case running == nil:
		return nil, err
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
