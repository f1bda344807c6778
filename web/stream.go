package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// stream is an answer of server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// newStream begins the answer. The browser comes back by itself a second after the connection is
// lost.
func newStream(w http.ResponseWriter) (*stream, error) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy passes each event on at once
	s := &stream{w, http.NewResponseController(w)}
	return s, s.send([]byte("retry: 1000\n\n"))
}

// send sends encoded events. It waits for a slow reader, which therefore gets fewer. The arena closes
// connections that take nothing for long.
func (s *stream) send(event []byte) error {
	if _, err := s.w.Write(event); err != nil {
		return err
	}
	return s.control.Flush()
}

// heartbeat is how often something is sent while nothing happens, so that both sides notice that the
// connection is lost. It is an event, since scripts do not see comments.
const heartbeat = 10 * time.Second

// wait waits until changed is closed, and sends something now and then. It returns an error if the
// reader is gone.
func (s *stream) wait(ctx context.Context, changed <-chan struct{}) error {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-changed:
			return nil
		case <-beat.C:
			if err := s.send([]byte("event: beat\ndata: 0\n\n")); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// encode returns a frame as an event. Its id says which game and ply the reader has.
func encode(f frame) []byte { return event("frame", fmt.Sprintf("%d-%d", f.Game, f.Ply), f) }

// event returns an event of a stream whose data is a value in JSON.
func event(kind, id string, value any) []byte {
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

// lastSeen returns the game and ply that the reader of a stream has: of the last event before it came
// back, or those that its page was made with.
func lastSeen(r *http.Request) (game int64, ply int) {
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		id = r.FormValue("seen")
	}
	number, after, _ := strings.Cut(id, "-")
	game, _ = strconv.ParseInt(number, 10, 64) // 0: nothing
	ply, _ = strconv.Atoi(after)
	return game, max(0, ply)
}

// follow sends the frames of a game from a ply on until the last one sent is enough or the reader is
// gone.
func (s *Site) follow(ctx context.Context, to *stream, game int64, ply int, enough func(*snapshot) bool) error {
	room, leave, err := s.rooms.enter(ctx, game)
	if err != nil {
		return err
	}
	defer leave()
	for {
		frame, now, changed := room.since(ply)
		if err := to.send(frame); err != nil || enough(now) {
			return err
		}
		ply = len(now.game.Record.Moves)
		if err := to.wait(ctx, changed); err != nil {
			return err
		}
	}
}
