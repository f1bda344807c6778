package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Stream is an answer of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController

	mu   sync.Mutex // held while something is sent
	sent time.Time  // when something was sent last
}

// errNoBody is the error of a stream for a request that gets no body.
var errNoBody = errors.New("an answer to HEAD has no body, and would never end")

// NewStream begins the answer to a request. It returns an error if the answer may have no body or the reader is gone.
// The browser reconnects by itself a second after the connection is lost.
func NewStream(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // makes a proxy pass on each event at once
	if r.Method == http.MethodHead {
		return nil, errNoBody
	}
	s := &Stream{w: w, control: http.NewResponseController(w)}
	return s, s.Send([]byte("retry: 1000\n\n"))
}

// Send sends encoded events. It waits for a slow reader, which therefore gets fewer states. The arena closes a
// connection if its reader stops for long.
func (s *Stream) Send(event []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.w.Write(event); err != nil {
		return err
	}
	s.sent = time.Now()
	return s.control.Flush()
}

// heartbeat is the time from one event to the next while nothing else happens. Such an event shows both sides that the
// connection still works, and keeps proxies from closing the connection as idle. It is an event, since scripts do not
// see the comments of a stream.
const heartbeat = 10 * time.Second

// silence returns the time until the next heartbeat is due.
func (s *Stream) silence() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return heartbeat - time.Since(s.sent)
}

// Wait waits until changed is closed, and sends each heartbeat that is due. It returns an error if the reader is gone
// or ctx ends.
func (s *Stream) Wait(ctx context.Context, changed <-chan struct{}) error {
	beat := time.NewTimer(s.silence())
	defer beat.Stop()
	for {
		select {
		case <-changed:
			return nil
		case <-beat.C:
			if s.silence() <= 0 {
				if err := s.Send([]byte("event: beat\ndata: 0\n\n")); err != nil {
					return err
				}
			}
			beat.Reset(s.silence())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Rest sends nothing but heartbeats for a while. It returns an error if the reader is gone or ctx ends.
func (s *Stream) Rest(ctx context.Context, while time.Duration) error {
	moment, end := context.WithTimeout(ctx, while)
	defer end()
	if err := s.Wait(moment, nil); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ctx.Err()
}

// Event returns an event of a stream; its data is a value in JSON. The id may be empty. For a value without a form in
// JSON, Event returns an event “problem” with the error.
func Event(kind, id string, value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		kind, data = "problem", []byte(strconv.Quote(err.Error()))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", kind)
	if id != "" {
		fmt.Fprintf(&b, "id: %s\n", id)
	}
	fmt.Fprintf(&b, "data: %s\n\n", data) // JSON has no line breaks
	return b.Bytes()
}

// Seen returns the id of the last event that the reader of a stream has: from before it reconnected, or from its page.
func Seen(r *http.Request) string {
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		return id
	}
	return r.FormValue("seen")
}
