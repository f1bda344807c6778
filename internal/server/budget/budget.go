package budget

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// Quota is the part of the machine that strangers have while events are played. Their connections and the collection of
// their garbage come on top: in all, strangers use a fifth of the machine.
const Quota = 0.12

// Slice is the longest time of one turn of a search for a stranger while events are played.
const Slice = 100 * time.Millisecond

const (
	overhead    = 100 * time.Microsecond // of a request, outside of its handler
	longest     = 100 * time.Millisecond // time to compute an answer: an answer that takes longer waits for something
	lookEach    = 50 * time.Millisecond  // between two questions whether games are played
	busyAfter   = time.Second            // how long strangers still wait after the last game: the next game may begin soon
	leastPause  = time.Millisecond       // between two looks at the queues, at least
	longestRest = 250 * time.Millisecond // between two looks at the queues, at most
	mostPay     = 24 * time.Hour         // of the debts at once: more than any debt, and small enough for a time.Duration
)

// Work is a kind of work for strangers. Each kind has its own queue. While both Answers and Searches wait, each of them
// has half of the quota.
type Work int

// The kinds of work.
const (
	Answers  Work = iota // to requests: milliseconds each
	Searches             // searches of bots, counts and statistics: seconds each
	reads                // the places of searches that read a database: see Read
	works
)

// mostSearches is the number of searches that may wait for their turn, mostSearchesFrom the number from one other
// machine.
const (
	mostSearches     = 256
	mostSearchesFrom = 4
)

// ErrTooMany is wrapped by the error for a search that comes while too many wait.
var ErrTooMany = errors.New("too many searches")

// mostReads is the number of searches that may read a database at once, each with at most two of the eight connections.
const mostReads = 2

// Budget divides processor time between events and strangers. Its methods may be called from several goroutines.
type Budget struct {
	busy       func() bool // whether games of events are played
	processors int         // of the machine

	mu      sync.Mutex
	lanes   [works]lane
	paid    time.Time // when the debts were last reduced; zero at first
	looked  time.Time // when busy was last called
	seen    time.Time // when busy last returned true
	playing bool      // whether seen is recent
	timer   *time.Timer
}

// lane is the work of one kind.
type lane struct {
	running int           // turns that have begun and not ended
	debt    time.Duration // processor time that was used and is not paid; less than 0 if some is saved
	queue   queue
}

// New returns a budget. busy reports whether games of events are played, which have priority over strangers; it is
// called several times a second, and must return at once.
func New(busy func() bool) *Budget {
	return &Budget{busy: busy, processors: runtime.GOMAXPROCS(0)}
}

// Begin waits for a turn, however many wait already. The error is the context's.
func (b *Budget) Begin(ctx context.Context, work Work, from netip.Prefix) (*Turn, error) {
	return b.begin(ctx, work, from, func(netip.Prefix) error { return nil })
}

// begin is Begin for work that admit may refuse with an error. admit is called with the lock held.
func (b *Budget) begin(ctx context.Context, work Work, from netip.Prefix, admit func(netip.Prefix) error) (*Turn, error) {
	t := &Turn{budget: b, work: work, from: from, ready: make(chan struct{})}
	b.mu.Lock()
	if err := admit(from); err != nil {
		b.mu.Unlock()
		return nil, err
	}
	b.lanes[work].queue.add(t)
	b.dispatch()
	b.mu.Unlock()
	select {
	case <-t.ready:
		return t, nil
	case <-ctx.Done():
		b.giveUp(t)
		return nil, ctx.Err()
	}
}

// Search is Begin for a search, which is refused with [ErrTooMany] if many wait already.
func (b *Budget) Search(ctx context.Context, from netip.Prefix) (*Turn, error) {
	return b.begin(ctx, Searches, from, b.admit)
}

// Read is Search for a search that reads much of a database. Such a search keeps its connections while it waits for its
// next turn ([Turn.Yield]), so few may read at once: other searches that have a turn must find a connection.
func (b *Budget) Read(ctx context.Context, from netip.Prefix) (*Turn, error) {
	place, err := b.begin(ctx, reads, from, b.admit)
	if err != nil {
		return nil, err
	}
	turn, err := b.Begin(ctx, Searches, from)
	if err != nil {
		place.End()
		return nil, err
	}
	turn.place = place
	return turn, nil
}

