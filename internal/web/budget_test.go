package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/budget"
	"versus2048/internal/siege/stranger"
	"versus2048/tournament"
)

// Each route costs strangers its price in docs/SECURITY.md: routes that pay with a search wait for one, and no other
// route does.
func TestRoutesPayAsTheyPromise(t *testing.T) {
	routes, err := stranger.Routes("../../docs/SECURITY.md")
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
		if r.Pays == "answer" { // figures are computed once, as a search for all requests
			h.ask(t, r)
		}
	}
	h.until(func(_ bool, waiting int) bool { return waiting == 0 })
	h.hold(max(1, runtime.GOMAXPROCS(0)/2))
	for _, r := range routes {
		if waited := h.ask(t, r); waited != (r.Pays == "search") {
			t.Errorf("%s: it pays with: %s; a request waits for a search: %t", r.Pattern, r.Pays, waited)
		}
	}
}

// hold takes n turns of searches.
func (h *host) hold(n int) (turns []*budget.Turn) {
	h.t.Helper()
	for range n {
		turn, err := h.think()
		h.must(err)
		h.t.Cleanup(turn.End)
		turns = append(turns, turn)
	}
	return turns
}

// think waits for the turn of a search.
func (h *host) think() (*budget.Turn, error) {
	return h.server.Think(httptest.NewRequestWithContext(h.t.Context(), http.MethodGet, "/", nil))
}

// Requests for the marks of one game wait for the same judging, and are all answered.
func TestMarksForSeveralRequests(t *testing.T) {
	h := open(t)
	marks := fmt.Sprintf("%s/api/games/%d/marks", h.URL(), h.recorded(cooperate()[:400]).ID)
	ask := func() <-chan error {
		answered := make(chan error, 1)
		go func() {
			answer, err := http.Get(marks)
			if err == nil {
				defer answer.Body.Close()
				var got struct{ Judged int }
				if err = json.NewDecoder(answer.Body).Decode(&got); err == nil && got.Judged == 0 {
					err = errors.New("nothing is judged")
				}
			}
			answered <- err
		}()
		return answered
	}
	h.waiting("cat", 8)
	event := h.start(func(e *tournament.Event) { e.Bots = []string{"cat", "dan=greedy"} }) // goes on until it is stopped
	h.until(func(playing bool, _ int) bool { return playing })
	held := h.hold(max(1, runtime.GOMAXPROCS(0)/2))
	first := ask()
	h.until(func(_ bool, waiting int) bool { return waiting == 1 })
	second := ask()
	held[0].End()
	h.must(h.server.Stop(t.Context(), event))
	for _, answered := range []<-chan error{first, second} {
		if err := <-answered; err != nil {
			t.Error(err)
		}
	}
}

// A slow reader of a film holds no turn of a search.
func TestSlowReaderOfFilm(t *testing.T) {
	h := open(t)
	id := fmt.Sprintf("%d.gif", h.recorded(cooperate()[:20]).ID)
	h.hold(runtime.GOMAXPROCS(0) - 1) // all but one
	routes := h.site.Routes()
	i := slices.IndexFunc(routes, func(r server.Route) bool { return r.Pattern == "GET /games/{game}" })
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/games/"+id, nil)
	request.SetPathValue("game", id)
	reader := &slowReader{ResponseRecorder: httptest.NewRecorder(), read: func() {
		begun := make(chan error, 1)
		go func() {
			turn, err := h.think()
			if err == nil {
				turn.End()
			}
			begun <- err
		}()
		if h.waits(t, begun) {
			t.Error("a search waits for the reader of a film")
		}
	}}
	routes[i].Serve(reader, request)
	if !strings.HasPrefix(reader.Body.String(), "GIF89a") {
		t.Errorf("the film is %.40q", reader.Body)
	}
}

// slowReader takes an answer once read has returned.
type slowReader struct {
	*httptest.ResponseRecorder
	read func()
}

func (r *slowReader) Write(p []byte) (int, error) {
	r.read()
	return r.ResponseRecorder.Write(p)
}

// ask sends the requests of a route, and reports whether one of them waits for a search.
func (h *host) ask(t *testing.T, r stranger.Route) (waited bool) {
	t.Helper()
	requests, err := r.Requests()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range requests {
		ctx, leave := context.WithTimeout(t.Context(), time.Minute)
		request, err := stranger.NewRequest(h.URL(), r.Method(), text, 1)
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
func (h *host) until(holds func(playing bool, waiting int) bool) {
	for !holds(h.server.Busy()) {
		<-time.After(time.Millisecond)
	}
}

// waits reports whether a request waits for a search instead of being answered.
func (h *host) waits(t *testing.T, answered <-chan error) bool {
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
