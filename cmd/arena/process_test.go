package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// run runs a program to its end and returns its output, stdout and stderr apart, and its exit code.
func run(t *testing.T, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, &problems
	c.Env = environment(t)
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), c.ProcessState.ExitCode()
}

// environment returns the environment of the test's processes. They keep files in a folder of the test,
// not in the user's.
func environment(t *testing.T) []string {
	t.Helper()
	return append(os.Environ(), "XDG_CACHE_HOME="+filepath.Dir(t.TempDir()))
}

// process is a program that a test started.
type process struct {
	*exec.Cmd
	output transcript
}

// transcript keeps the output of a process.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *transcript) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// startProcess starts a program, which is killed at the end of the test at the
// latest. Its output is logged if the test fails.
func startProcess(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...)}
	p.Stdout, p.Stderr = &p.output, &p.output
	p.Env = environment(t)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%v printed:\n%s", p.Args, p.output.String())
		}
	})
	return p
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.Process.Kill() // it may have exited
	_ = p.Wait()         // likewise
}

// interrupt sends the signal of Ctrl-C.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// awaitOutput waits until the process has printed a text, or exited is closed.
func (p *process) awaitOutput(t *testing.T, text string, exited <-chan struct{}) {
	t.Helper()
	printed := func() bool { return strings.Contains(p.output.String(), text) }
	if !await(printed, exited) {
		t.Fatalf("%v has not printed %q", p.Args, text)
	}
}

// await waits until a condition holds or exited is closed. It returns false if neither happens within
// three minutes.
func await(condition func() bool, exited <-chan struct{}) bool {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	timeout := time.After(3 * time.Minute)
	for !condition() {
		select {
		case <-look.C:
		case <-exited:
			return true
		case <-timeout:
			return false
		}
	}
	return true
}

// killAfter kills the process some time after it has printed a text, unless it
// exits earlier.
func (p *process) killAfter(t *testing.T, text string, d time.Duration) {
	t.Helper()
	p.killWhen(t, func() bool { return strings.Contains(p.output.String(), text) }, d)
}

// killWhen kills the process some time after a condition has come true, unless it exits earlier.
func (p *process) killWhen(t *testing.T, condition func() bool, d time.Duration) {
	t.Helper()
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = p.Wait() // it was killed
	}()
	if !await(condition, exited) {
		t.Fatalf("%v does not do what it should", p.Args)
	}
	select {
	case <-time.After(d):
		_ = p.Process.Kill() // it may have exited
		<-exited
	case <-exited:
	}
}

// host is a running arena with a client of it.
type host struct {
	address, db string
	client      *server.Client
	server      *process
}

func newHost(t *testing.T) *host {
	address := freeAddress(t)
	return &host{address: address, db: t.TempDir() + "/arena.db", client: &server.Client{URL: "http://" + address}}
}

// freeAddress returns an address of this machine for a process that is started later, or again.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// serve starts the arena's process.
func (h *host) serve(t *testing.T, flags ...string) {
	t.Helper()
	h.server = startProcess(t, "arena", append([]string{"serve", "--db", h.db, "--addr", h.address}, flags...)...)
}

// bot starts a bot's process.
func (h *host) bot(t *testing.T, name, spec string, flags ...string) *process {
	t.Helper()
	return startProcess(t, "bot", append([]string{"run", spec, "--name", name, "--url", "ws://" + h.address + "/bot"}, flags...)...)
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

// play records a short event.
func play(t *testing.T, db string) {
	t.Helper()
	if _, stderr, code := run(t, "arena", "event", "run", "--db", db, "--bot", "random", "--bot", "greedy", "--size", "2x2",
		"--matches", "1", "--in-process", "--quiet"); code != 0 {
		t.Fatal(stderr)
	}
}

// alter changes a database as another program does.
func alter(t *testing.T, db, statement string) {
	t.Helper()
	other, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
