package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server/lobby"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// gather serves an arena with a lobby in the test's process.
func (h *host) gather(t *testing.T, plan lobby.Plan) {
	t.Helper()
	app := &cli.App{
		Flags: hosting.ServeCommand().Flags, DisableSliceFlagSeparator: true,
		Action: func(c *cli.Context) error { return hosting.ServeWith(c, &plan) },
	}
	ctx, end := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() {
		over <- app.RunContext(ctx, []string{"serve", "--db", h.db, "--addr", h.Address, "--log-level", "error"})
	}()
	t.Cleanup(func() {
		end()
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
	h.await(t, 0)
}

// lobbyIs waits until arena lobby prints a text.
func (h *host) lobbyIs(t *testing.T, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		stdout, stderr, _ := run(t, "arena", "lobby", "--server", h.client.URL)
		if strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("want %q: %s%s", want, stdout, stderr)
		}
	}
}

// refuses runs a command that must fail with a text.
func (h *host) refuses(t *testing.T, want string, args ...string) {
	t.Helper()
	if _, stderr, code := run(t, "arena", append(args, "--server", h.client.URL)...); code == 0 || !strings.Contains(stderr, want) {
		t.Errorf("arena %s exits with %d, want %q: %s", strings.Join(args, " "), code, want, stderr)
	}
}

func TestLobbyCommands(t *testing.T) {
	testkit.Long(t)
	h := newHost(t)
	h.gather(t, lobby.Plan{
		Event:    tournament.Event{Name: "club evening", Seed: 7, Rules: rules.GPCC2015, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1},
		Expected: 3, Names: []string{"carl"},
	})
	h.lobbyIs(t, "lobby of club evening: 0 bots here, 3 of 3 expected missing bot state check why carl late waiting")
	h.refuses(t, "too few bots are here: 0, and the event needs 2", "lobby", "start")
	h.refuses(t, `bot "carl" is not here`, "lobby", "check", "carl")
	h.bot(t, "ann", "greedy")
	h.bot(t, "bob", "random")
	h.lobbyIs(t, "ann here passed bob here passed")
	told := arenaCommand(t, "ann is checked again; see the result with: ", "lobby", "check", "ann", "--server", h.client.URL)
	if want := " lobby --server " + h.client.URL + "\n"; !strings.HasSuffix(told, want) {
		t.Errorf("%q, want a command that ends with %q", told, want)
	}
	h.lobbyIs(t, "ann here passed")
	arenaCommand(t, `"missing": 1`, "lobby", "--json", "--server", h.client.URL)
	arenaCommand(t, "event 1", "lobby", "start", "--server", h.client.URL)
	h.refuses(t, "has begun already: it is event 1", "lobby", "start")
	h.lobbyIs(t, "lobby of club evening: the event has begun: it is event 1")
}

func TestLobbyCommandsWithoutLobby(t *testing.T) {
	testkit.Long(t)
	h := newHost(t)
	h.serve(t)
	h.refuses(t, "there is no lobby here", "lobby")
	h.refuses(t, "there is no lobby here", "lobby", "start")
}
