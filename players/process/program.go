package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"versus2048/internal/parallel"
	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// Config configures a program.
type Config struct {
	Command []string          // the program and its arguments; they go to the system without a shell
	Folder  string            // the program's working folder, "" for the folder of this process
	Options map[string]string // values for options; the program must have these options
	// Budget sets the options playouts and nodes, too, if the program has them. If it sets playouts, it also sets
	// the option time, if there is one, to 0.
	Budget players.Effort
	Margin time.Duration // subtracted from the time that the program is told, at most half of it
	Ready  int           // number of processes that Start starts, so that no game begins with a wait; 0 for one
	Limits Limits        // the zero value means DefaultLimits
	// StartTimeout is the longest time from the start of a process until it is ready; 0 for stdio.StartTimeout.
	StartTimeout time.Duration
	Log          *slog.Logger // for starts and ends; nil for none
	// Errors also gets the standard error of the processes, from several goroutines at once; nil for nowhere.
	Errors io.Writer
}

// Limits bounds the time and the output of a process. docs/STDIO.md lists them.
type Limits struct {
	QuitTime time.Duration // from quit to its end; then SIGTERM
	TermTime time.Duration // from SIGTERM to its end; then SIGKILL
	Settle   time.Duration // from the end of its output to its end, so that a fault can include the reason for its end
	Linger   time.Duration // from an illegal move until its log is complete, unless the process ends before
	Output   int           // bytes that it may write between two Gos
}

// DefaultLimits returns the limits stated in docs/STDIO.md.
func DefaultLimits() Limits {
	return Limits{QuitTime: 2 * time.Second, TermTime: time.Second, Settle: time.Second, Linger: 50 * time.Millisecond, Output: 4 << 20}
}

// Program is a program that plays games. A process of it plays one game at a time.
type Program struct {
	config  Config
	ids     map[string]string
	options []stdio.Option
	plays   rules.Variants

	ending sync.WaitGroup // the processes that are being ended
	mu     sync.Mutex
	idle   []*child        // the processes that wait for a game
	all    map[*child]bool // has each process until it has ended; false says that retire is ending it
	closed bool
}

// Start starts the first processes of the program, and waits until they are ready. The error has the reason of a
// failure and, if a process is not ready, the last line of its standard error. The caller must call Close.
func Start(ctx context.Context, c Config) (*Program, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("no command: name the program that plays")
	}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits()
	}
	c.StartTimeout = cmp.Or(c.StartTimeout, stdio.StartTimeout)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &Program{config: c, all: map[*child]bool{}}
	first, greeting, err := p.start(ctx)
	if err == nil {
		p.ids, p.options, p.plays = greeting.ids, greeting.options, greeting.plays
		p.release(first, false)
		err = p.prepare(ctx, c.Ready-1)
	}
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("program %.200q: %w", strings.Join(c.Command, " "), err)
	}
	return p, nil
}

// prepare starts n more processes, at most one for each core at a time. Each must be ready in time. It stops at the
// first failure.
func (p *Program) prepare(ctx context.Context, n int) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, _ int) {
		c, _, err := p.start(ctx)
		if err != nil {
			fail(err)
			return
		}
		p.release(c, false)
	})
	return context.Cause(ctx)
}

// ID returns the program's own text for a key of stdio.ID, "" if it has none. The text has at most 200
// printable characters.
func (p *Program) ID(key string) string { return p.ids[key] }

// Options returns the options of the program.
func (p *Program) Options() []stdio.Option { return slices.Clone(p.options) }

// Plays returns the games that the program claims to play.
func (p *Program) Plays() rules.Variants { return p.plays }

// start starts a process, and returns it when it is ready for a game.
func (p *Program) start(ctx context.Context) (*child, *greeting, error) {
	c, err := p.startUnlessClosed()
	if err != nil {
		return nil, nil, err
	}
	greeting, err := c.greet(ctx, p.config.StartTimeout)
	var lines []stdio.Set
	if err == nil {
		if err = greeting.plays.Validate(); err != nil {
			err = fmt.Errorf("line %.200q: %w", greeting.playsLine, err)
		}
	}
	if err == nil {
		lines, err = p.config.settings(greeting.options)
	}
	if err != nil {
		p.dismiss(c)
		return nil, nil, err
	}
	for _, line := range lines {
		c.send(line.String())
	}
	return c, greeting, nil
}

// startUnlessClosed starts a process, unless the program is closed.
func (p *Program) startUnlessClosed() (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the program is closed")
	}
	c, err := startChild(p.config)
	if err != nil {
		return nil, err
	}
	p.all[c] = true
	p.config.Log.Info("started a process", "pid", c.command.Process.Pid, "command", p.config.Command[0])
	return c, nil
}

// settings returns the lines that set the options of c, for a program with the given options. It returns an error
// if the program does not have an option, or if the option does not allow the value.
func (c Config) settings(options []stdio.Option) (lines []stdio.Set, err error) {
	known := map[string]stdio.Option{}
	for _, o := range slices.Backward(options) { // of two with the same name, the first one counts
		known[o.Name] = o
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		o, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("it has no option %q", name)
		}
		if err := o.Check(c.Options[name]); err != nil {
			return nil, err
		}
		lines = append(lines, stdio.Set{Name: name, Value: c.Options[name]})
	}
	setBudget := func(name string, n uint64) {
		if _, ok := known[name]; ok && n > 0 {
			lines = append(lines, stdio.Set{Name: name, Value: strconv.FormatUint(n, 10)})
		}
	}
	setBudget("playouts", c.Budget.Playouts)
	setBudget("nodes", c.Budget.Nodes)
	_, hasPlayouts := known["playouts"]
	if _, hasTime := known["time"]; hasTime && hasPlayouts && c.Budget.Playouts > 0 {
		lines = append(lines, stdio.Set{Name: "time", Value: "0"})
	}
	return lines, nil
}

// Play begins a game in a free process, or in a new one. The start of a new process fails when ctx ends. If no process
// can be started, each move of the game fails with the reason. The caller must call Over of the game.
func (p *Program) Play(ctx context.Context, start stdio.New) *Game {
	g := &Game{program: p, start: start}
	if g.child = p.takeIdle(); g.child == nil {
		g.child, _, g.failed = p.start(ctx)
	}
	if g.child != nil {
		g.child.begin(start)
	}
	return g
}

// takeIdle returns a process that waits for a game, nil if there is none. The process then waits no longer.
func (p *Program) takeIdle() *child {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		select {
		case <-c.gone:
			p.retire(c)
		default:
			return c
		}
	}
	return nil
}

// release returns a process to the program after a game. A broken process is ended.
func (p *Program) release(c *child, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-c.gone:
		broken = true
	default:
	}
	switch {
	case p.closed: // Close will end it
	case broken:
		p.retire(c)
	default:
		p.idle = append(p.idle, c)
	}
}

// retire begins to end a process, once. The caller holds the lock.
func (p *Program) retire(c *child) {
	if p.all[c] {
		p.all[c] = false
		p.ending.Go(func() { p.dismiss(c) })
	}
}

// dismiss ends a process, and waits until it has ended.
func (p *Program) dismiss(c *child) {
	c.end()
	p.config.Log.Info("ended a process", "pid", c.command.Process.Pid, "how", c.exit)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, c)
}

// Close ends all processes, and waits until they have ended. Games in progress fail.
func (p *Program) Close() {
	p.mu.Lock()
	p.closed, p.idle = true, nil
	for c := range p.all {
		p.retire(c)
	}
	p.mu.Unlock()
	p.ending.Wait()
}
