package mcp_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"versus2048/internal/mcp"
	"versus2048/internal/mcp/mcptest"
	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/internal/web"
	"versus2048/players/exact"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// arena is an arena with its pages and a table of 2x2, on a database of its own, and a server for assistants.
type arena struct {
	*testkit.Arena
	t        testing.TB
	operator *server.Client
	mcp      *httptest.Server
}

// open opens an arena and serves assistants over HTTP.
func open(t testing.TB, change func(*mcp.Config)) *arena {
	t.Helper()
	a := &arena{Arena: testkit.NewArena(t), t: t}
	a.serve(gate.NewSecret())
	a.mcp = serve(t, a.URL(), a.BotURL(), change)
	return a
}

func (a *arena) serve(secret string) {
	a.t.Helper()
	store, err := results.Open(a.t.Context(), filepath.Join(a.t.TempDir(), "arena.db"))
	if err != nil {
		a.t.Fatal(err)
	}
	table, err := exact.Open("../../players/exact/testdata/gpcc2015-2x2.table")
	if err != nil {
		a.t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(a.t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	inside := server.New(server.Config{
		Store: store, Tokens: store.Tokens(), Agenda: store, Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: log,
		Operator: gate.OperatorFile{Secret: secret}, Allowance: roster.Allowance{Memory: 8 << 30, Threads: 4},
		Registration: gate.RegistrationByInvitation, Register: store.Tokens(),
	})
	site, err := web.New(web.Config{Arena: inside, Store: store, Tables: []*exact.Table{table}, Log: log, Patience: time.Minute})
	if err != nil {
		a.t.Fatal(err)
	}
	inside.Add(site.Routes()...)
	a.t.Cleanup(func() {
		if err := store.Close(); err != nil {
			a.t.Error(err)
		}
	})
	a.Serve(a.t, func(ctx context.Context, l net.Listener) error { return inside.Serve(ctx, l) })
	a.operator = &server.Client{URL: a.URL(), Token: secret}
}

// serve serves assistants over HTTP. They play on the arena at an address.
func serve(t testing.TB, url, botURL string, change func(*mcp.Config)) *httptest.Server {
	t.Helper()
	config := mcp.Config{
		Arena: &server.Client{URL: url, NoFile: true}, BotURL: botURL, Hello: protocol.Hello{Name: "robot", Version: "1"},
		Run: func(ctx context.Context, c protocol.Client, code string) error {
			if code != "" {
				c.Hello.Token = protocol.OwnToken(code)
			}
			return c.Run(ctx)
		},
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	if change != nil {
		change(&config)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := mcp.NewServer(ctx, config)
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		stop()
		s.Close()
		web.CloseClientConnections()
		web.Close()
	})
	return web
}

// agent returns an assistant with a session of its own.
func (a *arena) agent(progress ...func(*sdk.ProgressNotificationParams)) *mcptest.Agent {
	a.t.Helper()
	return mcptest.Connect(a.t, &sdk.StreamableClientTransport{Endpoint: a.mcp.URL, HTTPClient: &http.Client{Transport: &http.Transport{}}}, progress...)
}

// start starts an event of one match on 2x2.
func (a *arena) start(bots ...string) int64 {
	a.t.Helper()
	id, err := a.operator.Start(a.t.Context(), tournament.Event{
		Name: "cup", Size: rules.Size{Width: 2, Height: 2}, Seed: 7, Matches: 1, Concurrency: 1, InProcess: true, Bots: bots,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// await waits until the bots with these names, and no others, are connected.
func (a *arena) await(names ...string) {
	a.t.Helper()
	testkit.Await(a.t, "the bots", func() bool {
		bots, err := a.operator.Bots(a.t.Context())
		if err != nil || len(bots) != len(names) {
			return false
		}
		for i, b := range bots {
			if b.Name != names[i] {
				return false
			}
		}
		return true
	})
}
