package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/results"
)

// The status of an event that another process plays is read from its database, while it is played and after
// an interrupt.
func TestStatusOfRunningEvent(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "arena.db")
	// On the full board mcts takes long over a game.
	p := startProcess(t, "arena", "event", "run", "--in-process", "--bot", "mcts:playouts=2000", "--bot", "random", "--matches", "1000", "--concurrency", "2", "--db", db)
	p.AwaitOutput(t, "playing")
	awaitStatus(t, db, "2 playing")
	stdout, _, code := run(t, "arena", "event", "status", "--db", db)
	for _, want := range []string{"event 1 [", "0/2000 games, 2 playing", "an arena is using this database", "attacks", "plies"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, no %q in:\n%s", code, want, stdout)
		}
	}
	p.Interrupt(t)
	_ = p.Wait()
	if stdout, _, _ := run(t, "arena", "event", "status", "--db", db); !strings.Contains(stdout, "unfinished") || strings.Contains(stdout, "an arena is using") {
		t.Errorf("after the interrupt:\n%s", stdout)
	}
}

// awaitStatus waits until the status of the newest event has a text.
func awaitStatus(t *testing.T, db, text string) {
	t.Helper()
	for range 1000 {
		if stdout, _, _ := run(t, "arena", "event", "status", "--db", db); strings.Contains(stdout, text) {
			return
		}
	}
	t.Fatalf("the status never has %q", text)
}

// fullOutput is an output on a full disk.
type fullOutput struct{}

var errFull = errors.New("no space left on device")

func (fullOutput) Write([]byte) (int, error) { return 0, errFull }

// A command fails if its result cannot be written.
func TestFullOutputs(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"verify":        verified(results.Verification{Games: 1}).Text,
		"event status":  func(w io.Writer) error { return writeStatus(w, server.Progress{Event: 1}, "a.db", 0) },
		"replay stderr": func(w io.Writer) error { return writeLogs(w, 1, []gameLog{{Bot: "ann"}}) },
	} {
		if err := write(fullOutput{}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