// giveUp takes a turn out of the queue, or ends it if it has just begun.
func (b *Budget) giveUp(t *Turn) {
	b.mu.Lock()
	waited := b.lanes[t.work].queue.remove(t)
	b.mu.Unlock()
	if !waited {
		t.End()
	}
}

// Playing reports whether events are played, so that strangers have to wait for their turns.
func (b *Budget) Playing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isBusy(time.Now())
}

// admit refuses a search if many wait already. The caller holds the lock.
func (b *Budget) admit(from netip.Prefix) error {
	all, own := b.waiting(Searches, from)
	if all >= mostSearches || own >= mostSearchesFrom && from.IsValid() && !from.Addr().IsLoopback() {
		return fmt.Errorf("%w: %d wait for their turn here, %d of them from your address", ErrTooMany, all, own)
	}
	return nil
}

// Waiting returns the number of turns for a kind of work that have not begun yet, in all and of one address. Searches
// include the searches that wait to read a database.
func (b *Budget) Waiting(work Work, from netip.Prefix) (all, own int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting(work, from)
}

// waiting is Waiting for a caller that holds the lock.
func (b *Budget) waiting(work Work, from netip.Prefix) (all, own int) {
	for i := range b.lanes {
		if Work(i) == work || work == Searches && Work(i) == reads {
			q := &b.lanes[i].queue
			all, own = all+q.length, own+len(q.by[from])
		}
	}
	return all, own
}

// dispatch begins turns while there is room. The caller holds the lock.
func (b *Budget) dispatch() {
	now := time.Now()
	b.settle(now)
	waiting, pause := false, longestRest
	for i := range b.lanes {
		l := &b.lanes[i]
		for l.queue.length > 0 && b.hasRoom(Work(i)) {
			l.running++
			l.queue.next().begin(now)
		}
		if l.queue.length > 0 {
			waiting = true
			if l.debt > 0 { // else the end of a turn makes room
				pause = min(pause, time.Duration(float64(l.debt)/b.rate()))
			}
		}
	}
	if waiting {
		b.lookAgain(max(leastPause, pause))
	}
}

// lookAgain dispatches after a while. The caller holds the lock.
func (b *Budget) lookAgain(after time.Duration) {
	if b.timer != nil {
		b.timer.Reset(after)
		return
	}
	b.timer = time.AfterFunc(after, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.dispatch()
	})
}

// hasRoom reports whether another turn may begin. The caller holds the lock and has settled.
func (b *Budget) hasRoom(work Work) bool {
	l := &b.lanes[work]
	switch {
	case work == reads:
		return l.running < mostReads
	case b.playing:
		return l.debt <= 0 && l.running < max(1, b.processors/2)
	case work == Searches:
		return l.running < b.processors
	}
	return true
}

// rate returns the number of processors that strangers have while events are played.
func (b *Budget) rate() float64 { return Quota * float64(b.processors) }

// settle pays off the debts by the time that has passed: each kind of work has half of the quota, and the part of the
// other half that the other kind does not need. A little may be saved up, so that a visitor who asks for few pages gets
// them at once, and a search pays while it runs. While no event is played, nobody has debts. The caller holds the lock.
func (b *Budget) settle(now time.Time) {
	pay := time.Duration(min(float64(now.Sub(b.paid))*b.rate(), float64(mostPay)))
	b.paid = now
	saved := time.Duration(float64(Slice) * b.rate())
	answers, searches := &b.lanes[Answers].debt, &b.lanes[Searches].debt
	if !b.isBusy(now) {
		*answers, *searches = -saved, -saved
		return
	}
	first := min(*answers+saved, pay/2)
	second := min(*searches+saved, pay-first)
	first = min(*answers+saved, pay-second)
	*answers -= first
	*searches -= second
}

// isBusy reports whether events are played, or were less than busyAfter ago. The caller holds the lock.
func (b *Budget) isBusy(now time.Time) bool {
	if b.looked.IsZero() || now.Sub(b.looked) >= lookEach {
		b.looked = now
		if b.busy() {
			b.seen = now
		}
		b.playing = !b.seen.IsZero() && now.Sub(b.seen) < busyAfter
	}
	return b.playing
}
