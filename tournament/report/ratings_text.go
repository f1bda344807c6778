package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"versus2048/tournament/rating"
)

// WriteText writes the ratings for a terminal, a table for each group, and what
// they rest on. It returns w's error.
func (r Ratings) WriteText(w io.Writer) error {
	var text strings.Builder
	for i, g := range r.Groups {
		if i > 0 {
			text.WriteString("\nNo match connects the bots above with these:\n\n")
		}
		g.writeTable(&text)
		g.writeBars(&text)
		g.writeNotes(&text)
	}
	if len(r.Unrated) > 0 {
		fmt.Fprintf(&text, "Not rated, without a finished match: %s.\n", printable(strings.Join(r.Unrated, ", ")))
	}
	if len(r.Groups) > 0 {
		fmt.Fprintf(&text, "\nElo by all matches at once: maximum likelihood, Bradley and Terry's model with Davidson's draws;\n"+
			"low and high are the ends of %.0f%% intervals.\n%s\n", 100*rating.Level, r.zero())
		text.WriteString("A column's number is the rank of the opponent there; below it, the likelihood of superiority in percent.\n")
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// zero says what the ratings are measured from.
func (r Ratings) zero() string {
	switch {
	case r.Anchor == nil || slices.Contains(r.Unrated, r.Anchor.Name):
		return "The mean of each table is 0."
	case len(r.Groups) > 1:
		return fmt.Sprintf("In its table %s has %v, all else being differences to it; the mean of another table is 0.", printable(r.Anchor.Name), r.Anchor.Elo)
	}
	return fmt.Sprintf("%s has %v, all else being differences to it.", printable(r.Anchor.Name), r.Anchor.Elo)
}

func (g RatedGroup) writeTable(text *strings.Builder) {
	names := make([]string, len(g.Bots))
	for i, b := range g.Bots {
		names[i] = shortened(b.Name)
	}
	table := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\t%s\tElo\tlow\thigh\tplayed\tpoints\t", padded("bot", names))
	for _, b := range g.Bots {
		fmt.Fprintf(table, "%d\t", b.Rank)
	}
	fmt.Fprintln(table)
	for i, b := range g.Bots {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%d\t%.1f\t", b.Rank, padded(names[i], names),
			b.Elo.Value.Text(1), b.Elo.Low.Text(1), b.Elo.High.Text(1), b.Total.Played(), b.Total.Points())
		for _, likelihood := range b.Superiority {
			likelihood.Value *= 100
			fmt.Fprintf(table, "%s\t", likelihood.Text(1))
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // a strings.Builder takes everything
}

// writeNotes says what the group's ratings rest on beside its matches.
func (g RatedGroup) writeNotes(text *strings.Builder) {
	if g.Prior {
		text.WriteString("These results alone set some differences no limit, so each bot counts half a match won and half a match lost more,\n" +
			"against one and the same opponent.\n")
	}
	for _, b := range g.Bots {
		switch {
		case b.Total.Points() == 0:
			fmt.Fprintf(text, "%s has lost every match: nothing says how much worse it may be.\n", printable(b.Name))
		case b.Total.Won == b.Total.Played():
			fmt.Fprintf(text, "%s has won every match: nothing says how much better it may be.\n", printable(b.Name))
		}
	}
	if g.DesignEffect > 1 {
		fmt.Fprintf(text, "Pairs of matches on one opening vary %.2f times as much as independent ones; the intervals allow for that.\n", g.DesignEffect)
	}
}
