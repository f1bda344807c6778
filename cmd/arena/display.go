package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"versus2048/arena"
)

// display shows progress: lines that are drawn again and again on a terminal,
// elsewhere lines whenever a mark is reached, for an event each tenth of the way.
type display struct {
	out      io.Writer
	quiet    bool
	terminal bool
	fd       int // of the terminal
	drawn    int // lines on the terminal
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

// progress shows p with its standings, all of them where there is room.
func (d *display) progress(p arena.Progress) {
	if d.terminal {
		d.show(p, screen(p)...)
	} else {
		d.show(p, plainLines(p)...)
	}
}

// show shows the lines that p makes.
func (d *display) show(p arena.Progress, lines ...string) {
	d.draw([2]any{portion(p), p.State}, lines...)
}

// draw shows lines; where they can't be drawn over, only if the mark is new.
func (d *display) draw(mark any, lines ...string) {
	switch {
	case d.quiet:
	case d.terminal:
		lines = d.cut(lines)
		fmt.Fprint(d.out, redrawn(d.drawn, lines))
		d.drawn = len(lines)
	case mark != d.said:
		fmt.Fprintln(d.out, strings.Join(lines, "\n"))
		d.said = mark
	}
}

// redrawn is what draws lines over so many others, in whose last one the cursor
// is.
func redrawn(over int, lines []string) string {
	up := ""
	if over > 1 {
		up = fmt.Sprintf("\x1b[%dA", over-1)
	}
	return up + "\r" + strings.Join(lines, "\x1b[K\n") + "\x1b[J"
}

// cut makes lines fit the terminal: what wraps or scrolls could not be drawn over.
func (d *display) cut(lines []string) []string {
	width, height, err := term.GetSize(d.fd)
	if err != nil || width < 2 || height < 2 {
		return lines[:1]
	}
	return fitting(lines, width-1, height-1)
}

// fitting are the lines, as far as there is room for them.
func fitting(lines []string, width, height int) []string {
	var fit []string
	for _, line := range lines[:min(len(lines), height)] {
		letters := []rune(line)
		fit = append(fit, string(letters[:min(len(letters), width)]))
	}
	return fit
}

// end leaves the lines as they are.
func (d *display) end() {
	if d.drawn > 0 {
		fmt.Fprintln(d.out)
	}
}
