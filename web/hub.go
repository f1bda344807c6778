package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"
)

// hub tells watchers how things stand, such as events, each by its number. It looks at what is watched
// once in each interval, however many watch, and every message holds the whole state: a watcher that is
// slow, or was away, misses nothing that still matters.
type hub struct {
	interval time.Duration
	// look returns the state of a thing, for JSON, and whether it can still change.
	look func(ctx context.Context, id int64) (state any, live bool, err error)
	mu   sync.Mutex
	open map[int64]*watched
}

func newHub(interval time.Duration, look func(ctx context.Context, id int64) (any, bool, error)) *hub {
	return &hub{interval: interval, look: look, open: map[int64]*watched{}}
}

// watched is one thing that is being watched.
type watched struct {
	watchers int // counted by the hub
	close    context.CancelFunc

	mu      sync.Mutex
	message []byte        // the latest state, as an event of a stream
	tag     string        // of the message
	live    bool          // there may be a later one
	changed chan struct{} // closed when there is
}

// set makes a state the latest one, unless it is that already.
func (x *watched) set(state any, live bool) {
	text, err := json.Marshal(state)
	if err != nil {
		return // a state is plain data
	}
	sum := sha256.Sum256(text)
	tag := hex.EncodeToString(sum[:8])
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.tag == tag && x.live == live {
		return
	}
	x.message, x.tag, x.live = event("state", tag, json.RawMessage(text)), tag, live
	close(x.changed)
	x.changed = make(chan struct{})
}

func (x *watched) latest() (message []byte, tag string, live bool, changed <-chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.message, x.tag, x.live, x.changed
}

// enter begins to watch. The caller calls leave at the end.
func (h *hub) enter(ctx context.Context, id int64) (x *watched, leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x = h.open[id]
	if x == nil {
		state, live, err := h.look(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		life, end := context.WithCancel(context.WithoutCancel(ctx))
		x = &watched{changed: make(chan struct{}), close: end}
		x.set(state, live)
		h.open[id] = x
		if live {
			go h.watch(life, id, x)
		}
	}
	x.watchers++
	return x, func() { h.leave(id, x) }, nil
}

func (h *hub) leave(id int64, x *watched) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if x.watchers--; x.watchers == 0 {
		x.close()
		delete(h.open, id)
	}
}

// watch looks until nothing can change any more or nobody watches.
func (h *hub) watch(ctx context.Context, id int64, x *watched) {
	ticker := time.NewTicker(h.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		state, live, err := h.look(ctx, id)
		if err != nil {
			continue // the database may be busy
		}
		x.set(state, live)
		if !live {
			return
		}
	}
}

// follow sends the states of a thing until it cannot change any more or the reader is gone. seen is the
// tag of the message that the reader has.
func (h *hub) follow(ctx context.Context, to *stream, id int64, seen string) error {
	x, leave, err := h.enter(ctx, id)
	if err != nil {
		return err
	}
	defer leave()
	for {
		message, tag, live, changed := x.latest()
		if tag != seen {
			if err := to.send(message); err != nil {
				return err
			}
			seen = tag
		}
		if !live {
			return to.send([]byte("event: end\ndata: null\n\n"))
		}
		if err := to.wait(ctx, changed); err != nil {
			return err
		}
	}
}
