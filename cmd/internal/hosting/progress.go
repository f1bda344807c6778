package hosting

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// ProgressDisplay shows the progress of events.
type ProgressDisplay struct{ *cmdline.Display }

// NewProgressDisplay returns a Display that shows events on out, unless quiet is set.
func NewProgressDisplay(out io.Writer, quiet bool) ProgressDisplay {
	return ProgressDisplay{cmdline.NewDisplay(out, quiet)}
}

// Progress shows p, and the part of its standings that there is room for.
func (d ProgressDisplay) Progress(p server.Progress) {
	if d.Terminal() {
		d.Show(p, screen(p, d.Width())...)
	} else {
		d.Show(p, plainLines(p)...)
	}
}

// Show shows lines about p. If the display is not a terminal, Show prints them only if another tenth of the games is
// done, or if the state or the bots that are away have changed.
func (d ProgressDisplay) Show(p server.Progress, lines ...string) {
	d.Draw([3]any{tenths(p), p.State, awayNames(p)}, lines...)
}

// screen returns the lines about an event for a terminal of that width: its progress and, if a match is decided, its
// standings.
func screen(p server.Progress, width int) []string {
	lines := []string{ProgressLine(p)}
	if !hasStandings(p) {
		return lines
	}
	var table strings.Builder
	_ = report.WriteStandings(&table, *p.Standings, width) // a strings.Builder never fails
	return append(lines, strings.Split(strings.TrimRight(table.String(), "\n"), "\n")...)
}

// plainLines returns the progress of an event, and its standings in one line.
func plainLines(p server.Progress) []string {
	lines := []string{ProgressLine(p)}
	if hasStandings(p) {
		lines = append(lines, "  "+report.StandingsLine(*p.Standings))
	}
	return lines
}

// hasStandings reports whether a match of the event is decided.
func hasStandings(p server.Progress) bool {
	return p.Standings != nil && p.Standings.Begun()
}

// tenths returns the number of tenths of the games that are done or, in an event without an end, the number of tens of
// games that are done.
func tenths(p server.Progress) int {
	if p.Total == 0 {
		return p.Done / 10
	}
	return 10 * p.Done / p.Total
}

// ProgressLine returns a line such as "event 3 [==========          ] 12/24 games, 2 playing, 0:12 left,
// 38.5 games/min, 5120 plies/s".
func ProgressLine(p server.Progress) string {
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
		line += ", " + cmdline.Clock(time.Duration(p.Left)) + " left"
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
			line += fmt.Sprintf(" (for %s at most)", cmdline.Clock(time.Duration(b.Left)))
		}
		line += " and begins no games"
	}
	return line
}

// UncheckedLine names the bots that play on workers without comparison, and the reasons.
func UncheckedLine(p server.Progress) string {
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

// FaultLines returns lines about the games that were lost by a fault: the first of them, a warning if most games were
// lost in this way, and a command that shows one of them. place is the flag that names the database or the running arena.
// FaultLines returns nil if no game was lost by a fault.
func FaultLines(p server.Progress, place string) []string {
	f := p.Faults
	if f == nil || len(f.First) == 0 {
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
	return append(lines, fmt.Sprintf("look at one: %s replay %d %s", cmdline.ThisProgram(), f.First[0].Game, place))
}

// countText returns a text such as "[==========          ] 12/24", or "12 of at most 30" if the number of games is not
// known.
func countText(p server.Progress) string {
	if p.Bound != tournament.Exactly {
		return p.Bound.Of(p.Done, p.Total)
	}
	return fmt.Sprintf("%s %d/%d", cmdline.Bar(p.Done, p.Total), p.Done, p.Total)
}

// StoppedError returns an error if a followed event was interrupted or failed, or if following it ended with err. last
// is the last progress of the event, and resume the command that resumes it. If the event was interrupted, StoppedError
// writes that and the command on w, and returns cmdline.ErrSilent. If the event failed, or err is server.ErrLost, the
// error has the reason and the command. Any other err is returned as it is.
func StoppedError(w io.Writer, id int64, last server.Progress, err error, resume string) error {
	switch {
	case errors.Is(err, server.ErrLost):
		return fmt.Errorf("event %d: %w; its games are kept, and once the arena is back this resumes it: %s", id, err, resume)
	case err != nil:
		return err
	case last.State == server.Interrupted:
		fmt.Fprintf(w, "event %d interrupted with %s games played; the games in progress are kept\nresume: %s\n", id, last.Bound.Of(last.Done, last.Total), resume)
		return cmdline.ErrSilent
	case last.State == server.Failed:
		return fmt.Errorf("event %d stopped with %s games played: %s\nresume: %s", id, last.Bound.Of(last.Done, last.Total), last.Message, resume)
	}
	return nil
}
