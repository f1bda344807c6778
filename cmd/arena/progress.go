package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/display"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// eventDisplay shows the progress of events.
type eventDisplay struct{ *display.Display }

func newDisplay(out io.Writer, quiet bool) eventDisplay {
	return eventDisplay{display.New(out, quiet)}
}

// progress shows p, with as much of its standings as there is room for.
func (d eventDisplay) progress(p server.Progress) {
	if d.Terminal() {
		d.show(p, screen(p, d.Width())...)
	} else {
		d.show(p, plainLines(p)...)
	}
}

// show shows the lines that were made from p.
func (d eventDisplay) show(p server.Progress, lines ...string) {
	d.Draw([3]any{tenths(p), p.State, awayNames(p)}, lines...)
}

// screen returns what a terminal of that width shows of an event: its progress, and its standings
// once a match is decided.
func screen(p server.Progress, width int) []string {
	lines := []string{progressLine(p)}
	if !hasStandings(p) {
		return lines
	}
	var table strings.Builder
	_ = report.WriteStandings(&table, *p.Standings, width) // a strings.Builder never fails
	return append(lines, strings.Split(strings.TrimRight(table.String(), "\n"), "\n")...)
}

// plainLines returns the progress of an event, and its standings in one line.
func plainLines(p server.Progress) []string {
	lines := []string{progressLine(p)}
	if hasStandings(p) {
		lines = append(lines, "  "+report.StandingsLine(*p.Standings))
	}
	return lines
}

// hasStandings reports whether a match of the event is decided.
func hasStandings(p server.Progress) bool {
	return p.Standings != nil && p.Standings.Begun()
}

// tenths returns how many tenths of the games are done, or how many tens of games
// in an event without an end.
func tenths(p server.Progress) int {
	if p.Total == 0 {
		return p.Done / 10
	}
	return 10 * p.Done / p.Total
}

// progressLine returns a line such as "event 3 [=====     ] 12/24 games, 2 playing,
// 0:12 left, 38.5 games/min, 5120 plies/s".
func progressLine(p server.Progress) string {
	if waits := p.Waits(); waits != "" {
		return fmt.Sprintf("event %d is %s: %s", p.Event, p.State, plain.Line(waits))
	}
	if p.State == server.Waiting {
		return strings.TrimSuffix(fmt.Sprintf("event %d waits for its bots: %s", p.Event, awayNames(p)), ": ")
	}
	line := fmt.Sprintf("event %d %s games, %d playing", p.Event, countText(p), p.Playing)
	switch {
	case p.State != server.Running:
		line += ", " + string(p.State)
	case p.Left > 0:
		line += ", " + display.Clock(time.Duration(p.Left)) + " left"
	}
	if seconds := time.Duration(p.Elapsed).Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %.1f games/min, %.0f plies/s", 60*float64(p.Played)/seconds, float64(p.Plies)/seconds)
	}
	if p.Faults != nil {
		line += fmt.Sprintf(", %d lost by a fault", p.Faults.Games)
	}
	for _, b := range p.Away {
		line += fmt.Sprintf(", %s is away", plain.Line(b.Bot))
		if b.Left > 0 {
			line += fmt.Sprintf(" (for %s at most)", display.Clock(time.Duration(b.Left)))
		}
		line += " and begins no games"
	}
	return line
}

// uncheckedLine names the bots for which matches that workers play are not checked, and says why.
func uncheckedLine(p server.Progress) string {
	var bots []string
	for _, b := range p.Unchecked {
		bots = append(bots, fmt.Sprintf("%s (%s)", plain.Line(b.Bot), plain.Line(b.Why)))
	}
	return fmt.Sprintf("event %d: matches that workers play are not checked for these bots: %s", p.Event, strings.Join(bots, ", "))
}

// awayNames returns the names of the bots that are away, such as "ann, bob".
func awayNames(p server.Progress) string {
	var names []string
	for _, b := range p.Away {
		names = append(names, plain.Line(b.Bot))
	}
	return strings.Join(names, ", ")
}

// faultLines tells which games were lost by a fault, and how to look at them in the
// database: a few of them, and a warning if they are most. It returns nil if there
// are none.
func faultLines(p server.Progress, db string) []string {
	f := p.Faults
	if f == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("%d of %d games were lost by a fault:", f.Games, p.Done)}
	for _, g := range f.First {
		line := fmt.Sprintf("  game %d (match %d): %s, %s", g.Game, g.Match, plain.Line(g.Bot), g.Fault)
		if g.Detail != "" {
			line += ": " + plain.Line(g.Detail)
		}
		lines = append(lines, line)
	}
	if more := f.Games - len(f.First); more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	if 2*f.Games > p.Done {
		lines = append(lines, "warning: most games were lost by a fault, so that the results say little about how well the bots play")
	}
	return append(lines, fmt.Sprintf("look at one: %s replay %d --db %s", cmdline.ThisProgram(), f.First[0].Game, cmdline.Quote(db)))
}

// countText returns a text such as "[=====     ] 12/24", or "12 of at most 30" if
// the number of games is not known.
func countText(p server.Progress) string {
	if p.Bound != tournament.Exactly {
		return p.Bound.Of(p.Done, p.Total)
	}
	return fmt.Sprintf("%s %d/%d", display.Bar(p.Done, p.Total), p.Done, p.Total)
}
