package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"versus2048/players/clock"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// child is one process of a program, from its start to its end. Three goroutines serve its streams, and one
// waits for its end.
type child struct {
	command *exec.Cmd
	limits  Limits
	log     Tail // its standard error, with the remarks of this package
	marks   marks
	stderr  *os.File // the pipe that is its standard error, to write marks to

	input       chan line     // lines for its standard input
	output      *clock.Reader // its standard output
	unended     stdio.Unended // the text that was read from output
	exited      chan struct{} // closed when the process has ended
	exit        string        // how it ended; valid once exited is closed
	silent      chan struct{} // closed when its standard error has ended
	stop        sync.Once
	mu          sync.Mutex
	inputClosed bool
	gone        chan struct{} // closed when it cannot play on
	cause       string        // the reason; this and the next are valid once gone is closed
	unread      string        // the last line that was sent to it before, "" for none
	greeting    *greeting     // guarded by the lock until it is ready; it does not change afterwards
	greeted     bool          // whether the greeting is over
	asked       *question     // the question without an answer, nil for none
	answered    time.Time     // the time of its last answer
	sent        string        // the last line that was sent to it
	complaint   string        // its last mistake since the last question
	remarks     int           // number of remarks in this game; the log has maxRemarks at most
	written     int           // bytes of standard output since the last question or the start of the game
}

// line is a line for a process.
type line struct {
	text string
	turn *clock.Turn // the turn of a Go, which starts when the line leaves; nil for any other line
}

// question is a Go without an answer.
type question struct {
	turn   *clock.Turn
	answer chan stdio.Answer // holds the one answer: a Move, a Resign or an Error
	search stdio.Search      // guarded by the lock of the child until the answer
}

// greeting is the description that a process gives of itself.
type greeting struct {
	ids       map[string]string
	options   []stdio.Option
	plays     rules.Variants
	playsLine string // the line with these games
	ready     chan struct{}
}

// The limits of the data that are kept for a process.
const (
	queuedLines = 1024 // lines for its standard input
	maxOptions  = 1000
	maxRemarks  = 20 // remarks in the log of a game
)

// startChild starts a process. The caller must end it.
func startChild(c Config) (*child, error) {
	p := &child{
		limits: c.Limits, input: make(chan line, queuedLines),
		exited: make(chan struct{}), silent: make(chan struct{}), gone: make(chan struct{}),
		log: Tail{Size: MaxLog}, greeting: &greeting{ids: map[string]string{}, ready: make(chan struct{})},
	}
	// #nosec G204 -- the command of the user who starts this process, without a shell
	p.command = exec.Command(c.Command[0], c.Command[1:]...)
	p.command.Dir, p.command.Env = c.Folder, Environment()
	OwnGroup(p.command)
	ours, theirs, err := pipes()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Command[0], err)
	}
	p.command.Stdin, p.command.Stdout, p.command.Stderr = theirs[0], theirs[1], theirs[2]
	p.stderr = theirs[2]
	started := make(chan error)
	go Run(p.command, started, func() { p.wait(ours[1], ours[2]) })
	err = StartError(c.Command[0], <-started)
	_, _ = theirs[0].Close(), theirs[1].Close() // the process has copies of its own
	if err != nil {
		for _, file := range append(ours[:], p.stderr) {
			_ = file.Close() // nothing was written
		}
		return nil, fmt.Errorf("starting %s: %w", c.Command[0], err)
	}
	p.output = clock.NewReader(ours[1])
	p.unended.From = p.output
	go p.write(ours[0])
	go p.read(ours[1])
	go p.collect(ours[2], c.Errors)
	return p, nil
}

// StartError adds to the error of starting a program what was probably meant. It returns nil for nil.
func StartError(program string, err error) error {
	_, missing := os.Stat(program)
	switch {
	case err == nil:
		return nil
	case missing != nil && strings.Contains(program, " "):
		return fmt.Errorf("%w: write the program and each of its arguments as words of their own, not in quotes together: %s", err, program)
	case missing == nil && (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrPermission)):
		return fmt.Errorf("%w: write a program of this folder as ./NAME, and a script after its interpreter, as in python3 %s", err, program)
	}
	return err
}

// pipes returns three pipes for standard input, output and error: the ends for this process, and the ends for the
// process that is started.
func pipes() (ours, theirs [3]*os.File, err error) {
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			for j := range i {
				_, _ = ours[j].Close(), theirs[j].Close()
			}
			return ours, theirs, err
		}
		if ours[i], theirs[i] = r, w; i == 0 {
			ours[i], theirs[i] = w, r
		}
	}
	return ours, theirs, nil
}

// Environment returns the environment of a started process: the environment of this process without the variables
// whose names begin with VERSUS2048_. They may hold tokens and other secrets.
func Environment() (variables []string) {
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "VERSUS2048_") {
			variables = append(variables, variable)
		}
	}
	return variables
}

// wait waits for the end of the process. Then it ends the processes that the process has started, and closes
// the streams, which other processes may still hold.
func (p *child) wait(streams ...*os.File) {
	err := p.command.Wait()
	if p.exit = "its process ended"; err != nil {
		p.exit = fmt.Sprintf("its process ended (%v)", err)
	}
	close(p.exited)
	_ = p.stderr.Close() // so that the goroutine that reads the standard error comes to the end
	Kill(p.command)
	for _, ended := range []chan struct{}{p.gone, p.silent} {
		select {
		case <-ended:
		case <-time.After(p.limits.Settle):
		}
	}
	for _, s := range streams {
		_ = s.Close() // it may have been closed
	}
	p.lose(p.exit)
}

