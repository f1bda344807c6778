package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/tournament"
)

// HeadToHead compares two bots by their finished matches against each other, from First's side.
type HeadToHead struct {
	First    BotStats         `json:"first"`
	Second   BotStats         `json:"second"`
	Matches  tournament.Tally `json:"matches"`
	Forfeits tournament.Tally `json:"forfeits"` // the matches that a fault or a resignation decided
	Strength Strength         `json:"strength"`
	// Difference is the mean of First's score minus Second's in a match, in points.
	Difference Estimate `json:"difference"`
	// LeftOut counts the matches that Difference leaves out because one of their games was cut
	// short: see [tournament.Summary.Scored].
	LeftOut int `json:"matches_left_out"`
	// Repeated counts the matches that Difference leaves out because they repeat an earlier one
	// move by move: see [tournament.Repeats].
	Repeated int `json:"matches_repeated,omitempty"`
}

// BotStats describes one bot's play in its matches against another.
type BotStats struct {
	Name   string `json:"name"`
	Scores        // as defender

	Defending Conduct `json:"defending"`
	Attacking Conduct `json:"attacking"` // empty if chance attacks
}

// NewHeadToHead compares two bots by the games of one event. Games of undecided matches do not count, so that both bots
// have defended in the same number of games. seed is the event's seed, below 2^53. It determines the resamples for the
// interval of Difference.
func NewHeadToHead(first, second string, games []tournament.Game, seed uint64) HeadToHead {
	theirs := slices.DeleteFunc(tournament.Matches(games), func(m tournament.MatchResult) bool {
		return (m.First != first || m.Second != second) && (m.First != second || m.Second != first)
	})
	return encounterOf(first, second, theirs).headToHead(timesheetOf(games, theirs), seed)
}

// HeadToHeads compares every two bots of the event that have met, in the order of its entries, by
// the collected matches that count. In an event of two bots it compares them in any case.
func (c *Collector) HeadToHeads() []HeadToHead {
	all := []HeadToHead{}
	c.each(func(_, _ int, met *encounter) { all = append(all, met.headToHead(c.times, c.event.Seed)) })
	if bots := c.event.Entries; len(all) == 0 && len(bots) == 2 {
		all = append(all, newEncounter(bots[0].Name, bots[1].Name).headToHead(c.times, c.event.Seed))
	}
	return all
}

