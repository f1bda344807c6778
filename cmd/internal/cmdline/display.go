package cmdline

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"versus2048/internal/text/terminal"
)

// Display shows progress. On a terminal it redraws the same lines again and again. In other outputs it prints new lines
// at each milestone, such as every tenth of an event.
type Display struct {
	out       io.Writer
	quiet     bool
	terminal  bool
	fd        int // of the terminal
	drawn     int // lines on the terminal
	milestone any // the last printed milestone
}

// NewDisplay returns a display on out, which shows nothing if quiet.
func NewDisplay(out io.Writer, quiet bool) *Display {
	file, ok := out.(*os.File)
	d := &Display{out: out, quiet: quiet}
	if ok {
		d.fd = int(file.Fd())
		d.terminal = term.IsTerminal(d.fd)
	}
	return d
}

// Draw shows lines. On a display that is no terminal, Draw prints the lines only if the milestone is new.
func (d *Display) Draw(milestone any, lines ...string) {
	switch {
	case d.quiet:
	case d.terminal:
		lines = d.cut(lines)
		fmt.Fprint(d.out, redrawn(d.drawn, lines))
		d.drawn = len(lines)
	case milestone != d.milestone:
		fmt.Fprintln(d.out, strings.Join(lines, "\n"))
		d.milestone = milestone
	}
}

// redrawn returns the text that draws lines over the last n lines. The cursor is in the last of them.
func redrawn(n int, lines []string) string {
	up := ""
	if n > 1 {
		up = fmt.Sprintf("\x1b[%dA", n-1)
	}
	return up + "\r" + strings.Join(lines, "\x1b[K\n") + "\x1b[J"
}

// cut shortens lines to fit the terminal: lines that wrap or scroll cannot be redrawn.
func (d *Display) cut(lines []string) []string {
	width, height, err := term.GetSize(d.fd)
	if err != nil || width < 2 || height < 2 {
		return lines[:1]
	}
	return fitting(lines, width-1, height-1)
}

// Terminal reports whether the display can redraw its lines, because it is a terminal.
func (d *Display) Terminal() bool { return d.terminal }

// Width returns the number of columns for text, 0 for no limit: the last column of the terminal is for the cursor.
func (d *Display) Width() int { return max(0, terminal.WidthOf(d.out)-1) }

// fitting returns the part of the lines that fits into width and height.
func fitting(lines []string, width, height int) []string {
	var fit []string
	for _, line := range lines[:min(len(lines), height)] {
		fit = append(fit, terminal.Cut(line, width))
	}
	return fit
}

// End leaves the lines on the terminal and moves the cursor below them.
func (d *Display) End() {
	if d.drawn > 0 {
		fmt.Fprintln(d.out)
	}
}

// patience is the time after which a computation shows its progress.
const patience = 2 * time.Second

// Computation displays the progress of a computation. It shows nothing if the computation ends soon.
type Computation struct {
	display *Display
	began   time.Time
}

// NewComputation returns the display of a computation that begins now.
func NewComputation(out io.Writer, quiet bool) Computation {
	return Computation{NewDisplay(out, quiet), time.Now()}
}

// Elapsed returns the time since the computation began.
func (c Computation) Elapsed() time.Duration { return time.Since(c.began) }

// Draw shows a line as a Display does, once the computation has lasted for a while.
func (c Computation) Draw(milestone any, line string) {
	if c.Elapsed() >= patience {
		c.display.Draw(milestone, line)
	}
}

// End leaves the last line on the terminal and moves the cursor below it.
func (c Computation) End() { c.display.End() }

// Counter displays how much of a known amount of work is done.
type Counter struct {
	Computation
	title string
	unit  string
	drawn time.Time
}

// NewCounter returns the display of work that begins now, under a title. The unit is a noun such as positions.
func NewCounter(out io.Writer, quiet bool, title, unit string) *Counter {
	return &Counter{Computation: NewComputation(out, quiet), title: title, unit: unit}
}

// Count shows that done of total units are done. It redraws a terminal at most ten times a second, and at the end.
func (c *Counter) Count(done, total int) {
	now := time.Now()
	if c.display.terminal && now.Sub(c.drawn) < time.Second/10 && done != total {
		return
	}
	c.drawn = now
	c.display.Draw(10*done/max(1, total), c.line(done, total, now.Sub(c.began)))
}

// line returns a line such as "random (1 of 3) [=====               ] 200/800 positions, 0:12 left".
func (c *Counter) line(done, total int, elapsed time.Duration) string {
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(max(1, done)))
	return fmt.Sprintf("%s %s %d/%d %s, %s left", c.title, Bar(done, total), done, total, c.unit, Clock(left))
}

// Bar returns a bar such as "[=====               ]".
func Bar(done, total int) string {
	const width = 20
	full := min(width, width*done/max(1, total)) // a damaged database may have more games than planned
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// Clock formats a duration as h:mm:ss or m:ss.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
