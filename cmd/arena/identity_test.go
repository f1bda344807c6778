package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func TestBotTakesANumberedName(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	for range 3 {
		startProcess(t, "bot", "run", "mcts:playouts=10", "--slots", "2", "--url", h.BotURL())
	}
	h.await(t, 3)
	bots, err := h.client.Bots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"mcts-1", "mcts-2", "mcts-3"} {
		if bots[i].Name != want || bots[i].Origin != roster.Connected || !strings.HasPrefix(bots[i].Spec, "mcts:playouts=10,") {
			t.Errorf("bot %d is %+v, want %s", i, bots[i], want)
		}
	}
	for name, want := range map[string]string{"random": "take another name, such as", "Mcts-1": "looks like"} {
		_, stderr, code := run(t, "bot", "run", "random", "--name", name, "--url", h.BotURL())
		if code != 3 || !strings.Contains(stderr, want) {
			t.Errorf("as %s: exit code %d, want 3 and %q: %s", name, code, want, stderr)
		}
	}
	// An operator who names the spec gets a bot that the arena starts.
	if _, stderr, code := run(t, "arena", "event", "run", "--server", h.client.URL, "--bot", "mcts:playouts=5", "--bot", "mcts-1",
		"--matches", "1", "--size", "2x2", "--quiet"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	status := arenaCommand(t, `"mcts:playouts=5" started: mcts:playouts=5,`, "event", "status", "1", "--server", h.client.URL)
	if !strings.Contains(status, `"mcts-1" connects by itself`) {
		t.Errorf("the status does not say what the entries are: %s", status)
	}
	arenaCommand(t, `"origin": "connected"`, "event", "status", "1", "--db", h.db, "--json")
	arenaCommand(t, "mcts-1,2,", "bots", "--server", h.client.URL, "--format", "csv")
}

// A bot that is killed and started again finds its games, even if a bot without its secret has taken its place
// meanwhile: the arena sends that bot away.
func TestKilledBotComesBackWithItsSecret(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	first := h.bot(t, "ann", "random", "--quiet")
	h.bot(t, "bob", "random", "--quiet")
	h.await(t, 2)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"ann", "bob"}, Size: rules.Full, Matches: 30, Concurrency: 1, Clock: tournament.Clock{PerMove: time.Minute},
	})
	if err != nil {
		t.Fatal(err)
	}
	killed := false
	last, err := h.client.Follow(t.Context(), event, func(p server.Progress) {
		if p.Done < 2 || killed {
			return
		}
		killed = true
		first.Kill()
		h.await(t, 1)
		// Another user's bot has no access to the secret, but comes from the same machine.
		stranger := exec.Command("bot", "run", "random", "--name", "ann", "--url", h.BotURL(), "--quiet")
		stranger.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		if err := stranger.Start(); err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { _ = stranger.Process.Kill() }) // it has ended
		h.await(t, 2)
		h.bot(t, "ann", "random", "--quiet")
		if err := stranger.Wait(); err != nil {
			t.Errorf("the stranger ends with %v, not by a goodbye", err)
		}
	})
	if err != nil || last.State != server.Finished || !killed {
		t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
	}
	for name, g := range h.games(t, event) {
		if g.Ending != record.Mate {
			t.Errorf("match %d game %d ended by %s: %s", name.match, name.leg, g.Ending, g.Detail)
		}
	}
}
