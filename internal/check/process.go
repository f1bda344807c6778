package check

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
)

// process is a program in a process of its own, the first of a group.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	log     tail
	ended   chan struct{}
	err     error // how it ended, once it has
}

// startProcess starts a command. env is added to the environment.
func startProcess(command, env []string) (program, error) {
	if len(command) == 0 {
		return nil, errors.New("there is no command")
	}
	// #nosec G204 -- the command is the user's own
	p := &process{command: exec.Command(command[0], command[1:]...), ended: make(chan struct{})}
	tokens := func(variable string) bool { return strings.HasPrefix(variable, "VERSUS2048_") } // not for bots
	p.command.Env = append(slices.DeleteFunc(os.Environ(), tokens), env...)
	p.command.Stderr = &p.log
	ownGroup(p.command)
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: Wait must not close it while lines wait in it.
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out, p.command.Stdout = in, out, theirs
	err = p.command.Start()
	theirs.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	p.command.WaitDelay = quitTime // for children that hold stderr
	go func() {
		defer close(p.ended)
		p.err = p.command.Wait()
	}()
	return p, nil
}

func (p *process) stdin() io.WriteCloser { return p.in }
func (p *process) stdout() io.Reader     { return p.out }
func (p *process) stderr() string        { return p.log.String() }
func (p *process) done() <-chan struct{} { return p.ended }
func (p *process) terminate()            { terminateGroup(p.command.Process.Pid) }

func (p *process) kill() {
	killGroup(p.command.Process.Pid)
	p.out.Close()
}

func (p *process) exit() string {
	<-p.ended
	if p.err == nil || errors.Is(p.err, exec.ErrWaitDelay) {
		return ""
	}
	return p.err.Error()
}

func (p *process) memory() (int64, bool) { return groupMemory(p.command.Process.Pid) }

func (p *process) remaining() (int, bool) { return groupSize(p.command.Process.Pid) }

// tail keeps the end of the text that is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailBytes is how much of stderr a failure shows.
const tailBytes = 2 << 10

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
