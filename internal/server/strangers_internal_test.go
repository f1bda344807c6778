package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/gate"
)

// besiege returns the handler of an arena with a page. An event is played on it, and strangers have all their turns.
func besiege(t *testing.T) (*Server, http.Handler) {
	t.Helper()
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Operator: gate.OperatorFile{Secret: "the secret"}, Public: true, Log: slog.New(slog.DiscardHandler)})
	s.host.runs.open(t.Context())
	s.Add(Route{Pattern: "GET /page", Right: LookRight, Serve: func(http.ResponseWriter, *http.Request) {}})
	s.budget = budget.New(func() bool { return true })
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		if _, err := s.budget.Begin(t.Context(), budget.Answers, netip.Prefix{}); err != nil {
			t.Fatal(err)
		}
	}
	return s, s.handler()
}

// While an event is played and strangers have all their turns, no request of a stranger is worked on, whatever its
// route; an operator's is.
func TestEveryRouteWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, door := besiege(t)
		patterns := []string{"GET /page", "GET /no/such/page", "DELETE /api/events", "POST /page"}
		for _, r := range s.Routes() {
			patterns = append(patterns, r.Pattern)
		}
		for _, pattern := range patterns {
			method, path, _ := strings.Cut(pattern, " ")
			ask := func(ctx context.Context, as string) {
				r := httptest.NewRequestWithContext(ctx, method, strings.ReplaceAll(path, "{id}", "7"), strings.NewReader("{}"))
				r.RemoteAddr, r.Host = "127.0.0.1:1", "127.0.0.1:2048" // as the secret asks for
				r.Header.Set("Authorization", as)
				door.ServeHTTP(httptest.NewRecorder(), r)
			}
			ctx, leave := context.WithCancel(t.Context())
			go ask(ctx, "")
			go ask(ctx, "Bearer a wrong token")
			synctest.Wait()
			if n, _ := s.budget.Waiting(budget.Answers, netip.Prefix{}); n != 2 {
				t.Errorf("%s: %d of 2 requests wait", pattern, n)
			}
			leave()
			synctest.Wait()
			began := time.Now()
			if pattern != "POST /api/rounds" && pattern != "GET /bot" { // which need a farm, and a bot
				ask(t.Context(), "Bearer the secret")
			}
			if waited := time.Since(began); waited > 0 {
				t.Errorf("%s: an operator waits %v", pattern, waited)
			}
		}
	})
}

// A bot's connection does not wait for strangers. If its handshake fails, it pays before its next request is read.
func TestBotsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, door := besiege(t)
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		r, answer := httptest.NewRequestWithContext(ctx, http.MethodGet, "/bot", nil), httptest.NewRecorder()
		r.Header.Set("Upgrade", "websocket") // and nothing else that a handshake needs
		go door.ServeHTTP(answer, r)
		synctest.Wait()
		if answer.Code != http.StatusUpgradeRequired {
			t.Errorf("the handshake was not looked at: %d", answer.Code)
		}
		if n, _ := s.budget.Waiting(budget.Answers, netip.Prefix{}); n != 1 {
			t.Errorf("%d of 1 wait", n)
		}
	})
}

// From another machine few searches wait at once; from this machine more may, since everybody behind a proxy has its
// address.
func TestFewSearchesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := besiege(t)
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		think := func(from string) {
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/hint", nil)
			r.RemoteAddr = from
			if turn, err := s.Think(r); err == nil {
				defer turn.End()
				<-ctx.Done()
			}
		}
		for range 20 {
			go think("192.0.2.1:1")
		}
		synctest.Wait()
		if _, n := s.Busy(); n != 4 {
			t.Errorf("%d searches of another machine wait, want 4", n)
		}
		for range 20 {
			go think("127.0.0.1:1")
		}
		synctest.Wait()
		if _, n := s.Busy(); n != 24 {
			t.Errorf("%d searches wait, want 24", n)
		}
	})
}

// Requests that may get different answers have different names.
func TestSameFor(t *testing.T) {
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Public: true, Log: slog.New(slog.DiscardHandler)})
	s.Add(Route{Pattern: "GET /page", Right: LookRight, Same: true, Serve: func(http.ResponseWriter, *http.Request) {}})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /page", func(http.ResponseWriter, *http.Request) {})
	name := func(path, header, value string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		if header != "" {
			r.Header.Set(header, value)
		}
		return s.sameFor(mux)(r)
	}
	plain := name("/page", "", "")
	if plain == "" || plain != name("/page", "User-Agent", "another") {
		t.Error("equal requests have different names")
	}
	for header, value := range map[string]string{"Accept": "application/json", "Accept-Encoding": "gzip", "Origin": "https://example.org", "If-None-Match": "a"} {
		if other := name("/page", header, value); other == "" || other == plain {
			t.Errorf("%s: %s does not change the name", header, value)
		}
	}
	for _, header := range []string{"Cookie", "Authorization"} {
		if other := name("/page", header, "a"); other != "" {
			t.Errorf("a request with %s has the name %q", header, other)
		}
	}
	if other := name("/another", "", ""); other != "" {
		t.Errorf("another page has the name %q", other)
	}
}

// The origins of an arena are written as a host types them, and requests have them as browsers write them.
func TestOriginsAsTyped(t *testing.T) {
	for _, typed := range []string{"https://arena.example.org", "https://arena.example.org/", "HTTPS://Arena.Example.org"} {
		o := newOrigins([]string{typed}, slog.New(slog.DiscardHandler))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:2048/login", nil)
		r.Header.Set("Origin", "https://arena.example.org") // and the proxy has rewritten the host
		if err := o.writes.Check(r); err != nil || !o.own(r) {
			t.Errorf("%s: a page of the arena is another site's, error %v", typed, err)
		}
		if r.Host = "arena.example.org"; !o.knownHost(r) {
			t.Errorf("%s: the arena does not know its host", typed)
		}
	}
}
