package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/arena"
)

// process is a program that a test has started.
type process struct {
	*exec.Cmd
	output output
}

// output keeps what a process prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// startProcess starts a program that is killed at the end of the test at the
// latest. Its output is logged if the test fails.
func startProcess(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...)}
	p.Stdout, p.Stderr = &p.output, &p.output
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

// freeAddress is an address of this machine that nobody listens on now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// host is a running arena, the bots that it needs, and a client of it.
type host struct {
	address, db string
	client      *arena.Client
	server      *process
}

func newHost(t *testing.T) *host {
	address := freeAddress(t)
	return &host{address: address, db: t.TempDir() + "/arena.db", client: &arena.Client{URL: "http://" + address}}
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

// await waits until so many bots are connected.
func (h *host) await(t *testing.T, bots int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		list, err := h.client.Bots(ctx)
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

// run runs a program to its end and returns what it printed, stdout and stderr
// apart, and its exit code.
func run(t *testing.T, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), c.ProcessState.ExitCode()
}

// interrupt does what Ctrl-C does.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// awaitOutput waits until the process has printed a text, or exited is closed.
func (p *process) awaitOutput(t *testing.T, text string, exited <-chan struct{}) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	timeout := time.After(time.Minute)
	for !strings.Contains(p.output.String(), text) {
		select {
		case <-look.C:
		case <-exited:
			return
		case <-timeout:
			t.Fatalf("%v has not printed %q", p.Args, text)
		}
	}
}
