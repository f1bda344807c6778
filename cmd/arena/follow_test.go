package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

func TestInterruptedTournamentPrintsResumeCommand(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	args := []string{"event", "run", "--matches", "60", "--db", t.TempDir() + "/own.db", "--bot", "random", "--bot", "greedy"}
	stdout, stderr, code := interruptedRun(t, args, func(p *testkit.Program) error { return p.Process.Signal(os.Interrupt) })
	if code != cmdline.Interrupted || stdout != "" {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	if stdout := runNamed(t, "resume", stderr, "--quiet"); !strings.Contains(stdout, "60") {
		t.Errorf("the resumed event prints %s", stdout)
	}
}

// A command that watches an event on a running arena does not own it: however the command ends, the event goes on.
func TestWatchersDoNotStopEvents(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	hearHangUps(t)
	h := newHost(t)
	h.serve(t)
	h.bot(t, "ann", "random")
	h.bot(t, "bob", "random:seed=2")
	h.await(t, 2)
	events := t.TempDir() + "/events.jsonl"
	args := []string{"event", "run", "--matches", "100000", "--server", h.client.URL, "--bot", "ann", "--bot", "bob", "--events", events}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		stdout, stderr, code := interruptedRun(t, args, func(p *testkit.Program) error { return p.Process.Signal(s) })
		if code != cmdline.Interrupted || stdout != "" || !strings.Contains(stderr, "goes on at "+h.client.URL) {
			t.Fatalf("after %v the exit code is %d: %s%s", s, code, stdout, stderr)
		}
		if stdout := runNamed(t, "show", stderr); !strings.Contains(stdout, "running") && !strings.Contains(stdout, "playing") {
			t.Errorf("after %v the event is not played: %s", s, stdout)
		}
		runNamed(t, "stop", stderr)
	}
}

// hearHangUps lets the processes that the test starts get SIGHUP even if the tests run under nohup: a process inherits
// the signals that its parent ignores.
func hearHangUps(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
}

// runNamed runs the command that a program has printed after a word, with more arguments, and returns its output.
func runNamed(t *testing.T, word, text string, more ...string) string {
	t.Helper()
	found := regexp.MustCompile("(?m)^" + word + ": (.+)$").FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no command that can %s in: %s", word, text)
	}
	words := append(strings.Fields(found[1]), more...)
	stdout, stderr, code := run(t, words[0], words[1:]...)
	if code != 0 {
		t.Fatalf("%s exits with %d: %s%s", found[1], code, stdout, stderr)
	}
	return stdout
}

// A tournament of 10^9 matches starts at once, hears the first interrupt, can be looked at and
// resumed, and hears the interrupt again.
func TestLongTournamentIsInterrupted(t *testing.T) {
	t.Parallel()
	db := t.TempDir() + "/long.db"
	interrupt := func(p *testkit.Program) error { return p.Process.Signal(os.Interrupt) }
	for _, args := range [][]string{
		{"event", "run", "--matches", "1000000000", "--bot", "random", "--bot", "greedy", "--size", "2x2", "--in-process", "--db", db},
		{"event", "resume", "1", "--db", db},
	} {
		if stdout, stderr, code := interruptedRun(t, args, interrupt); code == 0 || !strings.Contains(stderr, "of 2000000000 games played") {
			t.Fatalf("%v: exit code %d: %s%s", args, code, stdout, stderr)
		}
		if stdout, stderr, code := run(t, "arena", "event", "status", "1", "--db", db); code != 0 || !strings.Contains(stdout, "/2000000000 games") {
			t.Errorf("status: exit code %d: %s%s", code, stdout, stderr)
		}
	}
}

// interruptedRun runs arena in a process group of its own and interrupts it at its first line of progress.
func interruptedRun(t *testing.T, args []string, interrupt func(*testkit.Program) error) (stdout, stderr string, code int) {
	t.Helper()
	p := testkit.NewProgram("arena", args...)
	ownGroup(p)
	p.Stderr = nil
	progress, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Begin(t)
	var said strings.Builder
	lines := bufio.NewReader(io.TeeReader(progress, &said)) // which may read beyond the line
	for line := ""; !strings.Contains(line, "playing"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("%v ends before it plays: %v: %s", args, err, said.String())
		}
	}
	if err := interrupt(p); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // the exit code is returned
	return p.Output.String(), said.String(), p.ProcessState.ExitCode()
}

// An events file has all news, from a local arena and from a running one, and keeps its earlier content.
func TestEventsFile(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	path := t.TempDir() + "/events.jsonl"
	if err := os.WriteFile(path, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, where := range [][]string{{"--db", t.TempDir() + "/own.db"}, {"--server", h.client.URL}} {
		report := arenaCommand(t, "Results of a vs b (", append([]string{
			"event", "run", "--events", path, "--in-process", "--bot", "a=random", "--bot", "b=greedy",
			"--format", "sprt", "--sprt", "elo0=0,elo1=300,model=logistic", "--matches", "8", "--size", "2x3",
		}, where...)...)
		if !strings.Contains(report, "\nLLR: ") || !strings.Contains(report, "\nElo: ") {
			t.Errorf("report\n%s", report)
		}
		all := newsIn(t, path)
		counts := map[server.NewsType]int{}
		for _, n := range all {
			counts[n.Type]++
		}
		if counts[server.EventStarted] != i+1 || counts[server.EventFinished] != i+1 || counts[server.GameStarted] == 0 || counts[server.LLRChanged] < i+1 ||
			counts[server.GameFinished] != counts[server.GameStarted] || 2*counts[server.MatchFinished] != counts[server.GameFinished] {
			t.Errorf("run %d: news by type %v", i+1, counts)
		}
		if last := all[len(all)-1]; last.Type != server.EventFinished || last.Progress.State != server.Finished {
			t.Errorf("the last line is %+v", last)
		}
	}
	if _, stderr, code := run(t, "arena", "event", "run", "--events", t.TempDir(), "--db", h.db+".none", "--bot", "a=random", "--bot", "b=greedy"); code != 1 || !strings.Contains(stderr, "the file of --events") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// newsIn returns the lines of an events file.
func newsIn(t *testing.T, path string) (all []server.News) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var n server.News
		if err := json.Unmarshal(lines.Bytes(), &n); err == nil {
			all = append(all, n)
		} else if lines.Text() != "torn" {
			t.Errorf("line %q: %v", lines.Text(), err)
		}
	}
	return all
}

// A file that cannot be closed is reported, also if the arena is lost. The lost arena is not.
func TestEventsFileOfLostArena(t *testing.T) {
	for _, broken := range []bool{false, true} {
		events, err := openEvents(t.TempDir() + "/events.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if broken {
			_ = events.file.Close() // so that close fails
		}
		events.followed = make(chan error, 1)
		events.followed <- server.ErrLost
		if err := events.close(); (err != nil) != broken || errors.Is(err, server.ErrLost) {
			t.Errorf("broken %t: error %v", broken, err)
		}
	}
}
