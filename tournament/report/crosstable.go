package report

import (
	"fmt"
	"io"
	"strings"

	"versus2048/terminal"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Crosstable lists what each bot of an event has made against every other bot, in the
// order of the standings.
type Crosstable struct {
	Standings []Standing `json:"standings"`
	Matches   int        `json:"matches"`  // that count
	Repeated  int        `json:"repeated"` // of them, those that are left out of [Strength]
}

// Standing is one bot's row of a crosstable.
type Standing struct {
	Rank      int              `json:"rank"` // the bot's place in the standings, from 1; equal bots share one
	Name      string           `json:"name"`
	Points    float64          `json:"points"` // 1 for each match won, 1/2 for each one drawn
	Played    int              `json:"played"` // matches
	Total     tournament.Tally `json:"total"`
	MeanScore Figure           `json:"mean_score"` // as defender, without games that were cut short
	Against   []Cell           `json:"against"`    // in the order of the rows; the bot's own cell is empty
	// SetAside is the number of the last match of a bot that strikes have set aside,
	// 0 for other bots.
	SetAside int `json:"set_aside_after,omitempty"`
}

// Cell is what a bot has made against another.
type Cell struct {
	Points float64 `json:"points"`
	tournament.Tally
}

// NewCrosstable returns the crosstable of an event's decided matches. It takes the
// bots' order and ranks from the standings, which must be the format's standings after
// the same matches: see docs/adr/0013-one-ranking.md.
func NewCrosstable(e tournament.Event, standings tournament.Standings, done []tournament.MatchResult) Crosstable {
	results, aside := newResults(format.Results(e, done)), e.SetAside(done)
	t := Crosstable{Standings: make([]Standing, len(standings.Places))}
	counting := e.Counting(done)
	t.Matches = len(counting)
	for pair, matches := range byPair(counting) {
		t.Repeated += repeatedMatches(resultOf(pair[0], matches))
	}
	for i, p := range standings.Places {
		s := results.standing(p.Name, standings.Places)
		s.Rank = p.Place
		s.SetAside = aside[p.Name]
		t.Standings[i] = s
	}
	return t
}

// WriteText writes the crosstable for a terminal of that width. Its columns are
// numbered like its rows. A row's number is the bot's rank, unless bots share a rank.
// Names that are too long for the table follow in full. It returns w's error.
func (t Crosstable) WriteText(w io.Writer, width int) error {
	var text strings.Builder
	names := t.names()
	table, cells := t.lines(names, Cell.text), "points +won =drawn -lost"
	if !table.Fits(width) && len(t.Standings) > fewRows {
		table, cells = t.lines(names, Cell.pointsText), "points"
	}
	text.WriteString(table.Text(width))
	fmt.Fprintf(&text, "\nA column's number is the row of the opponent there; a cell is %s.\n", cells)
	t.writeNotes(&text, names)
	_, err := io.WriteString(w, terminal.Wrap(text.String(), width, ""))
	return err
}

// fewRows is the number of bots up to which the cells of a crosstable stay whole for want of room.
const fewRows = 4

// lines returns the crosstable with the texts of its cells.
func (t Crosstable) lines(names []string, cellText func(c Cell, own bool) string) *terminal.Table {
	table := &terminal.Table{Indent: "  ", Columns: ranked("points", "played", "won", "drawn", "lost", "mean score")}
	for i, s := range t.Standings {
		table.Columns = append(table.Columns, numbers(fmt.Sprint(i+1))...)
		row := []string{
			fmt.Sprint(s.Rank), names[i], fmt.Sprintf("%.1f", s.Points), fmt.Sprint(s.Played),
			fmt.Sprint(s.Total.Won), fmt.Sprint(s.Total.Drawn), fmt.Sprint(s.Total.Lost), s.MeanScore.Text(1),
		}
		for j, cell := range s.Against {
			row = append(row, cellText(cell, i == j))
		}
		table.Add(row...)
	}
	return table
}

// writeNotes adds the rows' full names, the bots that are set aside, and how many
// matches repeat others.
func (t Crosstable) writeNotes(text *strings.Builder, names []string) {
	for i, s := range t.Standings {
		if full := printable(s.Name); full != names[i] {
			fmt.Fprintf(text, "row %d is %s\n", i+1, full)
		}
		if s.SetAside > 0 {
			fmt.Fprintf(text, "row %d is set aside for its faults, the last in match %d\n", i+1, s.SetAside)
		}
	}
	if t.Repeated > 0 {
		fmt.Fprintf(text, "%d of %d matches repeat an earlier one move by move; for Elo and intervals they count once.\n"+
			"Openings make games differ: --openings random:plies=8,seed=1\n", t.Repeated, t.Matches)
	}
}

// names returns the bots' names, short enough for the table.
func (t Crosstable) names() []string {
	names := make([]string, len(t.Standings))
	for i, s := range t.Standings {
		names[i] = shortened(s.Name)
	}
	return names
}

func (c Cell) text(own bool) string {
	if own || c.Played() == 0 {
		return c.pointsText(own)
	}
	return fmt.Sprintf("%.1f +%d =%d -%d", c.Points, c.Won, c.Drawn, c.Lost)
}

// pointsText returns the points alone.
func (c Cell) pointsText(own bool) string {
	switch {
	case own:
		return "x"
	case c.Played() == 0:
		return "-"
	}
	return fmt.Sprintf("%.1f", c.Points)
}

// results are matches gathered by the bots that played them.
type results struct {
	tallies map[[2]string]tournament.Tally // of the first bot against the second
	scores  map[string][]float64           // of the bot as defender, where they count
}

func newResults(matches []tournament.MatchResult) results {
	r := results{map[[2]string]tournament.Tally{}, map[string][]float64{}}
	for _, m := range matches {
		r.add(m, m.First, m.Second)
		r.add(m, m.Second, m.First)
	}
	return r
}

// add adds a match from one bot's side.
func (r *results) add(m tournament.MatchResult, name, opponent string) {
	pair := [2]string{name, opponent}
	tally := r.tallies[pair]
	tally.Add(m, name)
	r.tallies[pair] = tally
	if game := m.Defence(name); game.Scored() {
		r.scores[name] = append(r.scores[name], float64(game.Score))
	}
}

// standing returns a bot's row, without its rank.
func (r *results) standing(name string, places []tournament.Place) Standing {
	s := Standing{Name: name, MeanScore: meanOf(r.scores[name], "game"), Against: make([]Cell, len(places))}
	for i, opponent := range places {
		tally := r.tallies[[2]string{name, opponent.Name}]
		s.Against[i] = Cell{tally.Points(), tally}
		s.Total = s.Total.Plus(tally)
	}
	s.Points, s.Played = s.Total.Points(), s.Total.Played()
	return s
}
