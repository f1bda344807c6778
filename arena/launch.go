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

// Launch is a bot that the arena starts as a process of its own.
type Launch struct {
	Spec  string // the bot, with its options
	Name  string // the name to play under
	Token string // what admits it under that name
	URL   string // where it connects, ws://.../bot
	Slots int    // games that it may be given at once
}

// process is a started bot.
type process struct {
	command *exec.Cmd
	stderr  tail
	exited  chan struct{} // closed when the process is gone
	err     error         // how it exited; valid once exited is closed
}

// start starts the process. Whoever starts it must stop it.
func start(command *exec.Cmd) (*process, error) {
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

// dismiss takes leave of the bot that the process is, which then exits.
func (p *process) dismiss(session *protocol.Session) {
	session.Goodbye("the event is over", false)
	if !session.Connected() {
		_ = p.command.Process.Kill() // nobody has heard the goodbye; it may have exited
	}
}

// stop waits until the process has exited by itself, no longer than patience,
// and then ends it.
func (p *process) stop(patience <-chan time.Time) {
	select {
	case <-p.exited:
	case <-patience:
		_ = p.command.Process.Kill() // it may have exited meanwhile
		<-p.exited
	}
}

// failure is why the process exited, with the last that it said.
func (p *process) failure() error {
	err := p.err
	if err == nil {
		err = errors.New("exited")
	}
	return fmt.Errorf("%w: %s", err, bytes.TrimSpace(p.stderr.bytes()))
}

// tail keeps the end of what is written to it.
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

// newLaunchToken is a token for one started process.
func newLaunchToken() string { return rand.Text() }
