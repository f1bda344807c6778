package process

import (
	"context"
	"io"
	"time"

	"versus2048/protocol/stdio"
)

// Started returns the number of a program's processes that have not ended.
func Started(p *Program) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}

// GreetLate starts a process, greets it after it has reported that it is ready, and returns its name.
func GreetLate(ctx context.Context, c Config) (string, error) {
	p, err := startChild(c)
	if err != nil {
		return "", err
	}
	defer p.end()
	select {
	case <-p.greeting.ready:
	case <-p.gone:
		return "", p.reason()
	}
	said, err := p.greet(ctx, time.Minute)
	if err != nil {
		return "", err
	}
	return said.ids[stdio.IDName], nil
}

// Settings returns the lines that set options.
func Settings(c Config, has []stdio.Option) (lines []string) {
	all, err := c.settings(has)
	if err != nil {
		return []string{err.Error()}
	}
	for _, l := range all {
		lines = append(lines, l.String())
	}
	return lines
}

// Silent reports whether no process holds the standard error of the game's process.
func (g *Game) Silent() bool {
	select {
	case <-g.child.silent:
		return true
	default:
		return false
	}
}

// Marks is marks for tests.
type Marks struct{ marks }

// NewMarks returns a Marks that writes to w.
func NewMarks(w io.Writer) *Marks { return &Marks{marks{to: w}} }

// Put is put for tests.
func (m *Marks) Put(end io.Writer) <-chan struct{} { return m.put(end) }
