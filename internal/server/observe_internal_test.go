package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// get asks for a page and returns the answer.
func get(t *testing.T, url string, header map[string]string) (status int, body, id string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range header {
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header.Get(gate.RequestIDHeader)
}

func TestHealth(t *testing.T) {
	direct, _, honest, _ := openArena(t, true)
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		for _, from := range []frontDoor{direct, honest} {
			if status, body, _ := get(t, from.url+path, nil); status != http.StatusOK || body != want {
				t.Errorf("%s: %d %q", path, status, body)
			}
		}
	}
}

// brokenStore cannot be written to, and says where it is.
type brokenStore struct{ emptyStore }

func (brokenStore) Writable(context.Context) error { return errors.New("/var/lib/arena.db: disk full") }

func TestNotReady(t *testing.T) {
	var log strings.Builder
	s := New(Config{Store: brokenStore{}, Tokens: brokenStore{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if why := s.notReady(t.Context()); why != "starting" {
		t.Errorf("before it serves: %q", why)
	}
	var arena testkit.Arena
	arena.Serve(t, func(ctx context.Context, l net.Listener) error { return s.Serve(ctx, l) })
	for range 2 {
		status, body, _ := get(t, arena.URL()+"/readyz", nil)
		if status != http.StatusServiceUnavailable || body != "the database cannot be written to\n" {
			t.Errorf("a store that is broken: %d %q", status, body)
		}
	}
	arena.Stop()
	if why := s.notReady(t.Context()); why != "shutting down" {
		t.Errorf("at the end: %q", why)
	}
	if n := strings.Count(log.String(), `msg="not ready" why="/var/lib/arena.db: disk full"`); n != 1 {
		t.Errorf("%d lines say why:\n%s", n, log.String())
	}
}

func TestReadinessIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r readiness
		asked, answer := 0, error(nil)
		ask := func(context.Context) error { asked++; return answer }
		expect := func(n int, before, now error) {
			t.Helper()
			if b, err := r.check(t.Context(), ask); asked != n || b != before || err != now {
				t.Errorf("asked %d times, %v before and %v now; want %d, %v, %v", asked, b, err, n, before, now)
			}
		}
		full := errors.New("full")
		expect(1, nil, nil)
		answer = full
		expect(1, nil, nil)
		<-time.After(readyAge)
		expect(2, nil, full)
		answer = nil
		expect(2, full, full)
		<-time.After(readyAge)
		expect(3, full, nil)
		<-time.After(readyAge)
		began := time.Now()
		_, err := r.check(t.Context(), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if waited := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || waited != readyWait {
			t.Errorf("a store that hangs: %v after %v", err, waited)
		}
	})
}

func TestMetricsOfAnArena(t *testing.T) {
	direct, _, _, s := openArena(t, false)
	direct.greet(t, "/bot", "bob", "")
	direct.greet(t, "/bot", "ann", "no token")
	direct.status(t, "GET /api/bots", nil)
	s.tellStall(1500 * time.Millisecond)
	var arena testkit.Arena
	arena.Serve(t, func(ctx context.Context, l net.Listener) error { return s.ServeMetrics(ctx, l) })
	scraper := arena.URL()
	operator := map[string]string{"Authorization": "Bearer the secret"}
	for url, header := range map[string]map[string]string{direct.url: operator, scraper: nil} {
		wantMetrics(t, url+"/metrics", header,
			"versus2048_bots_admitted_total 1\n", `versus2048_bots_refused_total{code="bad_token"} 1`+"\n",
			`versus2048_http_requests_total{route="GET /api/bots",status="200"} 1`+"\n",
			`versus2048_http_requests_total{route="GET /bot",status="101"} 2`+"\n",
			`versus2048_events{state="running"} 0`+"\n", `versus2048_connections{kind="strangers"} `,
			"versus2048_stall_seconds_total ", "go_goroutines ", "process_open_fds ",
		)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/api/bots": 404, "/": 404} {
		if status, _, _ := get(t, scraper+path, nil); status != want {
			t.Errorf("%s of the metrics' listener: %d, want %d", path, status, want)
		}
	}
}

// wantMetrics reads metrics until they have the beginnings of lines, since a bot's request is counted only after its
// connection has been closed.
func wantMetrics(t *testing.T, url string, header map[string]string, lines ...string) {
	t.Helper()
	look, timeout := time.NewTicker(5*time.Millisecond), time.After(3*time.Minute)
	defer look.Stop()
	for {
		status, body, _ := get(t, url, header)
		missing := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.Contains(body, "\n"+line) })
		if status == http.StatusOK && len(missing) == 0 {
			return
		}
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("%s: %d, no lines %q in\n%s", url, status, missing, body)
		}
	}
}

// lineLog passes on the lines that are written to it.
type lineLog chan string

