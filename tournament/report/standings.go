package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"versus2048/tournament"
)

// WriteStandings writes the standings for a terminal. It returns w's error.
func WriteStandings(w io.Writer, s tournament.Standings) error {
	var text strings.Builder
	writePlaces(&text, s)
	if len(s.Ties) > 0 {
		text.WriteByte('\n')
		writeTies(&text, s.Ties)
	}
	if s.Test != nil {
		fmt.Fprintf(&text, "\n%s\n", testText(s.Test, printable(s.Test.First)))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// linePlaces is how many bots fit into a line.
const linePlaces = 3

// StandingsLine returns the standings in one line: the state of an sprt's test, or the
// first places.
func StandingsLine(s tournament.Standings) string {
	if s.Test != nil {
		return testText(s.Test, printable(s.Test.First))
	}
	var first []string
	for i, p := range s.Places {
		if i == linePlaces {
			first = append(first, "...")
			break
		}
		first = append(first, fmt.Sprintf("%d. %s %s", p.Place, shortened(p.Name), plainNumber(p.Values[0])))
	}
	return s.Columns[0] + ": " + strings.Join(first, ", ")
}

func writePlaces(text *strings.Builder, s tournament.Standings) {
	var names []string
	for _, p := range s.Places {
		names = append(names, shortened(p.Name))
	}
	table := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\t%s\tplayed\t%s\t\n", padded("bot", names), strings.Join(s.Columns, "\t"))
	for i, p := range s.Places {
		fmt.Fprintf(table, "%d\t%s\t%d\t", p.Place, padded(names[i], names), p.Played)
		for _, v := range p.Values {
			fmt.Fprintf(table, "%s\t", plainNumber(v))
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // a strings.Builder returns no errors
}

// writeTies writes one line for each tie, under the title of its round.
func writeTies(text *strings.Builder, ties []tournament.Tie) {
	round := 0
	for _, t := range ties {
		if t.Round != round {
			round = t.Round
			fmt.Fprintf(text, "round %d, %s\n", round, t.Title)
		}
		fmt.Fprintf(text, "  %s\n", tieText(t))
	}
}

// tieText returns a line such as "ann - bob  2 : 1, margin +64: ann", with the winner
// at its end.
func tieText(t tournament.Tie) string {
	if t.Second == "" {
		return printable(t.First) + " has a bye"
	}
	line := fmt.Sprintf("%s - %s  %s : %s, margin %+d", printable(t.First), printable(t.Second),
		plainNumber(t.Points[0]), plainNumber(t.Points[1]), t.Margin)
	if t.Winner != "" {
		line += ": " + printable(t.Winner)
	}
	return line
}

// testText returns the state of a test of the named bot.
func testText(t *tournament.TestState, name string) string {
	repeated := ""
	if t.Repeated > 0 {
		repeated = fmt.Sprintf(", without %d that repeat others", t.Repeated)
	}
	return fmt.Sprintf("sprt of %s: LLR %.2f (%.2f, %.2f) [%g, %g] %s Elo after %d trials %v%s: %s",
		name, t.LLR, t.Lower, t.Upper, t.Test.Elo0, t.Test.Elo1, t.Test.Model, t.Trials, t.Counts, repeated, outcome(t))
}

func outcome(t *tournament.TestState) string {
	if t.Outcome == "running" {
		return "not decided"
	}
	return t.Outcome + " is accepted"
}
