package templates_test

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

type storeOf struct{ *results.Store }

func (s storeOf) Journal(event int64) arena.Journal { return s.Store.Journal(event) }

func (s storeOf) HasToken(ctx context.Context, role arena.Role, name string) (bool, error) {
	return s.Store.HasToken(ctx, string(role), name)
}

func (s storeOf) ValidToken(ctx context.Context, role arena.Role, name, token string) (bool, error) {
	return s.Store.ValidToken(ctx, string(role), name, token)
}

// playsOverNetwork lets a bot connect to an arena, which is closed and opened again, and then plays a
// match with it under each rules.
func playsOverNetwork(t *testing.T, folder, run string) {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	server, address, stop := serve(t, store, "127.0.0.1:0")

	bot := command(t, folder, run, "ws://"+address+"/bot", "tester")
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = bot.Process.Kill()
		_ = bot.Wait()
	}()
	await(t, server)
	stop()
	server, _, stop = serve(t, store, address)
	defer stop()
	await(t, server) // it has come back
	for _, r := range rules.Rulesets() {
		match(t, server, r)
	}
	err = store.Games(t.Context(), results.Filter{Finished: true}, func(g results.Stored) error {
		if g.Record.Ending != record.Mate {
			t.Errorf("a game under %v ended by %v: %s", g.Record.Start.Rules(), g.Record.Ending, g.Record.Detail)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// serve opens an arena at an address. It returns its real address, and a function that closes it.
func serve(t *testing.T, store *results.Store, at string) (server *arena.Server, address string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	server = arena.New(arena.Config{Store: storeOf{store}, Grace: time.Minute, Limits: protocol.DefaultLimits(), Log: log})
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener) }()
	return server, listener.Addr().String(), func() {
		end()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
}

// await waits until the bot is connected.
func await(t *testing.T, server *arena.Server) {
	t.Helper()
	for !slices.ContainsFunc(server.Bots(), func(b arena.BotInfo) bool { return b.Name == "tester" }) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("the bot does not come")
		}
	}
}

// match plays a match of the bot with a random one.
func match(t *testing.T, server *arena.Server, r rules.Ruleset) {
	t.Helper()
	event, err := server.Start(t.Context(), tournament.Event{
		Name: "test", Rules: r, Size: rules.Size{Width: 3, Height: 2}, Seed: 7, Matches: 1,
		Bots: []string{"tester", "random"}, Concurrency: 1, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Follow(t.Context(), event, 0, func(arena.Progress) error { return nil }); err != nil {
		t.Fatal(err)
	}
}
