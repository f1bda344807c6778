package testkit

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Program is a program that a test starts. Its command can be changed before it is started.
type Program struct {
	*exec.Cmd
	Output Transcript // both outputs, unless the command has others
	wait   func() error
	ended  func() <-chan struct{}
}

// NewProgram returns a program, which is not started yet.
func NewProgram(name string, args ...string) *Program {
	p := &Program{Cmd: exec.Command(name, args...)} // #nosec G204 -- a program of the test
	p.Stdout, p.Stderr = &p.Output, &p.Output
	ended := make(chan struct{})
	p.wait = sync.OnceValue(func() error {
		defer close(ended)
		return p.Cmd.Wait()
	})
	wait := sync.OnceFunc(func() { go p.Wait() }) // Wait returns the error
	p.ended = func() <-chan struct{} {
		wait()
		return ended
	}
	return p
}

// Begin starts the program. It is killed at the end of the test at the latest, and its output is logged if the test
// fails.
func (p *Program) Begin(t testing.TB) {
	t.Helper()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		if t.Failed() {
			t.Logf("%v printed:\n%s", p.Args, p.Output.String())
		}
	})
}

// Wait waits until the program has ended. Each call returns the error of exec.Cmd.Wait.
func (p *Program) Wait() error { return p.wait() }

// Ended reports whether the program has ended. A test that reads from one of the program's pipes must not call it: see
// exec.Cmd.StdoutPipe.
func (p *Program) Ended() bool { return closed(p.ended()) }

// Kill ends the program as kill -9 does.
func (p *Program) Kill() {
	_ = p.Process.Kill() // it may have ended
	_ = p.Wait()         // it was killed
}

// Interrupt sends the signal of Ctrl-C.
func (p *Program) Interrupt(t testing.TB) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

// Printed reports whether the program has printed a text.
func (p *Program) Printed(text string) bool { return strings.Contains(p.Output.String(), text) }

// AwaitOutput waits until the program has printed a text. The test fails if it ends before.
func (p *Program) AwaitOutput(t testing.TB, text string) {
	t.Helper()
	Await(t, p.Path+" to print "+text, func() bool { return p.Printed(text) || p.Ended() })
	if !p.Printed(text) {
		t.Fatalf("%v has ended without printing %q: %v", p.Args, text, p.Wait())
	}
}

// KillWhen kills the program some time after a condition has come true, unless it ends earlier.
func (p *Program) KillWhen(t testing.TB, condition func() bool, later time.Duration) {
	t.Helper()
	Await(t, "the moment to kill "+p.Path, func() bool { return condition() || p.Ended() })
	select {
	case <-time.After(later):
	case <-p.ended():
	}
	p.Kill()
}

// closed reports whether a channel that carries no values is closed.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Transcript keeps text until Take. It can be read while others write.
type Transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *Transcript) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns the text since the last call of Take, or all text if there was none.
func (o *Transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Take returns the same text as String, and forgets it.
func (o *Transcript) Take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.text.Reset()
	return o.text.String()
}
