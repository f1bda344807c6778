package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"versus2048/arena"
	"versus2048/tournament"
)

// display shows progress: one line that is drawn again and again on a terminal,
// elsewhere a line whenever a mark is reached, for an event each tenth of the way.
type display struct {
	out      io.Writer
	quiet    bool
	terminal bool
	fd       int // of the terminal
	drawn    int // width of the line on the terminal
	said     any // the mark that was told
}

func newDisplay(out io.Writer, quiet bool) *display {
	file, ok := out.(*os.File)
	d := &display{out: out, quiet: quiet}
	if ok {
		d.fd = int(file.Fd())
		d.terminal = term.IsTerminal(d.fd)
	}
	return d
}

// progress shows p.
func (d *display) progress(p arena.Progress) { d.show(p, progressLine(p)) }

// show shows the line that p makes.
func (d *display) show(p arena.Progress, line string) {
	d.draw([2]any{portion(p), p.State}, line)
}

// draw shows a line; where it can't be drawn over, only if the mark is new.
func (d *display) draw(mark any, line string) {
	switch {
	case d.quiet:
	case d.terminal:
		line = d.cut(line)
		fmt.Fprintf(d.out, "\r%-*s", d.drawn, line)
		d.drawn = len(line)
	case mark != d.said:
		fmt.Fprintln(d.out, line)
		d.said = mark
	}
}

// portion is how many tenths of the games are done, or tens of games where there
// is no end.
func portion(p arena.Progress) int {
	if p.Total == 0 {
		return p.Done / 10
	}
	return 10 * p.Done / p.Total
}

// cut makes a line fit the terminal: one that wraps could not be drawn over.
func (d *display) cut(line string) string {
	width, _, err := term.GetSize(d.fd)
	if err != nil || width < 2 {
		return line
	}
	return line[:min(len(line), width-1)] // it is ASCII
}

// end leaves the line as it is.
func (d *display) end() {
	if d.drawn > 0 {
		fmt.Fprintln(d.out)
	}
}

// progressLine is such as "event 3 [=====>    ] 12/24 games, 2 playing, 5120 plies/s, 0:12 left".
func progressLine(p arena.Progress) string {
	if p.State == arena.Waiting {
		return fmt.Sprintf("event %d waits for its bots", p.Event)
	}
	line := fmt.Sprintf("event %d %s games, %d playing", p.Event, countText(p), p.Playing)
	if seconds := time.Duration(p.Elapsed).Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %.0f plies/s", float64(p.Plies)/seconds)
	}
	switch {
	case p.State != arena.Running:
		line += ", " + string(p.State)
	case p.Left > 0:
		line += ", " + clock(time.Duration(p.Left)) + " left"
	}
	return line
}

// bar is such as "[=====     ]".
func bar(done, total int) string {
	const width = 20
	full := width * done / max(1, total)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// countText is such as "[=====     ] 12/24", or, where nobody knows how many games
// there will be, "12 of at most 30".
func countText(p arena.Progress) string {
	if p.Bound != tournament.Exactly {
		return p.Bound.Of(p.Done, p.Total)
	}
	return fmt.Sprintf("%s %d/%d", bar(p.Done, p.Total), p.Done, p.Total)
}

// clock writes a duration as h:mm:ss or m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
