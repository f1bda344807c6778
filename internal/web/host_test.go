package web_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/internal/testkit"
	"versus2048/internal/web"
	"versus2048/players/exact"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// host is an arena with its pages, on a database of its own.
type host struct {
	*testkit.Arena
	t      testing.TB
	db     string
	store  *results.Store
	server *server.Server
	site   *web.Site
	secret string         // of the operator
	tables []*exact.Table // with exact values, none by default
	watch  *trouble.Watch // nil by default
	mode   gate.Registration
	plan   *lobby.Plan  // nil by default
	lobby  *lobby.Lobby // of the plan
	stop   func()       // closes the arena and its database
}

// open opens an arena with pages. The test closes it.
func open(t testing.TB, tables ...*exact.Table) *host {
	t.Helper()
	h := &host{Arena: testkit.NewArena(t), t: t, db: filepath.Join(t.TempDir(), "arena.db"), tables: tables}
	h.serve()
	return h
}

// serve opens the database and serves it until stop is called.
func (h *host) serve() {
	h.t.Helper()
	store, err := results.Open(h.t.Context(), h.db)
	if err != nil {
		h.t.Fatal(err)
	}
	h.store, h.secret = store, gate.NewSecret()
	log := slog.New(slog.NewTextHandler(h.t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	h.server = server.New(server.Config{
		Store: store, Tokens: store.Tokens(), Agenda: store, NoResume: true, Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: log,
		Operator: gate.OperatorFile{Secret: h.secret}, Allowance: roster.Allowance{Memory: 8 << 30, Threads: 4}, Version: "test",
		Origins: []string{"https://arena.example.org"},
		Watch:   h.watch, Registration: h.mode, Register: store.Tokens(),
		Database: func(context.Context) server.Database { return server.Database{Path: "/games/<b>.db", Free: 1 << 20} },
	})
	if h.plan != nil {
		if h.lobby, err = lobby.New(h.t.Context(), h.server, store, *h.plan); err != nil {
			h.t.Fatal(err)
		}
	}
	site, err := web.New(web.Config{Arena: h.server, Store: store, Lobby: h.lobby, Tables: h.tables, Version: "test", Log: log, Patience: time.Minute})
	if err != nil {
		h.t.Fatal(err)
	}
	h.site = site
	h.server.Add(site.Routes()...)
	h.Serve(h.t, func(ctx context.Context, l net.Listener) error { return h.server.Serve(ctx, l) })
	ctx, leave := context.WithCancel(context.Background())
	var gathering sync.WaitGroup
	if h.lobby != nil {
		gathering.Go(func() { h.lobby.Run(ctx) })
	}
	h.stop = sync.OnceFunc(func() {
		leave()
		gathering.Wait()
		h.Stop()
		if err := store.Close(); err != nil {
			h.t.Error(err)
		}
	})
	h.t.Cleanup(h.stop)
}

// restart closes the arena and opens it again at the same address.
func (h *host) restart() {
	h.t.Helper()
	h.stop()
	h.serve()
}

// start starts an event of bots inside the arena's process on a small board.
func (h *host) start(change func(*tournament.Event)) (event int64) {
	h.t.Helper()
	e := tournament.Event{
		Name: "test", Rules: rules.GPCC2015, Size: rules.Size{Width: 3, Height: 3}, Seed: 7, Matches: 1,
		Bots: []string{"ann=random", "bob=greedy"}, Concurrency: 2, InProcess: true,
	}
	if change != nil {
		change(&e)
	}
	event, err := h.server.Start(h.t.Context(), e)
	if err != nil {
		h.t.Fatal(err)
	}
	return event
}

// play plays an event to its end.
func (h *host) play(change func(*tournament.Event)) (event int64) {
	h.t.Helper()
	event = h.start(change)
	if err := h.server.Follow(h.t.Context(), event, 0, func(server.Progress) error { return nil }); err != nil {
		h.t.Fatal(err)
	}
	return event
}

// get asks for a page and returns its status and text.
func (h *host) get(path string) (status int, text string) {
	h.t.Helper()
	return fetch(h.t, http.MethodGet, h.URL()+path)
}

// send sends a request with these headers and returns the answer.
func (h *host) send(method, path, body string, header map[string]string) (status int, text string) {
	h.t.Helper()
	return answer(h.t, h.request(method, path, body, header))
}

// status sends a request with these headers and returns only the status of the answer, which may be a
// stream that does not end.
func (h *host) status(method, path string, header map[string]string) int {
	h.t.Helper()
	answer := do(h.t, h.request(method, path, "", header))
	answer.Body.Close()
	return answer.StatusCode
}

// request returns a request with these headers and with a connection of its own: a connection has to wait if its
// requests are refused again and again.
func (h *host) request(method, path, body string, header map[string]string) *http.Request {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.URL()+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	request.Close = true
	for key, value := range header {
		if request.Header.Set(key, value); key == "Host" {
			request.Host = value
		}
	}
	return request
}

func fetch(t testing.TB, method, url string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, request)
}

func answer(t testing.TB, request *http.Request) (status int, text string) {
	t.Helper()
	answer := do(t, request)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// do sends a request and returns the answer, without following redirects.
func do(t testing.TB, request *http.Request) *http.Response {
	t.Helper()
	client := http.Client{Transport: http.DefaultClient.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
