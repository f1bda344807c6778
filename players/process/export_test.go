package process

import (
	"context"
	"io"
	"time"

	"versus2048/protocol/stdio"
)

// Started returns how many processes a program has that have not ended.
func Started(p *Program) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}

// GreetLate starts a process, greets it when it has said that it is ready, and returns its name.
func GreetLate(ctx context.Context, c Config) (string, error) {
	p, err := startChild(c)
	if err != nil {
		return "", err
	}
	defer p.end()
	select {
	case <-p.greeting.ready:
	case <-p.gone:
		return "", p.words()
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

// Silent reports whether nobody holds the standard error of a game's process.
func (g *Game) Silent() bool {
	select {
	case <-g.child.silent:
		return true
	default:
		return false
	}
}

// Marks passes on what it is written, less the marks that are put between.
type Marks struct{ marks }

// NewMarks returns one that writes to w.
func NewMarks(w io.Writer) *Marks { return &Marks{marks{to: w}} }

// Put has a mark written.
func (m *Marks) Put(end io.Writer) <-chan struct{} { return m.put(end) }
