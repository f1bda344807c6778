package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/report"
)

// slowRecords stand for a slow database without events: each question waits until free is closed.
type slowRecords struct {
	Records
	asked chan struct{} // has an element for each question
	free  chan struct{}
}

func (s slowRecords) Event(ctx context.Context, _ int64) (tournament.Event, error) {
	s.asked <- struct{}{}
	return tournament.Event{}, errors.Join(errNothing, receive(ctx, s.free))
}

// newReader returns the API of an arena with slow records, until life ends.
func newReader(life context.Context) (*api, slowRecords) {
	records := slowRecords{asked: make(chan struct{}, 100), free: make(chan struct{})}
	h := &host{runs: newRuns()}
	h.runs.open(life)
	s := &turns{runs: h.runs, entrants: &entrants{budget: budget.New(func() bool { return true })}} // an event is being played
	return &api{host: h, records: records, log: slog.New(slog.DiscardHandler), read: s.Read}, records
}

// ask sends a request for an event from an address, and calls got with the status of the answer.
func ask(ctx context.Context, serve handler, a *api, from string, got func(status int)) {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/events/7/standings", nil)
	r.SetPathValue("id", "7")
	r.RemoteAddr = netip.AddrPortFrom(netip.MustParseAddr(from), 1).String()
	answer := httptest.NewRecorder()
	a.answering(serve)(answer, r)
	got(answer.Code)
}

// Few visitors read whole events at once while one is played. Some others wait, and all further ones are refused for
// now. An operator does not wait for them.
func TestVisitorsWaitToReadEvents(t *testing.T) {
	for name, route := range map[string]func(*api) handler{
		"status":     func(a *api) handler { return a.status },
		"standings":  func(a *api) handler { return a.standings },
		"crosstable": func(a *api) handler { return figures(a, false, (*report.Collector).Crosstable).handler },
		"heads":      func(a *api) handler { return figures(a, true, (*report.Collector).HeadToHeads).handler },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, records := newReader(t.Context())
				serve, began, answers := route(a), time.Now(), make(chan int, 100)
				for range 50 {
					for _, from := range []string{"192.0.2.1", "127.0.0.1"} {
						go ask(t.Context(), serve, a, from, func(status int) { answers <- status })
					}
				}
				synctest.Wait()
				reading := len(records.asked)
				if want := max(1, runtime.GOMAXPROCS(0)/2); reading != want {
					t.Errorf("%d read at once, want %d", reading, want)
				}
				operator := context.WithValue(t.Context(), operatorKey{}, true)
				go ask(operator, serve, a, "192.0.2.2", func(int) {})
				synctest.Wait()
				if n := len(records.asked); n != reading+1 {
					t.Error("the operator does not read")
				}
				for range 100 - reading {
					if status := <-answers; status != http.StatusTooManyRequests {
						t.Fatalf("status %d, want %d", status, http.StatusTooManyRequests)
					}
				}
				if waited := time.Since(began); waited != budget.Patience {
					t.Errorf("they waited %v, want %v", waited, budget.Patience)
				}
				close(records.free)
				for range reading {
					if status := <-answers; status != http.StatusBadRequest {
						t.Errorf("status %d, want %d: there is no such event", status, http.StatusBadRequest)
					}
				}
			})
		})
	}
}

// A visitor who waits to read an event does not keep the arena from shutting down.
func TestVisitorsDoNotHoldUpTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		life, end := context.WithCancel(t.Context())
		a, records := newReader(life)
		defer close(records.free)
		for range runtime.GOMAXPROCS(0) {
			go ask(t.Context(), a.standings, a, "127.0.0.1", func(int) {})
		}
		synctest.Wait()
		began := time.Now()
		go func() { synctest.Wait(); end() }()
		ask(t.Context(), a.standings, a, "127.0.0.1", func(status int) {
			if waited := time.Since(began); status != http.StatusBadRequest || waited > 0 {
				t.Errorf("status %d after %v, want %d at once", status, waited, http.StatusBadRequest)
			}
		})
	})
}

// unreadable is a store on a disk that fails.
type unreadable struct{ emptyStore }

func (unreadable) Event(context.Context, int64) (tournament.Event, error) {
	return tournament.Event{}, errors.New("the disk fails")
}

// A request for an event that does not exist is wrong. An event that cannot be read is the arena's failure.
func TestUnreadableEvents(t *testing.T) {
	for _, c := range []struct {
		store Store
		want  int
	}{{emptyStore{}, http.StatusBadRequest}, {unreadable{}, http.StatusInternalServerError}} {
		a, _ := newReader(t.Context())
		a.records, a.host.store = ownRecords{Store: c.store}, c.store
		ask(t.Context(), a.standings, a, "127.0.0.1", func(status int) {
			if status != c.want {
				t.Errorf("%T: status %d, want %d", c.store, status, c.want)
			}
		})
		_, resuming := a.host.playable(t.Context(), 7)
		_, joining := a.host.joiningEntry(t.Context(), 7, "ann")
		for _, err := range []error{resuming, joining, a.host.extend(t.Context(), 7, 2)} {
			if wrong := (*RequestError)(nil); err == nil || errors.As(err, &wrong) != (c.want == http.StatusBadRequest) {
				t.Errorf("%T: the error is %T %v", c.store, err, err)
			}
		}
	}
}

// noEvents fails the test when the arena's own store is asked for an event.
type noEvents struct {
	emptyStore
	t *testing.T
}

func (s noEvents) Event(context.Context, int64) (tournament.Event, error) {
	s.t.Error("the arena's own store is asked for an event")
	return tournament.Event{}, errNothing
}

// oneEvent are records of an event without games, which the arena has stopped.
type oneEvent struct{ Records }

func (oneEvent) Event(_ context.Context, id int64) (tournament.Event, error) {
	return tournament.Event{ID: id, Entries: []tournament.Entry{{Name: "a"}, {Name: "b"}}, Matches: 1}, nil
}

func (oneEvent) Results(context.Context, tournament.Event, func(tournament.Result) error) error {
	return nil
}

func (oneEvent) Agenda(context.Context) ([]agenda.Item, error) {
	return []agenda.Item{{Event: 7, Wanted: agenda.Stopped, Reason: "nobody came"}}, nil
}

// Visitors read events from records of their own, not from the store of the arena.
func TestVisitorsReadTheirRecords(t *testing.T) {
	s := New(Config{Store: noEvents{t: t}, Tokens: emptyStore{}, Records: oneEvent{}, Log: slog.New(slog.DiscardHandler)})
	s.host.runs.open(t.Context())
	arena := httptest.NewServer(s.handler())
	defer arena.Close()
	for _, path := range []string{"", "/standings"} {
		answer, err := arena.Client().Get(arena.URL + "/api/events/7" + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d, %s (%v)", path, answer.StatusCode, body, err)
		}
		var p Progress
		if err := json.Unmarshal(body, &p); path == "" && (err != nil || p.Message != "nobody came") {
			t.Errorf("the event is %+v (%v)", p, err)
		}
	}
}
