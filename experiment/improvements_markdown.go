package experiment

import (
	"fmt"
	"io"
	"strings"

	"versus2048/tournament/report"
)

// WriteMarkdown writes a row a variant, what the columns are, and the specs. It
// returns w's error.
func (t Improvements) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "| variant | change | matches | won-drawn-lost | share of matches won | mean score: variant, %s | difference | ms a move | |\n", nameMCTS2)
	text.WriteString("|---|---|---:|---:|---:|---:|---:|---:|---|\n")
	for _, r := range t.Rows {
		h := r.Games
		writeCells(&text, r.Name, r.Change, fmt.Sprint(h.Matches.Played()), wonDrawnLost(h.Matches), unit(percent).interval(r.Share),
			points(h.First.MeanScore)+", "+points(h.Second.MeanScore),
			unit(points).interval(report.Interval{Value: h.Difference.Value, Low: h.Difference.Low, High: h.Difference.High}),
			msPerMove(h.First).Text(2)+", "+msPerMove(h.Second).Text(2), string(r.Finding))
	}
	fmt.Fprintf(&text, "\nMatches against %s; a share counts a draw as half a match. Scores are those as defender.\n", nameMCTS2)
	fmt.Fprintf(&text, "Intervals: %.0f%%, Wilson's and by bootstrap; they take no notice of when the matches were stopped.\n\n", 100*t.Level)
	for _, r := range t.Rows {
		fmt.Fprintf(&text, "- %s: event %d; %s\n", r.Name, r.Event, r.Conditions)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// msPerMove is the mean time of all moves of a bot, in both roles.
func msPerMove(p report.BotStats) report.Figure {
	d, a := p.Defending, p.Attacking
	moves := d.Moves + a.Moves
	if moves == 0 {
		return d.MeanMS
	}
	// The mean of no moves is an absent figure, whose value is 0.
	total := float64(d.Moves)*d.MeanMS.Value + float64(a.Moves)*a.MeanMS.Value
	return report.Figure{Value: total / float64(moves)}
}
