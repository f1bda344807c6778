//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
	"versus2048/rules/record"
)

// A terminal that closes tells every process of the command twice. It ends the command like Ctrl-C: calmly, and no bot
// loses a game by it.
func TestHangUpOfTournament(t *testing.T) {
	t.Parallel()
	hearHangUps(t)
	db := t.TempDir() + "/arena.db"
	args := []string{"event", "run", "--matches", "4000", "--db", db, "--bot", "random", "--bot", "greedy", "--concurrency", "4"}
	_, stderr, code := interruptedRun(t, args, func(p *testkit.Program) error {
		_ = syscall.Kill(-p.Process.Pid, syscall.SIGHUP)
		return syscall.Kill(-p.Process.Pid, syscall.SIGHUP)
	})
	if code != cmdline.Interrupted || !strings.Contains(stderr, "resume: arena event resume 1 --db "+db) {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for name, r := range (&host{db: db}).games(t, 1) {
		if r.Ending != record.Mate && r.Ending != record.Unfinished {
			t.Fatalf("match %d game %d ended by %s: %s", name.match, name.leg, r.Ending, r.Detail)
		}
	}
}

// An arena and its bots say goodbye when their terminal closes, unless they were started to outlive that.
func TestHangUpOfServe(t *testing.T) {
	t.Parallel()
	hearHangUps(t)
	h := newHost(t)
	h.start(t, "nohup", "arena", "serve", "--db", h.db, "--addr", h.Address)
	bot := h.bot(t, "ann", "random")
	h.await(t, 1)
	for _, p := range []*testkit.Program{h.server, bot} {
		if err := p.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	if err := bot.Wait(); err != nil {
		t.Errorf("the bot ends with %v", err)
	}
	h.server.AwaitOutput(t, "the bot said goodbye")
	h.await(t, 0) // it is still there
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Error(err)
	}

	h.serve(t)
	bot = h.bot(t, "ann", "random", "--reconnect", "0s")
	h.await(t, 1)
	if err := h.server.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := h.server.Wait(); err != nil {
		t.Errorf("serve ends with %v", err)
	}
	bot.AwaitOutput(t, "shutting down")
}

// A program ends in order even if its reader has gone with the terminal.
func TestHangUpWithoutReader(t *testing.T) {
	t.Parallel()
	hearHangUps(t)
	h := newHost(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := testkit.NewProgram("arena", "serve", "--db", h.db, "--addr", h.Address)
	server.Stdout, server.Stderr = writer, writer
	h.Run(t, server)
	bot := h.bot(t, "ann", "random", "--reconnect", "0s")
	h.await(t, 1)
	_, _ = reader.Close(), writer.Close()
	if err := server.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("serve ends with %v", err)
	}
	bot.AwaitOutput(t, "shutting down")
}

// A bot that an arena has started learns from its standard input that the arena has ended, and ends, too.
func TestAttachedBotEndsWithItsArena(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	bot := newProcess(t, "bot", "run", "random", "--url", h.BotURL(), "--attached", "--quiet")
	held, err := bot.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	bot.Begin(t)
	h.await(t, 1)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if err := bot.Wait(); err != nil {
		t.Errorf("the bot ends with %v", err)
	}
}
