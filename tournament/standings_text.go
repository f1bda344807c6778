package tournament

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteText writes the standings for a terminal. It returns w's error.
func (s Standings) WriteText(w io.Writer) error {
	var text strings.Builder
	s.writePlaces(&text)
	if len(s.Ties) > 0 {
		text.WriteByte('\n')
		s.writeTies(&text)
	}
	if s.Test != nil {
		fmt.Fprintf(&text, "\n%s\n", s.Test.text(printable(s.Test.First)))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// linePlaces is how many bots a line has room for.
const linePlaces = 3

// Line is the standings in a line: how an sprt's test stands, or the first places.
func (s Standings) Line() string {
	if s.Test != nil {
		return s.Test.text(printable(s.Test.First))
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

func (s Standings) writePlaces(text *strings.Builder) {
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
	_ = table.Flush() // a strings.Builder takes everything
}

// plainNumber is a number with two digits after the point at most.
func plainNumber(v float64) string { return decimal(v, 2) }

// decimal is a number with so many digits after the point at most, 1 or more.
func decimal(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// writeTies writes a line a tie, under the title of its round.
func (s Standings) writeTies(text *strings.Builder) {
	round := 0
	for _, t := range s.Ties {
		if t.Round != round {
			round = t.Round
			fmt.Fprintf(text, "round %d, %s\n", round, t.Title)
		}
		fmt.Fprintf(text, "  %s\n", t.text())
	}
}

// text is such as "ann - bob 2 : 1, margin +64: ann goes on".
func (t Tie) text() string {
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

// text is how a test of the named bot stands.
func (t *TestState) text(name string) string {
	return fmt.Sprintf("sprt of %s: LLR %.2f (%.2f, %.2f) [%g, %g] %s Elo after %d trials %v: %s",
		name, t.LLR, t.Lower, t.Upper, t.Test.Elo0, t.Test.Elo1, t.Test.Model, t.Trials, t.Counts, t.verdict())
}

func (t *TestState) verdict() string {
	if t.Outcome == "running" {
		return "not decided"
	}
	return t.Outcome + " is accepted"
}
