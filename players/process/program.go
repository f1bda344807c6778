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

	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/rules"
)

// Config says how a program is run.
type Config struct {
	Command []string          // the program and its arguments, for the system: there is no shell
	Folder  string            // that it runs in, "" for that of this process
	Options map[string]string // which it must have, as its option lines say
	// Budget is set, too, if the program has options of these names: playouts, nodes. A number of playouts
	// also sets the option time, if there is one, to 0.
	Budget players.Effort
	Margin time.Duration // how much less time the program is told that it has, at most half
	Ready  int           // how many processes Start starts, so that no game begins with a wait; 0 for one
	Limits Limits        // the zero value means DefaultLimits
	// StartTimeout is how long a process may take from its start until it is ready; 0 for stdio.StartTimeout.
	StartTimeout time.Duration
	Log          *slog.Logger // of starts and ends; nil for none
	// Errors also gets what the processes write to standard error, each piece in one Write; nil for nowhere.
	Errors io.Writer
}

// Limits bounds what a process may cost. docs/STDIO.md lists them.
type Limits struct {
	QuitTime time.Duration // from quit to its end; then SIGTERM
	TermTime time.Duration // from SIGTERM to its end; then SIGKILL
	Settle   time.Duration // from the end of its output to its end, so that a fault says how it ended
	Linger   time.Duration // from an answer that is no legal move until its log is complete, unless it ends before
	Output   int           // bytes that it may write from one go to the next
}

// DefaultLimits returns the limits stated in docs/STDIO.md.
func DefaultLimits() Limits {
	return Limits{QuitTime: 2 * time.Second, TermTime: time.Second, Settle: time.Second, Linger: 50 * time.Millisecond, Output: 4 << 20}
}

// Program is a program that plays games, each in a process that plays no other game meanwhile.
type Program struct {
	config  Config
	ids     map[string]string
	options []stdio.Option
	plays   rules.Variants

	ending sync.WaitGroup // the processes that are being ended
	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
}

// Start starts the first processes of the program, and waits until they are ready. The error says what went
// wrong, with the last line that the process wrote to standard error. The caller must call Close.
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
	first, said, err := p.start(ctx)
	if err == nil {
		p.ids, p.options, p.plays = said.ids, said.options, said.plays
		p.release(first, false)
		err = p.prepare(ctx, c.Ready-1)
	}
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("program %.200q: %w", strings.Join(c.Command, " "), err)
	}
	return p, nil
}

// prepare starts n processes more, at one time as many as there are cores: each must be ready in time. It gives
// up with the first that fails.
func (p *Program) prepare(ctx context.Context, n int) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	var starting sync.WaitGroup
	for range n {
		cores <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		starting.Go(func() {
			defer func() { <-cores }()
			c, _, err := p.start(ctx)
			if err != nil {
				fail(err)
				return
			}
			p.release(c, false)
		})
	}
	starting.Wait()
	return context.Cause(ctx)
}

// ID returns what the program says about itself, "" if it does not: see the keys of stdio.ID. It has at most
// 200 printable characters.
func (p *Program) ID(key string) string { return p.ids[key] }

// Options returns the options that the program has.
func (p *Program) Options() []stdio.Option { return slices.Clone(p.options) }

// Plays returns the games that the program says it plays.
func (p *Program) Plays() rules.Variants { return p.plays }

// start starts a process that is ready for a game.
func (p *Program) start(ctx context.Context) (*child, *greeting, error) {
	c, err := p.adopt()
	if err != nil {
		return nil, nil, err
	}
	said, err := c.greet(ctx, p.config.StartTimeout)
	var lines []stdio.Set
	if err == nil {
		err = said.plays.Validate()
	}
	if err == nil {
		lines, err = p.config.settings(said.options)
	}
	if err != nil {
		p.dismiss(c)
		return nil, nil, err
	}
	for _, line := range lines {
		c.send(line.String())
	}
	return c, said, nil
}

// adopt starts a process, unless the program is closed.
func (p *Program) adopt() (*child, error) {
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

// settings returns the lines that set the options of a program that has these. It returns an error for an
// option that it does not have, or that cannot have the value.
func (c Config) settings(has []stdio.Option) (lines []stdio.Set, err error) {
	find := func(name string) (stdio.Option, bool) {
		i := slices.IndexFunc(has, func(o stdio.Option) bool { return o.Name == name })
		if i < 0 {
			return stdio.Option{}, false
		}
		return has[i], true
	}
	for _, name := range slices.Sorted(maps.Keys(c.Options)) {
		o, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("it has no option %q", name)
		}
		if err := o.Check(c.Options[name]); err != nil {
			return nil, err
		}
		lines = append(lines, stdio.Set{Name: name, Value: c.Options[name]})
	}
	effort := func(name string, n uint64) {
		if _, ok := find(name); ok && n > 0 {
			lines = append(lines, stdio.Set{Name: name, Value: strconv.FormatUint(n, 10)})
		}
	}
	effort("playouts", c.Budget.Playouts)
	effort("nodes", c.Budget.Nodes)
	_, counts := find("playouts")
	if _, ok := find("time"); ok && counts && c.Budget.Playouts > 0 {
		lines = append(lines, stdio.Set{Name: "time", Value: "0"})
	}
	return lines, nil
}

// Play begins a game in a process that is free, or in a new one, until ctx ends. If none can be started, the
// game's first move fails with the reason. The caller must call Over of the game.
func (p *Program) Play(ctx context.Context, start stdio.New) *Game {
	g := &Game{program: p, start: start}
	if g.child = p.free(); g.child == nil {
		g.child, _, g.failed = p.start(ctx)
	}
	if g.child != nil {
		g.child.begin(start)
	}
	return g
}

// free returns a process that waits for a game, nil if there is none.
func (p *Program) free() *child {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		select {
		case <-c.gone:
			p.ending.Go(func() { p.dismiss(c) })
		default:
			return c
		}
	}
	return nil
}

// release takes a process back after a game. It ends one that is broken.
func (p *Program) release(c *child, broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-c.gone:
		broken = true
	default:
	}
	switch {
	case p.closed: // Close ends it
	case broken:
		p.ending.Go(func() { p.dismiss(c) })
	default:
		p.idle = append(p.idle, c)
	}
}

// dismiss ends a process.
func (p *Program) dismiss(c *child) {
	c.end()
	p.config.Log.Info("ended a process", "pid", c.command.Process.Pid, "how", c.exit)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, c)
}

// Close ends all processes, and waits until they have ended. Games that are still played fail.
func (p *Program) Close() {
	p.mu.Lock()
	p.closed, p.idle = true, nil
	for c := range p.all {
		p.ending.Go(func() { p.dismiss(c) })
	}
	p.mu.Unlock()
	p.ending.Wait()
}