// WriteHeadToHeads writes the comparisons for a terminal of that width: a table with the columns of Table 1 in
// Oka, Matsuzaki and Haraguchi 2015, and then each pair's other figures. It returns w's error.
func WriteHeadToHeads(w io.Writer, all []HeadToHead, width int) error {
	var text strings.Builder
	if len(all) == 0 {
		text.WriteString("no two bots to compare\n")
	} else {
		text.WriteString(table1(all).Text(width))
	}
	for _, h := range all {
		text.WriteByte('\n')
		h.writeDetails(&text, width)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func table1(all []HeadToHead) terminal.Table {
	table := terminal.Table{Columns: texts("first", "second", "mean first (SD)", "mean second (SD)", "difference [95% CI]", fmt.Sprintf("%d first / second", GoalTile))}
	table.Columns[1] = named("second")
	for _, h := range all {
		table.Add(h.First.Name, h.Second.Name, h.First.scoreText(), h.Second.scoreText(), h.Difference.text(),
			h.First.ReachShare.Percent()+" / "+h.Second.ReachShare.Percent())
	}
	return table
}

// writeDetails writes the figures that do not fit into the pair's row.
func (h HeadToHead) writeDetails(text *strings.Builder, width int) {
	var lines strings.Builder
	fmt.Fprintf(&lines, "%s / %s: %s, %d won, %d drawn, %d lost (by forfeit %d, %d, %d)\n",
		printable(h.First.Name), printable(h.Second.Name), terminal.Count(h.Matches.Played(), "match", "matches"),
		h.Matches.Won, h.Matches.Drawn, h.Matches.Lost,
		h.Forfeits.Won, h.Forfeits.Drawn, h.Forfeits.Lost)
	h.Strength.write(&lines, printable(h.First.Name))
	fmt.Fprintf(&lines, "  %s\n", h.Difference.note(h.LeftOut, h.Repeated))
	text.WriteString(terminal.Wrap(lines.String(), width, "  "))
	table := terminal.Table{Indent: "  ", Columns: []terminal.Column{{Least: 24}, {Title: shortened(h.First.Name)}, {Title: shortened(h.Second.Name)}}}
	paused := h.First.paused() || h.Second.paused()
	first, second := h.First.lines(paused), h.Second.lines(paused)
	for i, line := range first {
		table.Add(line.label, line.figure, second[i].figure)
	}
	text.WriteString(table.Text(width))
}

// line is one figure of a bot with its label.
type line struct{ label, figure string }

// paused reports whether the bot's clock stood still during a move.
func (s BotStats) paused() bool { return s.Defending.Pauses > 0 || s.Attacking.Pauses > 0 }

// lines returns the bot's figures in the order of the output. If paused is true, it adds the times
// of the clock's pauses.
func (s BotStats) lines(paused bool) []line {
	lines := []line{
		{"games as defender (left out)", fmt.Sprintf("%d (%d)", s.Games, s.CutShort)},
		{"score min to max", s.MinScore.Text(0) + " to " + s.MaxScore.Text(0)},
		{fmt.Sprintf("games with a %d", GoalTile), fmt.Sprint(s.Reached)},
		{"largest tile", s.largestText()},
		{"mean length, turns", s.MeanTurns.Text(1)},
		{"ms a move as defender, mean / median / max", s.Defending.timeText()},
		{"ms a move as attacker, mean / median / max", s.Attacking.timeText()},
		{"lag ms as defender, mean / max", s.Defending.lagText()},
		{"lag ms as attacker, mean / max", s.Attacking.lagText()},
		{"faults as defender", s.Defending.faultText()},
		{"faults as attacker", s.Attacking.faultText()},
	}
	if paused {
		const label = "clock stood still as %v, s: stalls / away (moves)"
		lines = append(lines, line{fmt.Sprintf(label, rules.Defender), s.Defending.pauseText()}, line{fmt.Sprintf(label, rules.Attacker), s.Attacking.pauseText()})
	}
	return lines
}

// Report returns the comparison in the format of fastchess, which engine testers know, from First's
// side. test is the state of an sprt's test, nil in other formats.
func (h HeadToHead) Report(test *tournament.TestState) string {
	var text strings.Builder
	s, m := h.Strength, h.Matches
	fmt.Fprintf(&text, "Results of %s vs %s (%s):\n", printable(h.First.Name), printable(h.Second.Name), s.basis())
	fmt.Fprintf(&text, "Elo: %s, nElo: %s\n", s.Elo.text(2), s.Normalized.text(2))
	fmt.Fprintf(&text, "LOS: %s, DrawRatio: %s\n", spaced(s.Superiority), spaced(h.drawRatio()))
	points := ratio(m.Points(), float64(m.Played()), "match")
	fmt.Fprintf(&text, "Matches: %d, Wins: %d, Losses: %d, Draws: %d, Points: %.1f (%s)\n",
		m.Played(), m.Won, m.Lost, m.Drawn, m.Points(), spaced(points))
	if s.Pairs != nil {
		fmt.Fprintf(&text, "Ptnml(0-2): %s\n", strings.ReplaceAll(fmt.Sprint(*s.Pairs), " ", ", "))
	}
	if test != nil {
		fmt.Fprintf(&text, "LLR: %.2f (%.1f%%) (%.2f, %.2f) [%.2f, %.2f]\n",
			test.LLR, 100*testProgress(test), test.Lower, test.Upper, test.Test.Elo0, test.Test.Elo1)
	}
	return text.String()
}

// drawRatio returns the share of drawn matches, or of pairs that gave each bot a point.
func (h HeadToHead) drawRatio() Figure {
	if p := h.Strength.Pairs; p != nil {
		return ratio(float64(p[2]), float64(h.Strength.Trials), "match")
	}
	return ratio(float64(h.Matches.Drawn), float64(h.Matches.Played()), "match")
}

// spaced writes a share such as "63.75 %".
func spaced(f Figure) string {
	if f.Absent() {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*f.Value)
}

// testProgress returns the LLR as a share of the bound on its side: positive towards H1, and at least 1 if H1 is
// accepted; negative towards H0, and at most -1 if H0 is accepted.
func testProgress(t *tournament.TestState) float64 {
	if t.LLR < 0 {
		return -t.LLR / t.Lower
	}
	return t.LLR / t.Upper
}
