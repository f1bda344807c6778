package main

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// foreignClient was written from docs/PROTOCOL.md alone, without our code.
const foreignClient = "../../docs/example/client.py"

// pythonProgram returns the program that runs foreignClient. Without it the test is skipped; the
// race step of .ci/run, which installs it, rejects skipped tests.
func pythonProgram(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing, which runs a bot in another language")
	}
	return python
}

// The client comes back to an arena that shuts down in the middle of an event and is started again.
func TestForeignClientComesBack(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	python := pythonProgram(t)
	h := newHost(t)
	h.serve(t)
	client := startProcess(t, python, foreignClient, h.BotURL(), "snake", "--slots", "2")
	h.await(t, 1)
	const matches = 30
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"snake", "random"}, Size: rules.Size{Width: 3, Height: 3}, Matches: matches, Concurrency: 2, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for restart := 1; restart <= 2; restart++ {
		awaitLines(t, client, "game ", restart)
		h.server.Interrupt(t)
		if err := h.server.Wait(); err != nil {
			t.Fatalf("the arena ends with %v", err)
		}
		awaitLines(t, client, "goodbye: the arena is shutting down", restart)
		h.serve(t)
		h.await(t, 1)
		awaitLines(t, client, "connected as snake", restart+1)
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.State != server.Finished {
		t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
	}
	for name, game := range h.games(t, event) {
		if game.Ending != record.Mate {
			t.Errorf("match %d game %d ended by %s: %s", name.match, name.leg, game.Ending, game.Detail)
		}
	}
	h.verify(t, event, 2*matches)
}

// A client that keeps its secret nowhere is killed in the middle of an event, and loses no game: another process of
// that name, which has waited for its place, plays on. Then the arena is killed.
func TestKilledForeignClientComesBack(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	python := pythonProgram(t)
	h := newHost(t)
	h.serve(t, "--grace", "5m")
	start := func() *testkit.Program {
		return startProcess(t, python, foreignClient, h.BotURL(), "snake", "--slots", "2")
	}
	playing := start()
	awaitLines(t, playing, "connected as snake", 1)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"snake", "random"}, Size: rules.Size{Width: 3, Height: 3}, Matches: 100_000, Concurrency: 2, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		awaitLines(t, playing, "game ", 1)
		next := start()
		awaitLines(t, next, "refused (name_in_use): ", 1)
		playing.Kill()
		awaitLines(t, next, "connected as snake", 1)
		playing = next
	}
	h.server.Kill()
	h.serve(t)
	awaitLines(t, playing, "connected as snake", 2)
	awaitLines(t, playing, "game ", 10+strings.Count(playing.Output.String(), "\ngame ")) // the event goes on by itself
	if err := h.client.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	for name, game := range h.games(t, event) {
		if game.Ending != record.Mate && game.Ending != record.Unfinished {
			t.Errorf("match %d game %d ended by %s: %s", name.match, name.leg, game.Ending, game.Detail)
		}
	}
}

// awaitLines waits until a process has printed that number of lines with a prefix.
func awaitLines(t *testing.T, p *testkit.Program, prefix string, lines int) {
	t.Helper()
	testkit.Await(t, fmt.Sprintf("%d lines that begin with %q", lines, prefix), func() bool {
		return strings.Count("\n"+p.Output.String(), "\n"+prefix) >= lines
	})
}

// The client waits for an arena that shut down until it is interrupted or its time is over.
func TestForeignClientGivesUp(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	python := pythonProgram(t)
	h := newHost(t)
	h.serve(t)
	start := func(name string, flags ...string) *testkit.Program {
		return startProcess(t, python, append([]string{foreignClient, "ws://" + h.Address + "/bot", name}, flags...)...)
	}
	patient, hasty := start("patient"), start("hasty", "--give-up", "1.5")
	h.await(t, 2)
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Fatalf("the arena ends with %v", err)
	}
	if _ = hasty.Wait(); hasty.ProcessState.ExitCode() != 1 || !strings.Contains(hasty.Output.String(), "client.py: can't connect") {
		t.Errorf("with --give-up the exit code is %d: %s", hasty.ProcessState.ExitCode(), hasty.Output.String())
	}
	awaitLines(t, patient, "goodbye: ", 1)
	patient.Interrupt(t)
	if _ = patient.Wait(); patient.ProcessState.ExitCode() != 130 || strings.Contains(patient.Output.String(), "Traceback") {
		t.Errorf("after an interrupt the exit code is %d: %s", patient.ProcessState.ExitCode(), patient.Output.String())
	}
}

// After a goodbye without reconnect, which bots get that the arena started itself, the client exits
// with 0.
func TestForeignClientLeavesAfterGoodbye(t *testing.T) {
	t.Parallel()
	python := pythonProgram(t)
	var mu sync.Mutex
	var started []*exec.Cmd
	h := serveHere(t, func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd {
			mu.Lock()
			defer mu.Unlock()
			started = append(started, exec.Command(python, foreignClient, l.URL, l.Name, "--slots", "1", "--token", l.Token))
			return started[len(started)-1]
		}
	})
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if last, err := h.client.Follow(t.Context(), event, func(server.Progress) {}); err != nil || last.State != server.Finished {
		t.Errorf("the event is %s: %s %v", last.State, last.Message, err)
	}
	h.Stop()
	if len(started) != 2 {
		t.Fatalf("%d bots were started", len(started))
	}
	for _, c := range started {
		if code := c.ProcessState.ExitCode(); code != 0 {
			t.Errorf("%v exits with %d", c.Args, code)
		}
	}
}

// The Python of docs/PROTOCOL.md that counts sequences of plies, with the client's own rules, counts the numbers in the
// document's table.
func TestForeignRules(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	python := pythonProgram(t)
	counting := `
import re, sys
sys.path.insert(0, "../../docs/example")
from client import placements, slides

text = open("../../docs/PROTOCOL.md").read()
exec(re.search("^` + "```" + `python\n(.*?)^` + "```" + `$", text, re.M | re.S)[1])
rows = re.findall(r"^\| .(\w+). \| .([0-9,/]+) ([AD]). \| ([0-9 ]+) \|", text, re.M)
for rules, tiles, side, counts in rows:
    board = tuple(tuple(map(int, row.split(","))) for row in tiles.split("/"))
    for plies, want in enumerate(counts.split(), 1):
        if int(want) < 6000 and (got := sequences(board, side, rules, plies)) != int(want):
            sys.exit(f"{rules} {tiles} {side}: {got} sequences of {plies} plies, the table has {want}")
print(len(rows), "positions")
`
	stdout, stderr, code := run(t, python, "-B", "-c", counting)
	if code != 0 || stdout != "16 positions\n" {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}
