package check

import (
	"errors"
	"io"
	"os"
	"os/exec"

	"versus2048/players/process"
)

// logBytes is the size in bytes of the end of stderr that a failure shows.
const logBytes = 2 << 10

// child is a program in a process of its own, the first of a group.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	log     process.Tail
	ended   chan struct{}
	err     error // of its end; set before ended is closed
}

// startProcess starts a command. env is added to the environment.
func startProcess(command, env []string) (program, error) {
	if len(command) == 0 {
		return nil, errors.New("there is no command")
	}
	// #nosec G204 -- the command is the user's own
	p := &child{command: exec.Command(command[0], command[1:]...), log: process.Tail{Size: logBytes}, ended: make(chan struct{})}
	p.command.Env = append(process.Environment(), env...)
	p.command.Stderr = &p.log
	process.OwnGroup(p.command)
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
	err = process.StartError(command[0], p.command.Start())
	theirs.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	p.command.WaitDelay = quitTime // Wait waits no longer for children that hold stderr
	go func() {
		defer close(p.ended)
		p.err = p.command.Wait()
	}()
	return p, nil
}

func (p *child) stdin() io.WriteCloser { return p.in }
func (p *child) stdout() io.Reader     { return p.out }
func (p *child) stderr() string        { return string(p.log.Bytes()) }
func (p *child) done() <-chan struct{} { return p.ended }
func (p *child) terminate()            { process.Terminate(p.command) }

func (p *child) kill() {
	process.Kill(p.command)
	p.out.Close()
}

func (p *child) exit() string {
	<-p.ended
	if p.err == nil || errors.Is(p.err, exec.ErrWaitDelay) {
		return ""
	}
	return p.err.Error()
}

func (p *child) memory() (int64, bool) { return groupMemory(p.command.Process.Pid) }

func (p *child) remaining() (int, bool) { return groupSize(p.command.Process.Pid) }
