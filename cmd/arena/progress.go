package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"versus2048/arena"
	"versus2048/terminal"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// display shows progress. On a terminal it redraws the same lines again and again.
// Elsewhere it prints new lines at each milestone, such as every tenth of an event.
type display struct {
	out       io.Writer
	quiet     bool
	terminal  bool
	fd        int // of the terminal
	drawn     int // lines on the terminal
	milestone any // the last one that was printed
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

// progress shows p, with as much of its standings as there is room for.
func (d *display) progress(p arena.Progress) {
	if d.terminal {
		d.show(p, screen(p, d.width())...)
	} else {
		d.show(p, plainLines(p)...)
	}
}

// show shows the lines that were made from p.
func (d *display) show(p arena.Progress, lines ...string) {
	d.draw([3]any{tenths(p), p.State, awayNames(p)}, lines...)
}

// draw shows lines. Where they cannot be redrawn, it prints them only if the
// milestone is new.
func (d *display) draw(milestone any, lines ...string) {
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

// redrawn returns the text that draws lines over the last n lines, the cursor being
// in the last of them.
func redrawn(n int, lines []string) string {
	up := ""
	if n > 1 {
		up = fmt.Sprintf("\x1b[%dA", n-1)
	}
	return up + "\r" + strings.Join(lines, "\x1b[K\n") + "\x1b[J"
}

// cut makes lines fit the terminal: lines that wrap or scroll cannot be redrawn.
func (d *display) cut(lines []string) []string {
	width, height, err := term.GetSize(d.fd)
	if err != nil || width < 2 || height < 2 {
		return lines[:1]
	}
	return fitting(lines, width-1, height-1)
}

// width returns the width of the terminal, less the column in which its cursor rests.
func (d *display) width() int { return max(0, terminal.WidthOf(d.out)-1) }

// fitting returns the part of the lines that fits into width and height.
func fitting(lines []string, width, height int) []string {
	var fit []string
	for _, line := range lines[:min(len(lines), height)] {
		fit = append(fit, terminal.Cut(line, width))
	}
	return fit
}

// end leaves the lines on the terminal and moves the cursor below them.
func (d *display) end() {
	if d.drawn > 0 {
		fmt.Fprintln(d.out)
	}
}

// patience is how long a computation may take before its progress is shown.
const patience = 2 * time.Second

// computation displays the progress of a computation that may end at once: then it
// shows nothing.
type computation struct {
	display *display
	began   time.Time
}

func newComputation(out io.Writer, quiet bool) computation {
	return computation{newDisplay(out, quiet), time.Now()}
}

// draw shows a line as a display does, once the computation has lasted for a while.
func (c computation) draw(milestone any, line string) {
	if time.Since(c.began) >= patience {
		c.display.draw(milestone, line)
	}
}

func (c computation) end() { c.display.end() }

// counter displays how much of a known amount of work is done.
type counter struct {
	display *display
	title   string
	began   time.Time
	drawn   time.Time
}

func newCounter(out io.Writer, quiet bool, title string) *counter {
	return &counter{display: newDisplay(out, quiet), title: title, began: time.Now()}
}

// count shows that done of total positions are done. It redraws a terminal ten
// times a second at most.
func (c *counter) count(done, total int) {
	now := time.Now()
	if c.display.terminal && now.Sub(c.drawn) < time.Second/10 && done != total {
		return
	}
	c.drawn = now
	c.display.draw(10*done/total, counterLine(c.title, done, total, now.Sub(c.began)))
}

func (c *counter) end() { c.display.end() }

// counterLine returns a line such as
// "random (1 of 3) [=====     ] 200/800 positions, 0:12 left".
func counterLine(title string, done, total int, elapsed time.Duration) string {
	left := time.Duration(float64(elapsed) * float64(total-done) / float64(max(1, done)))
	return fmt.Sprintf("%s %s %d/%d positions, %s left", title, bar(done, total), done, total, clock(left))
}

// screen returns what a terminal of that width shows of an event: its progress, and its standings
// once a match is decided.
func screen(p arena.Progress, width int) []string {
	lines := []string{progressLine(p)}
	if !hasStandings(p) {
		return lines
	}
	var table strings.Builder
	_ = report.WriteStandings(&table, *p.Standings, width) // a strings.Builder never fails
	return append(lines, strings.Split(strings.TrimRight(table.String(), "\n"), "\n")...)
}

// plainLines returns the progress of an event, and its standings in one line.
func plainLines(p arena.Progress) []string {
	lines := []string{progressLine(p)}
	if hasStandings(p) {
		lines = append(lines, "  "+report.StandingsLine(*p.Standings))
	}
	return lines
}

// hasStandings reports whether a match of the event is decided.
func hasStandings(p arena.Progress) bool {
	played := func(place tournament.Place) bool { return place.Played > 0 }
	return p.Standings != nil && slices.ContainsFunc(p.Standings.Places, played)
}

// tenths returns how many tenths of the games are done, or how many tens of games
// in an event without an end.
func tenths(p arena.Progress) int {
	if p.Total == 0 {
		return p.Done / 10
	}
	return 10 * p.Done / p.Total
}

// progressLine returns a line such as "event 3 [=====     ] 12/24 games, 2 playing,
// 0:12 left, 38.5 games/min, 5120 plies/s".
func progressLine(p arena.Progress) string {
	if p.State == arena.Waiting {
		return strings.TrimSuffix(fmt.Sprintf("event %d waits for its bots: %s", p.Event, awayNames(p)), ": ")
	}
	line := fmt.Sprintf("event %d %s games, %d playing", p.Event, countText(p), p.Playing)
	switch {
	case p.State != arena.Running:
		line += ", " + string(p.State)
	case p.Left > 0:
		line += ", " + clock(time.Duration(p.Left)) + " left"
	}
	if seconds := time.Duration(p.Elapsed).Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %.1f games/min, %.0f plies/s", 60*float64(p.Played)/seconds, float64(p.Plies)/seconds)
	}
	if p.Faults != nil {
		line += fmt.Sprintf(", %d lost by a fault", p.Faults.Games)
	}
	for _, b := range p.Away {
		line += fmt.Sprintf(", %s is away (for %s at most)", b.Bot, clock(time.Duration(b.Left)))
	}
	return line
}

// awayNames returns the names of the bots that are away, such as "ann, bob".
func awayNames(p arena.Progress) string {
	var names []string
	for _, b := range p.Away {
		names = append(names, b.Bot)
	}
	return strings.Join(names, ", ")
}

// faultLines tells which games were lost by a fault, and how to look at them in the
// database: a few of them, and a warning if they are most. It returns nil if there
// are none.
func faultLines(p arena.Progress, db string) []string {
	f := p.Faults
	if f == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("%d of %d games were lost by a fault:", f.Games, p.Done)}
	for _, g := range f.First {
		line := fmt.Sprintf("  game %d (match %d): %s, %s", g.Game, g.Match, g.Bot, g.Fault)
		if g.Detail != "" {
			line += ": " + g.Detail
		}
		lines = append(lines, line)
	}
	if more := f.Games - len(f.First); more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	if 2*f.Games > p.Done {
		lines = append(lines, "warning: most games were lost by a fault, so that the results say little about how well the bots play")
	}
	return append(lines, fmt.Sprintf("look at one: %s replay %d --db %s", thisProgram(), f.First[0].Game, quote(db)))
}

// countText returns a text such as "[=====     ] 12/24", or "12 of at most 30" if
// the number of games is not known.
func countText(p arena.Progress) string {
	if p.Bound != tournament.Exactly {
		return p.Bound.Of(p.Done, p.Total)
	}
	return fmt.Sprintf("%s %d/%d", bar(p.Done, p.Total), p.Done, p.Total)
}

// bar returns a bar such as "[=====     ]".
func bar(done, total int) string {
	const width = 20
	full := min(width, width*done/max(1, total)) // a damaged database may have more games than planned
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// clock formats a duration as h:mm:ss or m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