// Write implements io.Writer.
func (l lineLog) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// find returns the next line that has all parts.
func (l lineLog) find(t *testing.T, parts ...string) string {
	t.Helper()
	for {
		select {
		case line := <-l:
			if !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) }) {
				return line
			}
		case <-time.After(3 * time.Minute):
			t.Fatalf("no line has %q", parts)
		}
	}
}

// A bot is refused if its name is taken, and leaves nothing behind.
func TestLogOfTakenName(t *testing.T) {
	t.Parallel()
	log := make(lineLog, 100)
	s := New(Config{Store: emptyStore{}, Tokens: emptyStore{}, Limits: protocol.DefaultLimits(), Log: slog.New(slog.NewTextHandler(log, nil))})
	var arena testkit.Arena
	arena.Serve(t, func(ctx context.Context, l net.Listener) error { return s.Serve(ctx, l) })
	door := frontDoor{url: arena.URL()}
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	first, _, err := dialer.DialContext(t.Context(), arena.BotURL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	welcome := map[string]any{}
	if err := errors.Join(first.WriteJSON(map[string]any{"type": "hello", "name": "carl"}), first.ReadJSON(&welcome)); err != nil {
		t.Fatal(err)
	}
	if code := door.greet(t, "/bot", "carl", ""); code != string(protocol.NameInUse) {
		t.Errorf("the second carl is answered with %q", code)
	}
	for _, want := range []string{"bot admitted", "bot admitted", "bot refused"} {
		if line := log.find(t, "bot=carl"); !strings.Contains(line, want) {
			t.Errorf("want %q, the log says %s", want, line)
		}
	}
}

// A bot that has come with a newer token stays when an earlier token of its name is revoked: the connection with that
// one may still be ending.
func TestRevokedTokenOfAnEarlierConnection(t *testing.T) {
	t.Parallel()
	door, _, _, s := openArena(t, false)
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ann, _, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(door.url, "http")+"/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ann.Close()
	message := map[string]any{}
	if err := errors.Join(ann.WriteJSON(map[string]any{"type": "hello", "name": "ann", "token": "bot's token"}), ann.ReadJSON(&message)); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"an earlier token", "bot's token"} {
		s.roster.Dismiss("ann", token, token+" is revoked")
	}
	if err := ann.ReadJSON(&message); err != nil || message["type"] != "goodbye" || message["reason"] != "bot's token is revoked" {
		t.Errorf("the bot gets %v, error %v", message, err)
	}
}

// A request is known by one id to its client and in each line about it.
func TestRequestIDs(t *testing.T) {
	log := make(lineLog, 100)
	s := New(Config{
		Store: emptyStore{}, Tokens: emptyStore{}, Limits: protocol.DefaultLimits(), AccessLog: true,
		BehindProxy: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Log:         slog.New(gate.LogRequestIDs(slog.NewTextHandler(log, nil))),
	})
	var arena testkit.Arena
	arena.Serve(t, func(ctx context.Context, l net.Listener) error { return s.Serve(ctx, l) })
	url := arena.URL()
	_, _, first := get(t, url+"/api/bots", nil)
	_, _, second := get(t, url+"/api/bots", map[string]string{gate.RequestIDHeader: "from-the-proxy", "X-Forwarded-For": "203.0.113.9"})
	if first == "" || second != "from-the-proxy" {
		t.Errorf("the ids are %q and %q", first, second)
	}
	log.find(t, "msg=request ", "status=200", "request="+first)
	log.find(t, "msg=request ", "status=403", "request=from-the-proxy", `from="203.0.113.9 through 127.0.0.1:`)
	direct := frontDoor{url: url}
	direct.greet(t, "/bot", "bob", "")
	_, id, _ := strings.Cut(log.find(t, `msg="bot admitted"`, "bot=bob"), " request=")
	log.find(t, `msg="bot left"`, "bot=bob", "request="+id)
	log.find(t, "msg=request ", `route="GET /bot"`, "status=101", "request="+id)
}

// The watch sees that an event waits for a bot that plays in another event.
func TestWaitForABusyBotIsSeen(t *testing.T) {
	bots := roster.New(time.Hour, nil)
	e := tournament.Event{ID: 1, Rules: rules.GPCC2015, Size: rules.Full, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}}
	r, l := &run{host: &host{}, feed: newFeed(NewRecord(e))}, &lineup{stay: bots.NewEngagement(e)}
	r.lineup.Store(l)
	own, other := l.stay.Allocation, bots.NewEngagement(e).Allocation
	for _, in := range []*roster.Allocation{own, other} {
		in.Add("ann", func() int { return 1 })
	}
	other.Take("ann")
	own.Wait("ann")
	for _, want := range []bool{true, false} {
		if seen, ok := r.snapshot(); !ok || seen.Busy != want {
			t.Errorf("the watch sees %+v, want Busy %t", seen, want)
		}
		other.Give("ann")
	}
}
