package standing

import (
	"fmt"
	"io"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// nameWidth is the greatest number of columns for the name of a bot.
const nameWidth = 32

// WriteText writes the list for a terminal of that width, a table for each group, with notes on how
// it was computed. It returns w's error.
func (l List) WriteText(w io.Writer, width int) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n\n", l.Conditions, terminal.Count(l.Matches, "match", "matches"))
	for i, g := range l.Groups {
		if i > 0 {
			fmt.Fprintf(&text, "\n%s\n\n", g.apart())
		}
		text.WriteString(g.table().Text(width))
	}
	text.WriteString("\n")
	for _, note := range l.Notes() {
		text.WriteString(note + "\n")
	}
	_, err := io.WriteString(w, terminal.Wrap(text.String(), width, ""))
	return err
}

// apart introduces the ratings of a group that is not the first one.
func (g Group) apart() string {
	if g.Anchored {
		return "No match connects these with the bots above; only the reference bots set the scale of both:"
	}
	return "No match connects these with the bots above; their mean is 0:"
}

func (l List) scale() string {
	if len(l.Anchors) == 1 {
		return fmt.Sprintf("%s is fixed at %v, which sets the scale", plain.Line(l.Anchors[0].Name), l.Anchors[0].Elo)
	}
	return fmt.Sprintf("The scale is such that the %d reference bots have their measured ratings on average, such as greedy 1000 (docs/RATINGS.md)", len(l.Anchors))
}

func (g Group) table() terminal.Table {
	table := terminal.Table{Indent: "  ", Columns: append([]terminal.Column{{Right: true}, {Title: "bot", Least: 12, Most: nameWidth}},
		terminal.Numbers("Elo", "low", "high", "matches", "score", "LOS", "last played")...)}
	for _, r := range g.Rows {
		table.Add(r.Rank, r.String(), r.EloText(), r.Elo.Low.Text(0), r.Elo.High.Text(0), r.Total.Played(), r.Share.Percent(), r.Superiority.Percent(), r.Last)
	}
	return table
}

// EloText returns the rating, with a question mark if it is provisional.
func (r Row) EloText() string {
	if r.Provisional {
		return r.Elo.Value.Text(0) + "?"
	}
	return r.Elo.Value.Text(0)
}

// Notes explains the list's figures in sentences, and tells how many matches the list leaves out.
func (l List) Notes() []string {
	notes := []string{
		fmt.Sprintf("%s; low and high are the ends of %.0f%% intervals of the difference from the mean of the table. LOS is the likelihood of being better than the next bot.",
			l.scale(), 100*rating.Level),
		fmt.Sprintf("A question mark stands after ratings by fewer than %s.", terminal.Count(l.Provisional, "match", "matches")),
	}
	if l.Repeated > 0 {
		notes = append(notes, fmt.Sprintf("The list leaves out %s, equal to earlier ones move by move.", terminal.Count(l.Repeated, "match", "matches or pairs of matches")))
	}
	if l.Split > 0 {
		notes = append(notes, fmt.Sprintf("The list leaves out %s during which a bot changed its version.", terminal.Count(l.Split, "match", "matches")))
	}
	for _, g := range l.Groups {
		for _, r := range g.Rows {
			if r.Mixed {
				return append(notes, "Several versions: games that an earlier version of the arena recorded do not say which one played.")
			}
		}
	}
	return notes
}

// Tables returns a table of each list for other programs and for documents.
func Tables(lists []List) report.Tables {
	var all terminal.Tables
	for _, l := range lists {
		all = append(all, l.table())
	}
	return all
}

func (l List) table() terminal.Table {
	t := terminal.Table{Title: l.Conditions, Columns: terminal.Columns(
		"group", "rank", "bot", "version", "author", "spec", "elo", "low", "high", "provisional", "won", "drawn", "lost", "score", "los", "last played",
	)}
	for i, g := range l.Groups {
		for _, r := range g.Rows {
			t.Add(i+1, r.Rank, r.Name, r.Version, r.Author, r.Spec, r.Elo.Value, r.Elo.Low, r.Elo.High, r.Provisional,
				r.Total.Won, r.Total.Drawn, r.Total.Lost, r.Share, r.Superiority, r.Last)
		}
	}
	return t
}

// SummaryTable returns summaries as a table.
func SummaryTable(all []Summary) report.Tables {
	t := terminal.Table{Title: "conditions", Indent: "  ", Columns: append([]terminal.Column{{Title: "conditions", Least: 24}},
		terminal.Numbers("matches", "bots", "events", "last played")...)}
	for _, s := range all {
		t.Add(s.Conditions, s.Matches, s.Bots, s.Events, s.Last)
	}
	return terminal.Tables{t}
}
