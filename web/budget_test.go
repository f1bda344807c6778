package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"versus2048/internal/siege/stranger"
	"versus2048/tournament"
)

// Each route costs strangers what its row in docs/SECURITY.md says: those that pay with a search wait for one, and no other
// route does.
func TestRoutesPayAsTheyPromise(t *testing.T) {
	routes, err := stranger.Routes("../docs/SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	routes = slices.DeleteFunc(routes, func(r stranger.Route) bool { return r.Pays == "operator" || r.Pays == "bot" })
	h := open(t)
	h.play(func(e *tournament.Event) { e.Matches = 2 })
	h.waiting("cat", 8)
	h.start(func(e *tournament.Event) { e.Bots = []string{"cat", "dan=greedy"} }) // goes on until the arena closes
	h.until(func(playing bool, _ int) bool { return playing })
	for _, r := range routes {
		if r.Pays == "answer" { // figures are computed once, as a search for all who ask
			h.ask(t, r)
		}
	}
	h.until(func(_ bool, waiting int) bool { return waiting == 0 })
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		turn, err := h.server.Think(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(turn.End)
	}
	for _, r := range routes {
		if waited := h.ask(t, r); waited != (r.Pays == "search") {
			t.Errorf("%s: it pays with: %s; a request waits for a search: %t", r.Pattern, r.Pays, waited)
		}
	}
}

// ask sends the requests of a route, and reports whether one of them waits for a search.
func (h *house) ask(t *testing.T, r stranger.Route) (waited bool) {
	t.Helper()
	requests, err := r.Requests()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range requests {
		ctx, leave := context.WithTimeout(t.Context(), time.Minute)
		request, err := stranger.NewRequest(h.url, r.Method(), text, 1)
		if err != nil {
			t.Fatal(err)
		}
		answered := make(chan error, 1)
		go func() {
			answer, err := http.DefaultTransport.RoundTrip(request.WithContext(ctx))
			if err == nil && r.Pays == "search" { // which a stream may do after its header
				_, _ = io.Copy(io.Discard, answer.Body)
			}
			if err == nil {
				err = answer.Body.Close()
			}
			answered <- err
		}()
		if h.waits(t, answered) {
			waited = true
		}
		leave()
		h.until(func(_ bool, waiting int) bool { return waiting == 0 })
	}
	return waited
}

// until waits until the arena is as busy as a test wants.
func (h *house) until(holds func(playing bool, waiting int) bool) {
	for !holds(h.server.Busy()) {
		<-time.After(time.Millisecond)
	}
}

// waits reports whether a request waits for a search instead of being answered.
func (h *house) waits(t *testing.T, answered <-chan error) bool {
	t.Helper()
	for {
		select {
		case err := <-answered:
			if err != nil {
				t.Error(err)
			}
			return false
		case <-time.After(time.Millisecond):
			if _, n := h.server.Busy(); n > 0 {
				return true
			}
		}
	}
}
