package arena_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/arena"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// serve runs an arena until the test ends and returns a client of it.
func serve(t testing.TB, store arena.Store, change func(*arena.Config)) *arena.Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := arena.Config{
		Store:  store,
		Launch: func(arena.Launch) *exec.Cmd { return exec.Command("sh", "-c", "echo no bot here >&2; exit 3") },
		Grace:  10 * time.Second,
		Limits: protocol.DefaultLimits(),
		Log:    slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&config)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- arena.New(config).Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return &arena.Client{URL: "http://" + listener.Addr().String()}
}

// local is an event of bots inside the arena's process.
func local(matches int) tournament.Event {
	return tournament.Event{Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 3, Height: 3}, Matches: matches, Concurrency: 1, InProcess: true}
}

func ended(t *testing.T, c *arena.Client, event int64) arena.Progress {
	t.Helper()
	last, err := c.Follow(t.Context(), event, func(arena.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

func TestStopAndResume(t *testing.T) {
	store := newStore()
	store.hold = true
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	last, err := c.Follow(t.Context(), event, func(p arena.Progress) {
		if p.Done == 4 && p.State == arena.Running {
			if err := c.Stop(t.Context(), event); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || last.State != arena.Interrupted || last.Message != "" || last.Done != 4 {
		t.Fatalf("after a stop the event is %s with %d games: %s %v", last.State, last.Done, last.Message, err)
	}
	store.hold = false
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != arena.Finished || last.Done != 60 || last.Total != 60 {
		t.Fatalf("after the resume the event is %s with %d of %d games", last.State, last.Done, last.Total)
	}
	table, err := c.Crosstable(t.Context(), event)
	if err != nil || len(table.Standings) != 2 || table.Standings[0].Name != "greedy" || table.Standings[0].Played != 30 {
		t.Errorf("crosstable %+v, error %v", table, err)
	}
	events, err := c.Events(t.Context())
	if err != nil || len(events) != 1 || events[0].State != arena.Finished {
		t.Errorf("events %+v, error %v", events, err)
	}
}

func TestAFailingStoreFailsTheEventAndNotTheArena(t *testing.T) {
	store := newStore()
	store.broken = errors.New("disk full")
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(1))
	if err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != arena.Failed || !strings.Contains(last.Message, "disk full") {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
	store.mu.Lock()
	store.broken = nil
	store.mu.Unlock()
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != arena.Finished || last.Done != 2 {
		t.Fatalf("after the disk was mended the event is %s with %d games", last.State, last.Done)
	}
}

func TestABotThatDoesNotStartFailsTheEvent(t *testing.T) {
	c := serve(t, newStore(), nil)
	setup := local(1)
	setup.InProcess = false
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	last := ended(t, c, event)
	if last.State != arena.Failed || !strings.Contains(last.Message, "no bot here") || !strings.Contains(last.Message, "exit status 3") {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
}

func TestStartRefusesWhatCannotBePlayed(t *testing.T) {
	c := serve(t, newStore(), nil)
	for want, change := range map[string]func(*tournament.Event){
		"no bot named \"alice\" is connected": func(s *tournament.Event) { s.Bots[0] = "alice" },
		"depth=99":                            func(s *tournament.Event) { s.Bots[0] = "evminimax:depth=99" },
		"give it another one: NAME=SPEC": func(s *tournament.Event) {
			s.Bots[0] = "dag:playouts=100000,c=1000,expand=5,canonical=true,seed=123456789"
		},
		"two bots named":     func(s *tournament.Event) { s.Bots[0] = "greedy" },
		"at least 2":         func(s *tournament.Event) { s.Bots = s.Bots[:1] },
		"matches":            func(s *tournament.Event) { s.Matches = 0 },
		"at once":            func(s *tournament.Event) { s.Concurrency = 0 },
		"negative":           func(s *tournament.Event) { s.Clock.PerMove = -time.Second },
		"whole milliseconds": func(s *tournament.Event) { s.Clock.PerMove = time.Microsecond },
		"seed":               func(s *tournament.Event) { s.Seed = 1 << 60 },
	} {
		setup := local(1)
		change(&setup)
		var refused *arena.RequestError
		if _, err := c.Start(t.Context(), setup); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, error is %v", want, err)
		}
	}
	for name, ask := range map[string]func() error{
		"resume":     func() error { return c.Resume(t.Context(), 7) },
		"stop":       func() error { return c.Stop(t.Context(), 7) },
		"crosstable": func() error { _, err := c.Crosstable(t.Context(), 7); return err },
		"follow":     func() error { _, err := c.Follow(t.Context(), 7, func(arena.Progress) {}); return err },
	} {
		if refused := (*arena.RequestError)(nil); !errors.As(ask(), &refused) {
			t.Errorf("%s of an event that is not there: %v", name, ask())
		}
	}
}

func TestOnlyOperatorsCommand(t *testing.T) {
	store := newStore()
	store.tokens["operatorolga"], store.tokens["botbob"] = "open sesame", "bob's own"
	c := serve(t, store, nil)
	for name, tc := range map[string]struct {
		header map[string]string
		host   string
		status int
	}{
		"from this machine":              {nil, "", http.StatusOK},
		"passed on by a proxy":           {map[string]string{"X-Forwarded-For": "203.0.113.9"}, "", http.StatusForbidden},
		"a page of another site":         {map[string]string{"Origin": "https://example.org"}, "", http.StatusForbidden},
		"under another name (rebound)":   {nil, "example.org", http.StatusForbidden},
		"an operator behind a proxy":     {map[string]string{"X-Forwarded-For": "203.0.113.9", "Authorization": "Bearer open sesame"}, "", http.StatusOK},
		"a bot's token is no operator's": {map[string]string{"Authorization": "Bearer bob's own"}, "", http.StatusForbidden},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+"/api/bots", nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range tc.header {
			request.Header.Set(key, value)
		}
		request.Host = tc.host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != tc.status {
			t.Errorf("%s: %s: %s", name, response.Status, body)
		}
	}
}

func TestBadRequests(t *testing.T) {
	c := serve(t, newStore(), nil)
	for name, tc := range map[string]struct{ kind, body string }{
		"a form":           {"application/x-www-form-urlencoded", "bots=random"},
		"no JSON":          {"application/json", "{"},
		"an unknown field": {"application/json", `{"bot":["random","greedy"]}`},
		"a wrong type":     {"application/json", `{"matches":"many"}`},
	} {
		response, err := http.Post(c.URL+"/api/events", tc.kind, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"error"`) {
			t.Errorf("%s: %s: %s", name, response.Status, body)
		}
	}
	if response, err := http.Get(c.URL + "/bot"); err != nil || response.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("/bot without a WebSocket: %v %v", response, err)
	}
}

// hello connects a bot and returns the arena's first message to it.
func hello(t *testing.T, c *arena.Client, name, token string, header http.Header) (*websocket.Conn, map[string]any) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, _, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(c.URL, "http")+"/bot", header)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	first := map[string]any{}
	if err := ws.WriteJSON(map[string]any{"type": "hello", "name": name, "token": token}); err != nil {
		t.Fatal(err)
	}
	if err := ws.ReadJSON(&first); err != nil {
		t.Fatal(err)
	}
	return ws, first
}

func TestAdmission(t *testing.T) {
	store := newStore()
	store.tokens["botann"] = "ann's own"
	forwarded := http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	for name, tc := range map[string]struct {
		bot, token string
		header     http.Header
		required   bool
		code       any
	}{
		"free on this machine":              {bot: "bob"},
		"a name that has a token needs it":  {bot: "ann", code: "token_required"},
		"with it":                           {bot: "ann", token: "ann's own"},
		"a wrong one":                       {bot: "ann", token: "guess", code: "bad_token"},
		"another's":                         {bot: "bob", token: "ann's own", code: "bad_token"},
		"from elsewhere":                    {bot: "bob", header: forwarded, code: "token_required"},
		"from elsewhere with a token":       {bot: "ann", token: "ann's own", header: forwarded},
		"where all need one":                {bot: "bob", required: true, code: "token_required"},
		"where all need one, and it has it": {bot: "ann", token: "ann's own", required: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, store, func(config *arena.Config) { config.RequireTokens = tc.required })
			_, first := hello(t, c, tc.bot, tc.token, tc.header)
			if first["code"] != tc.code {
				t.Errorf("the answer is %v, want code %v", first, tc.code)
			}
		})
	}
}

func TestRefusalsAreLogged(t *testing.T) {
	var log logText
	c := serve(t, newStore(), func(config *arena.Config) { config.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	hello(t, c, "ann", "", nil)
	for code, token := range map[string]string{"name_in_use": "", "bad_token": "guess"} {
		if _, first := hello(t, c, "ann", token, nil); first["code"] != code {
			t.Errorf("the answer is %v, want %s", first, code)
		}
		if want := `msg="bot refused" bot=ann`; !log.contains(want, "code="+code) {
			t.Errorf("the log has no line with %s and code=%s", want, code)
		}
	}
}

// logText is what is logged.
type logText struct {
	mu    sync.Mutex
	lines []string
}

func (l *logText) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

// contains tells whether one line has all the parts.
func (l *logText) contains(parts ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.lines, func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	})
}

func TestABotPlaysInOneEventAtATime(t *testing.T) {
	c := serve(t, newStore(), nil)
	hello(t, c, "ann", "", nil)
	hello(t, c, "bob", "", nil)
	setup := local(1)
	setup.Bots = []string{"ann", "bob"}
	first, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "is playing in event 1") {
		t.Errorf("a second event with the same bots: %v", err)
	}
	if err := c.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, first); last.State != arena.Interrupted {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
	if _, err := c.Start(t.Context(), setup); err != nil {
		t.Errorf("after the first event: %v", err)
	}
}

func TestAStartedBotsNameIsItsOwn(t *testing.T) {
	launched := make(chan arena.Launch, 2)
	c := serve(t, newStore(), func(config *arena.Config) {
		config.Launch = func(l arena.Launch) *exec.Cmd {
			launched <- l
			return exec.Command("sleep", "60")
		}
	})
	hello(t, c, "greedy", "", nil)
	setup := local(1)
	setup.Bots = []string{"greedy", "own=random"}
	setup.InProcess = false
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	own := <-launched
	if own.Name != "own" || own.Spec != "random:seed=0" || own.Token == "" {
		t.Errorf("launched %+v", own)
	}
	if _, first := hello(t, c, "own", "", nil); first["code"] != "name_in_use" {
		t.Errorf("a stranger under the started bot's name gets %v", first)
	}
	if _, first := hello(t, c, "own", own.Token, nil); first["type"] != "welcome" {
		t.Errorf("the started bot gets %v", first)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	ended(t, c, event)
}
