package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"versus2048/rules/record"
)

// WriteHeadToHeads writes the comparisons for a terminal: a table with the
// columns of Table 1 in Oka, Matsuzaki and Haraguchi 2015, and then each
// pair's further figures. It returns w's error.
func WriteHeadToHeads(w io.Writer, all []HeadToHead) error {
	var text strings.Builder
	if len(all) == 0 {
		text.WriteString("no two bots to compare\n")
	} else {
		writeTable1(&text, all)
	}
	for _, h := range all {
		text.WriteByte('\n')
		h.writeDetails(&text)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeTable1 writes one row a pair.
func writeTable1(text *strings.Builder, all []HeadToHead) {
	table := newTable(text)
	fmt.Fprintf(table, "first / second\tmean first (SD)\tmean second (SD)\tdifference [95%% CI]\t%d first / second\n", GoalTile)
	for _, h := range all {
		fmt.Fprintf(table, "%s / %s\t%s\t%s\t%s\t%s / %s\n",
			shortened(h.First.Name), shortened(h.Second.Name),
			h.First.scoreText(), h.Second.scoreText(), h.Difference.text(),
			h.First.ReachShare.Percent(), h.Second.ReachShare.Percent())
	}
	_ = table.Flush() // a strings.Builder takes everything
}

// writeDetails writes what the row of the pair has no room for.
func (h HeadToHead) writeDetails(text *strings.Builder) {
	fmt.Fprintf(text, "%s / %s: %d matches, %d won, %d drawn, %d lost (by forfeit %d, %d, %d)\n",
		printable(h.First.Name), printable(h.Second.Name), h.Matches.Played(),
		h.Matches.Won, h.Matches.Drawn, h.Matches.Lost,
		h.Forfeits.Won, h.Forfeits.Drawn, h.Forfeits.Lost)
	h.Strength.write(text, printable(h.First.Name))
	fmt.Fprintf(text, "  %s\n", h.Difference.note(h.LeftOut))
	table := newTable(text)
	fmt.Fprintf(table, "  \t%s\t%s\n", shortened(h.First.Name), shortened(h.Second.Name))
	first, second := h.First.lines(), h.Second.lines()
	for i, line := range first {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", line.label, line.figure, second[i].figure)
	}
	_ = table.Flush()
}

func newTable(text *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(text, 0, 0, 3, ' ', 0)
}

// text is the estimate with its interval, or what it needs.
func (e Estimate) text() string {
	if e.Needs != "" {
		return fmt.Sprintf("%s [%s]", e.Value.Text(1), e.Needs)
	}
	return fmt.Sprintf("%s [%s, %s]", e.Value.Text(1), e.Low.Text(1), e.High.Text(1))
}

// note says how the interval was made, and of what.
func (e Estimate) note(leftOut int) string {
	note := fmt.Sprintf("difference over %d matches", e.Matches)
	switch {
	case e.Needs != "":
	case e.Resamples == 0:
		note += "; interval: bootstrap by match, in the limit of many resamples"
	default:
		note += fmt.Sprintf("; interval: bootstrap by match, %d resamples, seed %d", e.Resamples, e.Seed)
	}
	if leftOut > 0 {
		note += fmt.Sprintf("; left out: %d, where a game was cut short", leftOut)
	}
	return note
}

// scoreText is the mean score with its standard deviation, or what they need.
func (p Scores) scoreText() string {
	switch {
	case p.MeanScore.Absent():
		return "- (" + p.MeanScore.Needs + ")"
	case p.ScoreSD.Absent():
		return p.MeanScore.Text(1) + " (" + p.ScoreSD.Needs + ")"
	}
	return fmt.Sprintf("%s (%s)", p.MeanScore.Text(1), p.ScoreSD.Text(1))
}

// line is one figure of a bot with its label.
type line struct{ label, figure string }

// lines are the bot's figures in the order in which they are written.
func (p BotStats) lines() []line {
	return []line{
		{"games as defender (cut short)", fmt.Sprintf("%d (%d)", p.Games, p.CutShort)},
		{"score min to max", p.MinScore.Text(0) + " to " + p.MaxScore.Text(0)},
		{fmt.Sprintf("games with a %d", GoalTile), fmt.Sprint(p.Reached)},
		{"largest tile", largest(p)},
		{"mean length, turns", p.MeanTurns.Text(1)},
		{"ms a move as defender, mean / median / max", p.Defending.timeText()},
		{"ms a move as attacker, mean / median / max", p.Attacking.timeText()},
		{"lag ms as defender, mean / max", p.Defending.lagText()},
		{"lag ms as attacker, mean / max", p.Attacking.lagText()},
		{"faults as defender", p.Defending.faultText()},
		{"faults as attacker", p.Attacking.faultText()},
	}
}

func largest(p BotStats) string {
	if p.Games == 0 {
		return "-"
	}
	return fmt.Sprint(p.LargestTile)
}

func (c Conduct) timeText() string {
	return fmt.Sprintf("%s / %s / %s", c.MeanMS.Text(1), c.MedianMS.Text(1), c.MaxMS.Text(1))
}

func (c Conduct) lagText() string {
	return fmt.Sprintf("%s / %s", c.MeanLag.Text(1), c.MaxLag.Text(1))
}

// faultText lists the faults by ending, or says that there are none.
func (c Conduct) faultText() string {
	var faults []string
	for _, ending := range record.Endings() {
		if n := c.Faults[ending]; n > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", n, ending))
		}
	}
	if faults == nil {
		return "none"
	}
	return strings.Join(faults, ", ")
}
