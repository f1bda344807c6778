package live

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Wait waits until a thing may have changed, or ctx ends. A nil Wait means that nothing can change any more.
type Wait func(ctx context.Context)

// Until returns a Wait for the close of one of these channels. A nil channel is never closed.
func Until(changed ...<-chan struct{}) Wait {
	return func(ctx context.Context) {
		cases := []reflect.SelectCase{}
		for _, c := range append(slices.Clip(changed), ctx.Done()) {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
		}
		reflect.Select(cases)
	}
}

// looker returns the state of a thing, and the wait for the next state. last is the previous state, at first the zero
// value. A looker that returns last reports that nothing has changed.
type looker[S comparable] func(ctx context.Context, id int64, last S) (now S, next Wait, err error)

// hub has the watched things of one kind, by their numbers. All watchers of a thing share the cost of the looks at it.
type hub[S comparable] struct {
	look     looker[S]
	interval time.Duration // the shortest time between two looks
	mu       sync.Mutex
	open     map[int64]*thing[S]
}

func newHub[S comparable](interval time.Duration, look looker[S]) *hub[S] {
	return &hub[S]{look: look, interval: interval, open: map[int64]*thing[S]{}}
}

// thing is a game or an event with watchers.
type thing[S comparable] struct {
	watchers int // counted by the hub
	close    context.CancelFunc

	mu      sync.Mutex
	latest  S
	next    Wait          // nil if latest is the last state
	changed chan struct{} // closed when latest changes or becomes the last state
}

// follow calls show with the state of a thing, and after each change with the latest state. If states change faster
// than show returns, follow skips some of them. It ends when show returns false or an error, nothing can change any
// more, ctx ends, or the reader of the stream is gone.
func (h *hub[S]) follow(ctx context.Context, to *Stream, id int64, show func(now S) (more bool, err error)) error {
	t, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	defer h.leave(id, t)
	for {
		now, final, changed := t.state()
		more, err := show(now)
		if err != nil || !more || final {
			return err
		}
		if err := to.Wait(ctx, changed); err != nil {
			return err
		}
	}
}

// enter begins to watch a thing. The caller calls leave at the end.
func (h *hub[S]) enter(ctx context.Context, id int64) (*thing[S], error) {
	if t := h.join(id, nil); t != nil {
		return t, nil
	}
	var none S
	first, next, err := h.look(ctx, id, none) // without the lock: the database may be busy
	if err != nil {
		return nil, err
	}
	return h.join(id, func() *thing[S] { return h.begin(ctx, id, first, next) }), nil
}

// join adds a watcher to a thing. If nobody watches it yet, join makes it with begin, or returns nil without begin.
func (h *hub[S]) join(id int64, begin func() *thing[S]) *thing[S] {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.open[id]
	if t == nil && begin != nil {
		t = begin()
		h.open[id] = t
	}
	if t != nil {
		t.watchers++
	}
	return t
}

// begin returns a thing with its first state. It starts the looks at the thing if there is a next state to wait for.
func (h *hub[S]) begin(ctx context.Context, id int64, first S, next Wait) *thing[S] {
	life, end := context.WithCancel(context.WithoutCancel(ctx)) // #nosec G118 -- close calls it
	t := &thing[S]{latest: first, next: next, changed: make(chan struct{}), close: end}
	if next != nil {
		go h.watch(life, id, t)
	}
	return t
}

func (h *hub[S]) leave(id int64, t *thing[S]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.watchers--; t.watchers == 0 {
		t.close()
		delete(h.open, id)
	}
}

// watch looks at a thing after each change, until nothing can change any more or nobody watches it.
func (h *hub[S]) watch(ctx context.Context, id int64, t *thing[S]) {
	last, next := t.latest, t.next // only this goroutine changes them
	pause := time.After(h.interval)
	for next != nil {
		next(ctx)
		select {
		case <-pause:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return
		}
		pause = time.After(h.interval)
		now, after, err := h.look(ctx, id, last)
		if err != nil {
			continue // the database may be busy; next returns at once now, and the look is repeated after the pause
		}
		last, next = now, after
		t.set(now, next)
	}
}

// set sets the latest state. It closes changed if the state is new, or has become the last one.
func (t *thing[S]) set(now S, next Wait) {
	t.mu.Lock()
	defer t.mu.Unlock()
	same := t.latest == now && (t.next == nil) == (next == nil)
	t.latest, t.next = now, next
	if same {
		return
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

// state returns the latest state, and whether it is the last one. changed is closed when one of the two changes.
func (t *thing[S]) state() (now S, final bool, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.latest, t.next == nil, t.changed
}
