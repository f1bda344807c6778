package server_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// arena is an arena with a client that may do everything.
type arena struct {
	testkit.Arena
	server *server.Server
	client *server.Client
}

// open runs an arena until the test ends.
func open(t testing.TB, store server.Store, change func(*server.Config)) *arena {
	t.Helper()
	config := server.Config{
		Store:    store,
		Tokens:   tokensOf(store),
		Launch:   func(roster.Own) *exec.Cmd { return exec.Command("sh", "-c", "echo no bot here >&2; exit 3") },
		Grace:    10 * time.Second,
		Operator: gate.OperatorFile{Secret: gate.NewSecret()},
		Limits:   protocol.DefaultLimits(),
		Log:      slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&config)
	}
	a := &arena{server: server.New(config)}
	a.Serve(t, func(ctx context.Context, l net.Listener) error { return a.server.Serve(ctx, l) })
	a.client = &server.Client{URL: a.URL(), Token: config.Operator.Secret}
	return a
}

// serve runs an arena until the test ends and returns a client of it.
func serve(t testing.TB, store server.Store, change func(*server.Config)) *server.Client {
	t.Helper()
	return open(t, store, change).client
}

// serveArena does the same and also returns the arena.
func serveArena(t testing.TB, store server.Store, change func(*server.Config)) (*server.Client, *server.Server) {
	t.Helper()
	a := open(t, store, change)
	return a.client, a.server
}

// tokensOf returns the tokens of a database, or of a store that has its own.
func tokensOf(store server.Store) server.Tokens {
	if db, ok := store.(interface{ Tokens() *results.Tokens }); ok {
		return db.Tokens()
	}
	return store.(server.Tokens)
}

// local returns an event with bots in the arena's process.
func local(matches int) tournament.Event {
	return tournament.Event{Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 3, Height: 3}, Matches: matches, Concurrency: 1, InProcess: true}
}

// ended waits for the end of an event and returns its final progress.
func ended(t *testing.T, c *server.Client, event int64) server.Progress {
	t.Helper()
	last, err := c.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// until follows an event until its progress is as wanted, and returns it.
func until(t *testing.T, c *server.Client, event int64, wanted func(server.Progress) bool) server.Progress {
	t.Helper()
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	var last server.Progress
	_, err := c.Follow(ctx, event, func(p server.Progress) {
		if ctx.Err() == nil {
			if last = p; wanted(p) {
				enough()
			}
		}
	})
	if ctx.Err() == nil {
		t.Fatalf("the event is %+v: %v", last, err)
	}
	return last
}

func TestBadRequests(t *testing.T) {
	c := serve(t, newStore(), nil)
	for name, tc := range map[string]struct{ kind, body, want string }{
		"a form":           {"application/x-www-form-urlencoded", "bots=random", "want application/json"},
		"not JSON":         {"application/json", "{", "unexpected EOF"},
		"an unknown field": {"application/json", `{"bot":["random","greedy"]}`, "unknown field"},
		"a wrong type":     {"application/json", `{"matches":"many"}`, "cannot unmarshal string"},
		"nothing":          {"application/json", "", "the body is empty"},
		"two values":       {"application/json", `{"bots":["random","greedy"]}{`, "something follows"},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.URL+"/api/events", strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", tc.kind)
		request.Header.Set("Authorization", "Bearer "+c.Token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), `"error":"`) || !strings.Contains(string(body), tc.want) {
			t.Errorf("%s: %s: %s", name, response.Status, body)
		}
	}
	if response, err := http.Get(c.URL + "/bot"); err != nil || response.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("/bot without a WebSocket: %v %v", response, err)
	}
}

func TestStatusOfRecordedEvent(t *testing.T) {
	store := newStore()
	first := serve(t, store, nil)
	event, err := first.Start(t.Context(), local(2))
	if err != nil {
		t.Fatal(err)
	}
	played := ended(t, first, event)
	again := serve(t, store, nil) // an arena that has not played the event
	status, err := again.Status(t.Context(), event)
	if err != nil || status.State != server.Finished || status.Done != 4 || status.Total != 4 || status.Name != played.Name || len(status.Standings.Places) != 2 {
		t.Errorf("status %+v, error %v", status, err)
	}
	store.games[event] = store.games[event][:3]
	if status, err = again.Status(t.Context(), event); err != nil || status.State != server.Unfinished || !status.State.Ended() || status.Done != 3 {
		t.Errorf("status %+v, error %v", status, err)
	}
	if _, err := again.Status(t.Context(), 7); err == nil {
		t.Error("an event that does not exist has a status")
	}
}
