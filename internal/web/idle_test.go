package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"versus2048/internal/web"
	"versus2048/internal/web/live"
	"versus2048/tournament"
)

// reader is the reader of a stream. The channel gets each state and each frame.
type reader struct {
	header http.Header
	got    chan string
}

func (r reader) Header() http.Header { return r.header }
func (reader) WriteHeader(int)       {}
func (reader) Flush()                {}

func (r reader) Write(p []byte) (int, error) {
	if text := string(p); strings.HasPrefix(text, "event: state") || strings.HasPrefix(text, "event: frame") {
		r.got <- text
	}
	return len(p), nil
}

// follow reads a stream until the test ends.
func follow(t *testing.T, stream func(context.Context, *live.Stream, int64) error, id int64) <-chan string {
	t.Helper()
	r := reader{http.Header{}, make(chan string, 1000)}
	to, err := live.NewStream(r, httptest.NewRequest(http.MethodGet, "/", nil))
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = stream(t.Context(), to, id) }() // the test has ended
	return r.got
}

// While a bot thinks, nothing looks at its game for the pages of the game, of the event and of all boards, however much
// another event plays. Then each of its plies causes at most one look for each page that shows it.
func TestIdleEventCausesNoWork(t *testing.T) {
	h := open(t)
	s := h.slow(nil)
	looks := web.NewLooks(h.server, h.store)
	game := follow(t, looks.Game, s.game)
	for range 3 {
		<-follow(t, looks.Event, s.event)
		<-follow(t, looks.Boards, s.event)
	}
	<-game
	begun := looks.Load()
	if begun > 6 { // each thing may have changed once after the first look
		t.Errorf("%d looks for the first watchers, want one for all of each page", begun)
	}
	h.play(func(e *tournament.Event) {
		e.Matches, e.Bots = 40, []string{"eve=mcts:playouts=30", "fay=mcts:playouts=30"}
	})
	if n := looks.Load() - begun; n > 3 {
		t.Errorf("%d looks at an event in which nothing happens", n)
	}
	before := looks.Load()
	const steps = 5
	for range steps {
		s.step(1)
		<-game
	}
	// Ann's ply and the answer to it are two changes of the game and of the boards.
	if n := looks.Load() - before; n > 4*steps+3 {
		t.Errorf("%d looks for %d plies", n, 2*steps)
	}
}
