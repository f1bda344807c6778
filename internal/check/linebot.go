package check

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/players/process"
	"versus2048/protocol/stdio"
)

// LineBot is a program that speaks the line protocol over its standard input and output.
type LineBot struct {
	name  string
	start func() (program, error)
}

// NewLineBot returns the bot that a command starts. Each conversation has a process of its own.
func NewLineBot(command []string) *LineBot {
	return &LineBot{strings.Join(command, " "), func() (program, error) { return startProcess(command, nil) }}
}

// program is a running program.
type program interface {
	stdin() io.WriteCloser
	stdout() io.Reader
	stderr() string
	terminate()                     // asks it to end, as SIGTERM does
	kill()                          // ends it with its children
	done() <-chan struct{}          // closed when it has ended
	exit() string                   // how it ended, "" for a success
	memory() (bytes int64, ok bool) // of it and its children; not ok if the system does not report it
	remaining() (n int, ok bool)    // processes of its group that still run
}

func (b *LineBot) String() string { return b.name }
func (*LineBot) media() Media     { return Lines }
func (*LineBot) starts() bool     { return true }
func (*LineBot) finish()          {}

// quitTime is the longest time that a program may take to end.
const quitTime = 2 * time.Second

// open starts the program and greets it.
func (b *LineBot) open(ctx context.Context, on *bench) (*talk, error) {
	t, err := b.launch(on)
	if err != nil {
		return nil, err
	}
	if err := t.greet(ctx); err != nil {
		t.close()
		on.absent = cmp.Or(on.absent, "the bot was not ready")
		return nil, err
	}
	return t, nil
}

// launch starts the program and says nothing yet.
func (b *LineBot) launch(on *bench) (*talk, error) {
	p, err := b.start()
	if err != nil {
		on.absent = "the bot cannot be started"
		return nil, &finding{Failure{Problem: "the bot cannot be started: " + err.Error()}, "handshake.ready"}
	}
	return on.newTalk(newLineChannel(p, on.now), lineForm{}), nil
}

// greet says the first line and waits until the bot is ready.
func (t *talk) greet(ctx context.Context) error {
	hello := fmt.Sprintf("v2048 %d", stdio.Version)
	if err := t.sendText(hello); err != nil {
		return t.unready("the bot takes no line: %v", err)
	}
	within := t.bench.options.StartTimeout
	for end := t.bench.now() + within; ; {
		s, ok, err := t.hear(ctx, max(0, end-t.bench.now()))
		switch {
		case errors.Is(err, errEnded):
			return t.unready("the bot ends before it is ready")
		case err != nil:
			return err
		case !ok:
			return t.unready("no ready within %v: give it more time with --start-timeout %v%s", within, 2*within, t.unheard())
		}
		switch s.kind {
		case saidReady:
			t.greeted = true
			return t.meet()
		case saidID:
			t.intro.set(s)
		case saidOption:
			t.intro.options = append(t.intro.options, s.option)
		case saidPlays:
			t.intro.plays = s.games
		default:
			t.intro.early = append(t.intro.early, s)
		}
	}
}

// unheard returns the likely reason for a program's silence, as the end of a sentence, "" if none is known.
func (t *talk) unheard() string {
	c, ok := t.channel.(*lineChannel)
	switch {
	case !ok:
		return ""
	case c.unended.Text() != "":
		return "; " + c.unended.Text()
	case !t.greeted && t.heard == 0:
		return "; " + process.NoLine
	}
	return ""
}

// meet limits the checks to the games that the bot says it plays.
func (t *talk) meet() (err error) {
	b, said := t.bench, t.intro.plays
	b.met = true
	if err := said.Validate(); err != nil {
		return t.unready("%v", err)
	}
	if b.scope, err = newScope(said, b.options.Games); err != nil {
		b.absent = b.scope.why
		return skipf("%s", b.absent)
	}
	return nil
}

func (t *talk) unready(format string, args ...any) error {
	t.broken = true
	f := t.failf(format, args...)
	f.owner = "handshake.ready"
	return f
}

func (i *intro) set(s said) {
	switch s.key {
	case stdio.IDName:
		i.name = s.text
	case stdio.IDVersion:
		i.version = s.text
	}
}

// leave asks the program to end, and waits at most quitTime. Only the checks of endings fail if the program does not
// end.
func (*LineBot) leave(ctx context.Context, t *talk) {
	if t.broken || t.send("quit\n") != nil {
		return
	}
	t.program().ends(ctx, quitTime)
}

// program returns the channel of a conversation with a program.
func (t *talk) program() *lineChannel { return t.channel.(*lineChannel) }

// lineChannel is the standard input and output of a program.
type lineChannel struct {
	program
	unended stdio.Unended // the text that was read from stdout
	lines   chan received
	closed  chan struct{}
	once    sync.Once
	gone    atomic.Bool // the program reads or writes nothing more: it has probably ended
}

func newLineChannel(p program, now func() time.Duration) *lineChannel {
	c := &lineChannel{program: p, lines: make(chan received, 4096), closed: make(chan struct{})}
	c.unended.From = p.stdout()
	go c.read(now)
	return c
}

// read reads lines until the program or the channel ends.
func (c *lineChannel) read(now func() time.Duration) {
	defer close(c.lines)
	defer c.gone.Store(true)
	for lines, long := bufio.NewReaderSize(plain.WithoutBOM(&c.unended), stdio.MaxLine+2), false; ; {
		line, err := lines.ReadSlice('\n')
		if long { // the rest of a line that is too long
			long = errors.Is(err, bufio.ErrBufferFull)
			continue
		}
		r := received{text: strings.Trim(string(line), " \t\r\n"), at: now()}
		long = errors.Is(err, bufio.ErrBufferFull)
		if long || len(strings.TrimRight(string(line), "\r\n")) > stdio.MaxLine {
			r.problem = stdio.ErrTooLong.Error()
		}
		if r.text != "" || r.problem != "" {
			select {
			case c.lines <- r:
			case <-c.closed:
				return
			}
		}
		if err != nil && !long {
			return
		}
	}
}

func (c *lineChannel) texts() <-chan received { return c.lines }

// writeTime is the longest time that a program may take to read a line.
const writeTime = 10 * time.Second

func (c *lineChannel) send(pieces ...string) error {
	sent := make(chan error, 1)
	go func() {
		for _, piece := range pieces {
			if _, err := io.WriteString(c.stdin(), piece); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	select {
	case err := <-sent:
		if err != nil {
			c.gone.Store(true)
		}
		return err
	case <-time.After(writeTime):
		return fmt.Errorf("it has not read its standard input for %v", writeTime)
	}
}

// stderr returns the end of the program's standard error. It waits for a program that is ending: the last lines
// may say why.
func (c *lineChannel) stderr() string {
	if c.gone.Load() {
		select {
		case <-c.done():
		case <-time.After(quitTime):
		}
	}
	return c.program.stderr()
}

// together sends lines in one write.
func (c *lineChannel) together(texts []string) error { return c.send(strings.Join(texts, "\n") + "\n") }

// ends reports whether the program ends within a time.
func (c *lineChannel) ends(ctx context.Context, within time.Duration) bool {
	select {
	case <-c.done():
		return true
	case <-time.After(within):
	case <-ctx.Done():
	}
	return false
}

// close kills the program and its children, if any still run.
func (c *lineChannel) close() {
	c.once.Do(func() {
		close(c.closed)
		c.kill()
		<-c.done()
	})
}
