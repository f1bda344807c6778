package roster

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"versus2048/players/process"
	"versus2048/protocol"
)

// Own describes a bot that the arena starts from a spec as a process of this program.
type Own struct {
	Spec  string // the bot, with its options
	Name  string // the name to play under
	Token string // the token that admits it under that name
	URL   string // where it connects, such as ws://127.0.0.1:2048/bot
	Slots int    // how many games it may have to play at once
}

// newToken returns a token for one started process.
func newToken() string { return rand.Text() }

// logBytes is the largest number of bytes, from the end of stderr, that a failure shows.
const logBytes = 2000

// OwnProcess is a bot that the arena has started.
type OwnProcess struct {
	command *exec.Cmd
	stderr  process.Tail
	Exited  chan struct{} // closed when the process has exited
	err     error         // how it exited; valid once Exited is closed
}

// StartOwn starts a bot's process. The caller must stop it. When this process ends, even if it is killed, the standard
// input of the bot's process ends; on Linux the bot's process is killed, too.
func StartOwn(command *exec.Cmd) (*OwnProcess, error) {
	p := &OwnProcess{command: command, stderr: process.Tail{Size: logBytes}, Exited: make(chan struct{})}
	command.Stderr = &p.stderr
	if _, err := command.StdinPipe(); err != nil { // the pipe is closed when the process has exited
		return nil, fmt.Errorf("starting a bot: %w", err)
	}
	started := make(chan error)
	go process.Run(command, started, func() {
		p.err = command.Wait()
		close(p.Exited)
	})
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting a bot: %w", err)
	}
	return p, nil
}

// Goodbye says goodbye to the bot, so that its process exits, or kills the process if the bot is not connected. session
// is the bot's session.
func (p *OwnProcess) Goodbye(session *protocol.Session) {
	// To ask session.Connected afterwards would kill a bot that got its goodbye and left at once.
	if !session.Goodbye("the event is over", false) {
		_ = p.command.Process.Kill() // the bot did not get the goodbye; it may have exited
	}
}

// Stop waits until the process exits. It kills the process if that takes longer than patience.
func (p *OwnProcess) Stop(patience time.Duration) {
	select {
	case <-p.Exited:
	case <-time.After(patience):
		_ = p.command.Process.Kill() // it may have exited meanwhile
		<-p.Exited
	}
}

// Written returns the last bytes that the process has written to standard error.
func (p *OwnProcess) Written() string { return string(p.stderr.Bytes()) }

// Failure returns why the process exited, with the last bytes that it wrote to standard error. Exited must be closed.
func (p *OwnProcess) Failure() error {
	err := p.err
	if err == nil {
		err = errors.New("exited")
	}
	return fmt.Errorf("%w: %s", err, bytes.TrimSpace(p.stderr.Bytes()))
}
