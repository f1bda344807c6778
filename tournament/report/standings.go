package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// WriteStandings writes the standings for a terminal of that width: the outcome of a test, the
// table, the meaning of its points, and the ties of each round. It returns w's error.
func WriteStandings(w io.Writer, s tournament.Standings, width int) error {
	var text strings.Builder
	if s.Test != nil {
		fmt.Fprintf(&text, "%s\n\n", terminal.Wrap(testText(s.Test), width, "  "))
	}
	text.WriteString(standingsTable(s).Text(width))
	if note := pointsNote(s.Format); note != "" {
		fmt.Fprintf(&text, "\n%s\n", terminal.Wrap(note, width, ""))
	}
	if len(s.Ties) > 0 {
		text.WriteByte('\n')
		writeTies(&text, s.Ties, width)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// pointsNote explains the meaning of a format's points if it may be mistaken, or returns "".
func pointsNote(kind string) string {
	if kind != tournament.Swiss {
		return ""
	}
	return "A point is a round won: 1/2 for a drawn round, 1 for a bye. The crosstable's points are matches won.\n" +
		"Buchholz: the opponents' points. Sonneborn-Berger: the points of beaten opponents and half the points of opponents drawn with."
}

// linePlaces is the greatest number of places in a StandingsLine.
const linePlaces = 3

// StandingsLine returns the standings in one line: the state of an sprt's test, the place of a
// placement's newcomer, or the first places.
func StandingsLine(s tournament.Standings) string {
	if s.Test != nil {
		return testText(s.Test)
	}
	if at := slices.IndexFunc(s.Places, func(p tournament.Place) bool { return p.Name == s.Newcomer }); at >= 0 {
		p := s.Places[at]
		elo := fmt.Sprintf("Elo %.0f +/- %.0f", p.Values[0], rating.Margin(p.Values[1]))
		if points := p.Values[2]; points == 0 || points == float64(p.Played) {
			elo = "Elo -" // the results do not tell how far it is from the others
		}
		return fmt.Sprintf("%s: %s after %s, place %d of %d", shortened(p.Name), elo,
			terminal.Count(p.Played, "match", "matches"), p.Place, len(s.Places))
	}
	if !s.Begun() {
		return "no result yet"
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

// placeCell returns the cell of a place. People see "-" before any result.
func placeCell(place int, begun bool) any {
	if !begun {
		return terminal.Shown(place, "-")
	}
	return place
}

// StandingsTable returns the standings as a table. The table has no rows if s is nil.
func StandingsTable(s *tournament.Standings) Tables {
	if s == nil {
		s = new(tournament.Standings)
	}
	return standingsTable(*s)
}

func standingsTable(s tournament.Standings) terminal.Table {
	t := terminal.Table{Title: "standings", Indent: "  ", Columns: ranked("place", append([]string{"played"}, s.Columns...)...)}
	for _, p := range s.Places {
		row := []any{placeCell(p.Place, s.Begun()), p.Name, p.Played}
		for _, v := range p.Values {
			row = append(row, v)
		}
		t.Add(row...)
	}
	return t
}

// writeTies writes one line for each tie, under the title of its round.
func writeTies(text *strings.Builder, ties []tournament.Tie, width int) {
	round := 0
	for _, t := range ties {
		if t.Round != round {
			round = t.Round
			fmt.Fprintf(text, "round %d, %s\n", round, t.Title)
		}
		fmt.Fprintln(text, terminal.Wrap("  "+tieText(t), width, "  "))
	}
}

// tieText returns a line such as "ann - bob  2 : 1, margin +64: ann", with the winner at its end.
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

// testText returns the state of a test, such as "sprt: H1 is accepted after 104 trials: LLR 2.95 (-2.94, 2.94), [0, 20]
// normalized Elo of ann, counts [8 31 65]". The verdict comes first, since a narrow terminal shows only the beginning.
func testText(t *tournament.TestState) string {
	text := fmt.Sprintf("sprt: %s after %s: LLR %.2f (%.2f, %.2f), [%g, %g] %s Elo of %s, counts %v",
		outcome(t), terminal.Count(t.Trials, "trial", "trials"), t.LLR, t.Lower, t.Upper, t.Test.Elo0, t.Test.Elo1, t.Test.Model, shortened(t.First), t.Counts)
	if t.Repeated > 0 {
		text += fmt.Sprintf(", without %s that repeat others", terminal.Count(t.Repeated, "trial", "trials"))
	}
	return text
}

func outcome(t *tournament.TestState) string {
	if t.Outcome == "running" {
		return "not decided"
	}
	return t.Outcome + " is accepted"
}
