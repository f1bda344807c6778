package budget

import (
	"context"
	"net/netip"
	"slices"
	"time"
)

// Turn is a stranger's turn to have work done. A nil Turn stands for work that need not wait, and sets no limits.
type Turn struct {
	budget *Budget
	work   Work
	from   netip.Prefix
	ready  chan struct{} // closed when it has begun
	place  *Turn         // of a search that reads a database, nil for others

	// Guarded by the budget's lock:
	began time.Time
	ended bool
	timer *time.Timer // ends an answer that waits for something
}

// begin begins the turn. The caller holds the budget's lock.
func (t *Turn) begin(now time.Time) {
	t.began = now
	if t.work == Answers {
		t.timer = time.AfterFunc(longest, t.End)
	}
	close(t.ready)
}

// End ends the turn and charges its time to strangers. It may be called more than once.
func (t *Turn) End() {
	if t != nil {
		t.end()
		t.place.End()
	}
}

// end ends the turn, but keeps its place among the searches that read a database.
func (t *Turn) end() {
	b := t.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.ended {
		return
	}
	t.ended = true
	cost := time.Since(t.began)
	if t.timer != nil {
		t.timer.Stop()
		cost = min(cost, longest)
	}
	l := &b.lanes[t.work]
	l.running--
	b.settle(time.Now())
	if t.work != reads {
		l.debt += cost + overhead
	}
	b.dispatch()
}

// charge charges the overhead of a request that was answered in the turn of another one.
func (b *Budget) charge(work Work) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle(time.Now())
	b.lanes[work].debt += overhead
}

// Limit returns the limit for the time of the work: [Slice] while events are played, else 0 for no limit.
func (t *Turn) Limit() time.Duration {
	if t == nil || !t.budget.Playing() {
		return 0
	}
	return Slice
}

// Within returns a context for work that may take no longer than most, and no longer than [Turn.Limit]. A most of 0
// sets no limit.
func (t *Turn) Within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if limit := t.Limit(); limit > 0 && (most == 0 || limit < most) {
		most = limit
	}
	if most == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, most)
}

// Yield ends a turn that has lasted a [Slice] and waits for the next one, so that others have their turns meanwhile. It
// lets a shorter turn go on. If ctx ends, Yield returns the error of ctx, and the turn may have ended.
func (t *Turn) Yield(ctx context.Context) error {
	if t == nil || t.Limit() == 0 || time.Since(t.began) < Slice {
		return ctx.Err()
	}
	t.end()
	next, err := t.budget.Begin(ctx, t.work, t.from)
	if err != nil {
		return err
	}
	t.budget.mu.Lock()
	defer t.budget.mu.Unlock()
	t.began, t.ended = next.began, false // it goes on as the next turn
	return nil
}

// turnKey is the key of the contexts of work that has a turn.
type turnKey struct{}

// Of returns the turn that work with this context has, nil for none.
func Of(ctx context.Context) *Turn {
	t, _ := ctx.Value(turnKey{}).(*Turn)
	return t
}

// With returns a context for the work of a turn.
func With(ctx context.Context, t *Turn) context.Context { return context.WithValue(ctx, turnKey{}, t) }

// queue holds the turns that have not begun, by address. Each address has its turns in the order of their arrival.
type queue struct {
	order  []netip.Prefix // of the addresses that wait, the next one first
	by     map[netip.Prefix][]*Turn
	length int // the number of turns
}

func (q *queue) add(t *Turn) {
	if q.by == nil {
		q.by = map[netip.Prefix][]*Turn{}
	}
	if len(q.by[t.from]) == 0 {
		q.order = append(q.order, t.from)
	}
	q.by[t.from] = append(q.by[t.from], t)
	q.length++
}

// next takes the next turn out of a queue that is not empty.
func (q *queue) next() *Turn {
	from := q.order[0]
	t := q.by[from][0]
	q.remove(t)
	if len(q.by[from]) > 0 { // the other addresses come before the next turn of this one
		q.order = append(q.order[1:], from)
	}
	return t
}

// remove takes a turn out of the queue, and reports whether it was there.
func (q *queue) remove(t *Turn) bool {
	i := slices.Index(q.by[t.from], t)
	if i < 0 {
		return false
	}
	q.length--
	q.by[t.from] = slices.Delete(q.by[t.from], i, i+1)
	if len(q.by[t.from]) == 0 {
		delete(q.by, t.from)
		q.order = slices.DeleteFunc(q.order, func(from netip.Prefix) bool { return from == t.from })
	}
	return true
}
