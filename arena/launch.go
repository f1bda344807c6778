package arena

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"versus2048/protocol"
)

// Launch describes a bot that the arena starts as a process.
type Launch struct {
	Spec  string // the bot, with its options
	Name  string // the name to play under
	Token string // the token that admits it under that name
	URL   string // where it connects, such as ws://127.0.0.1:2048/bot
	Slots int    // how many games it may have to play at once
}

// newLaunchToken returns a token for one started process.
func newLaunchToken() string { return rand.Text() }

// process is a bot that the arena has started.
type process struct {
	command *exec.Cmd
	stderr  tail
	exited  chan struct{} // closed when the process has exited
	err     error         // how it exited; valid once exited is closed
}

// startProcess starts a process. The caller must stop it.
func startProcess(command *exec.Cmd) (*process, error) {
	p := &process{command: command, exited: make(chan struct{})}
	command.Stderr = &p.stderr
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("starting a bot: %w", err)
	}
	go func() {
		p.err = command.Wait()
		close(p.exited)
	}()
	return p, nil
}

// goodbye says goodbye to the bot, so that its process exits. session is the
// bot's session.
func (p *process) goodbye(session *protocol.Session) {
	session.Goodbye("the event is over", false)
	if !session.Connected() {
		_ = p.command.Process.Kill() // the bot did not get the goodbye; it may have exited
	}
}

// stop waits until the process exits. It kills the process if timeout comes
// first.
func (p *process) stop(timeout <-chan time.Time) {
	select {
	case <-p.exited:
	case <-timeout:
		_ = p.command.Process.Kill() // it may have exited meanwhile
		<-p.exited
	}
}

// failure returns why the process exited, with the end of what it wrote to
// standard error.
func (p *process) failure() error {
	err := p.err
	if err == nil {
		err = errors.New("exited")
	}
	return fmt.Errorf("%w: %s", err, bytes.TrimSpace(p.stderr.bytes()))
}

// tail keeps the last tailBytes bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.text)
}
