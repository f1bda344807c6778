package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"testing"
	"time"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// host is an arena with a client of it.
type host struct {
	*testkit.Arena
	db     string
	client *server.Client
	server *testkit.Program // nil if the arena is in the test's process
}

// newHost returns an arena that is not started yet.
func newHost(t *testing.T) *host {
	t.Helper()
	a := testkit.NewArena(t)
	return &host{Arena: a, db: t.TempDir() + "/arena.db", client: &server.Client{URL: a.URL()}}
}

// serve starts the arena as a program.
func (h *host) serve(t *testing.T, flags ...string) {
	t.Helper()
	h.start(t, "arena", append([]string{"serve", "--db", h.db, "--addr", h.Address}, flags...)...)
}

// start starts the arena by a command line of its own.
func (h *host) start(t *testing.T, name string, args ...string) {
	t.Helper()
	h.server = newProcess(t, name, args...)
	h.Run(t, h.server)
}

// serveHere returns an arena that serves in the test's process.
func serveHere(t *testing.T, change func(*server.Config)) *host {
	t.Helper()
	h := newHost(t)
	store, err := results.Open(t.Context(), h.db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	config := hosting.Config(store, slog.New(slog.DiscardHandler), 10*time.Second)
	change(&config)
	h.client.Token = config.Operator.Secret
	h.Serve(t, func(ctx context.Context, l net.Listener) error { return server.New(config).Serve(ctx, l) })
	return h
}

// bot starts a bot's process.
func (h *host) bot(t *testing.T, name, spec string, flags ...string) *testkit.Program {
	t.Helper()
	return startProcess(t, "bot", append([]string{"run", spec, "--name", name, "--url", "ws://" + h.Address + "/bot"}, flags...)...)
}

// await waits until that number of bots is connected.
func (h *host) await(t *testing.T, bots int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		list, err := h.client.Bots(ctx)
		list = slices.DeleteFunc(list, func(b server.BotInfo) bool { return b.Away })
		if err == nil && len(list) == bots {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("%d bots connected, want %d: %v", len(list), bots, err)
		}
	}
}

// gameName names a game within its event.
type gameName struct{ match, leg int }

// games reads the event's games from the database, those in progress included.
func (h *host) games(t *testing.T, event int64) map[gameName]record.Record {
	t.Helper()
	store, err := results.OpenReader(t.Context(), h.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var ids []int64
	err = store.Games(t.Context(), results.Filter{Event: event}, func(g results.Stored) error {
		ids = append(ids, g.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	games := map[gameName]record.Record{}
	for _, id := range ids {
		g, err := store.Game(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		name := gameName{g.Match, g.Leg}
		if _, twice := games[name]; twice {
			t.Fatalf("match %d game %d is there twice", g.Match, g.Leg)
		}
		if _, err := g.Record.Replay(); err != nil {
			t.Fatalf("game %d: %v", id, err)
		}
		games[name] = g.Record
	}
	return games
}

// verify runs arena verify on the event.
func (h *host) verify(t *testing.T, event int64, games int) {
	t.Helper()
	stdout, stderr, code := run(t, "arena", "verify", "--db", h.db, "--event", fmt.Sprint(event))
	var n, plies, bad int
	if _, err := fmt.Sscanf(stdout, "%d games, %d plies played again: %d differ", &n, &plies, &bad); err != nil || code != 0 || n != games || bad != 0 {
		t.Fatalf("verify of %d games exits with %d: %s%s", games, code, stdout, stderr)
	}
}

// standings follows an event to its end and returns its standings.
func (h *host) standings(t *testing.T, event int64) tournament.Standings {
	t.Helper()
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.State != server.Finished {
		t.Fatalf("event %d is %s: %s %v", event, last.State, last.Message, err)
	}
	s, err := h.client.Standings(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