// write writes the queued lines to the standard input, until hangUp closes the queue.
func (p *child) write(in io.WriteCloser) {
	defer in.Close()
	for l := range p.input {
		if l.turn != nil {
			l.turn.Sent()
		}
		if _, err := io.WriteString(in, l.text+"\n"); err != nil {
			p.loseUnlessExited("it has closed its standard input")
			for range p.input { // until hangUp closes it
			}
			return
		}
	}
}

// read reads lines from the standard output until the stream ends or a line is not acceptable.
func (p *child) read(out io.Closer) {
	defer out.Close()
	defer p.output.Close()
	for lines := stdio.NewReader(&p.unended); ; {
		line, err := lines.Line()
		switch {
		case errors.Is(err, stdio.ErrTooLong):
			p.lose("it wrote " + err.Error())
			return
		case err != nil:
			p.loseUnlessExited("it has closed its standard output")
			return
		case !p.hear(line):
			p.lose(fmt.Sprintf("it wrote more than %d bytes without an answer, the last line %.80q", p.limits.Output, line))
			return
		}
	}
}

// collect keeps the end of the standard error, and passes all of it on.
func (p *child) collect(stderr io.ReadCloser, to io.Writer) {
	defer stderr.Close()
	if to == nil {
		to = io.Discard
	}
	p.marks.to = io.MultiWriter(&p.log, neverFailing{to})
	_, _ = io.Copy(&p.marks, stderr) // until it ends
	_, _ = p.marks.to.Write(p.marks.held)
	close(p.silent)
}

// neverFailing is a Writer that cannot fail. A program must not stand still because nobody reads its errors.
type neverFailing struct{ io.Writer }

func (w neverFailing) Write(text []byte) (int, error) {
	_, _ = w.Writer.Write(text)
	return len(text), nil
}

// loseUnlessExited gives the process up. The reason is the end of the process if that comes within Limits.Settle, else
// the text in why.
func (p *child) loseUnlessExited(why string) {
	p.mu.Lock()
	if p.asked != nil {
		p.complaint = why // the time of the move may be over before the process ends
	}
	p.mu.Unlock()
	select {
	case <-p.exited:
		p.lose(p.exit)
	case <-p.gone:
	case <-time.After(p.limits.Settle):
		p.lose(why)
	}
}

// lose gives the process up, since it cannot play on. Only the first reason counts.
func (p *child) lose(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause != "" {
		return
	}
	p.cause, p.unread = why, p.sent
	close(p.gone)
}

// send sends a line without a turn.
func (p *child) send(text string) { p.queue(line{text: text}) }

// queue queues a line for sending, unless the standard input is closed. It gives the process up if the queue is full.
func (p *child) queue(l line) {
	p.mu.Lock()
	full := false
	if !p.inputClosed {
		select {
		case p.input <- l:
			p.sent = l.text
		default:
			full = true
		}
	}
	p.mu.Unlock()
	if full {
		p.lose("it does not read its standard input")
	}
}

// hangUp closes the standard input.
func (p *child) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.inputClosed {
		p.inputClosed = true
		close(p.input)
	}
}

// end ends the process with all processes that it has started. It sends quit, then a signal that the process
// may handle, and then a signal that it cannot.
func (p *child) end() {
	p.stop.Do(func() {
		p.send(stdio.Quit{}.String())
		p.hangUp()
		select {
		case <-p.exited:
			return
		case <-time.After(p.limits.QuitTime):
		}
		Terminate(p.command)
		select {
		case <-p.exited:
			return
		case <-time.After(p.limits.TermTime):
		}
		Kill(p.command)
		<-p.exited
	})
	<-p.silent
}

// wholeLog returns the log. The log is complete if the process has ended. Otherwise it has everything that the process
// has written until now. After a fault it also has the output of the time Limits.Linger after the last answer.
func (p *child) wholeLog(fault bool) []byte {
	var pause time.Duration
	if fault {
		p.mu.Lock()
		pause = time.Until(p.answered.Add(p.limits.Linger))
		p.mu.Unlock()
	}
	complete := p.silent
	select {
	case <-p.exited:
	case <-time.After(pause):
		complete = p.marks.put(p.stderr)
	}
	select {
	case <-complete:
	case <-p.silent:
	case <-time.After(p.limits.Settle):
	}
	return p.log.Bytes()
}

// reason returns the reason why the process cannot play on, with the last line of its standard error and then the last
// line that was sent to it. An arena on the network keeps only the beginning.
func (p *child) reason() error {
	why := p.cause
	if last := lastLine(p.wholeLog(true)); last != "" {
		why += fmt.Sprintf("; the last line of its standard error is %.150q", last)
	}
	if p.unread != "" {
		why += fmt.Sprintf("; it was sent %.200q", p.unread)
	}
	return errors.New(why)
}

// Run starts a command and sends the error of the start, or nil, to started. After a successful start it calls wait,
// which waits for the command's end. All of this happens on one thread. On Linux the command's process dies with that
// thread, so it also dies when this process is killed. The processes that the command has started do not.
func Run(c *exec.Cmd, started chan<- error, wait func()) {
	dieWithParent(c)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.Start()
	started <- err
	if err == nil {
		wait()
	}
}
