package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/tournament"
)

// Crosstable lists the results of each bot of an event against every other bot, in the order of the standings.
type Crosstable struct {
	Standings []Standing `json:"standings"`
	Matches   int        `json:"matches"`  // the matches that count
	Repeated  int        `json:"repeated"` // the matches that [Strength] leaves out
}

// Standing is one bot's row of a crosstable.
type Standing struct {
	Rank      int              `json:"rank"` // the bot's place in the standings, from 1; equal bots have the same one
	Name      string           `json:"name"`
	Points    float64          `json:"points"` // 1 for each won match, 1/2 for each drawn one
	Played    int              `json:"played"` // matches
	Total     tournament.Tally `json:"total"`
	MeanScore Figure           `json:"mean_score"` // as defender, without games that were cut short
	// Against has a cell for each row, in their order; the bot's own cell is empty. In an event of
	// more than 500 bots there are no cells.
	Against []Cell `json:"against"`
	// SetAside is the number of the match with a bot's last fault, if strikes have set the bot aside. It is 0 for other
	// bots, and for a bot that has left.
	SetAside int `json:"set_aside_after,omitempty"`
	// Left reports that the bot has left an event that is not a ladder.
	Left bool `json:"left,omitempty"`
}

// Cell is a bot's result against another.
type Cell struct {
	Points float64 `json:"points"`
	tournament.Tally
}

// NewCrosstable returns the crosstable of an event, given its decided matches, and its format with all of them added.
// The bots have the order and the ranks of the format's standings: see docs/adr/0013-one-ranking.md.
func NewCrosstable(e tournament.Event, f tournament.Format, done []tournament.MatchResult) Crosstable {
	c := gathered(e, e.Counting(done))
	c.format = f
	return c.crosstable()
}

// Crosstable returns the crosstable of the collected matches. All recorded matches must have been collected.
func (c *Collector) Crosstable() Crosstable {
	c.format.SetLineup(c.event)
	return c.crosstable()
}

func (c *Collector) crosstable() Crosstable {
	f := c.format
	places, aside, withdrawn := f.Standings().Places, f.SetAside(), c.event.Withdrawn()
	made := madeBy(f.Encounters())
	t := Crosstable{Standings: make([]Standing, len(places)), Matches: c.counting, Repeated: c.repeated()}
	for i, p := range places {
		s := made[p.Name].standing(p.Name, places)
		s.Rank = p.Place
		if _, s.Left = withdrawn[p.Name]; !s.Left {
			s.SetAside = aside[p.Name]
		}
		t.Standings[i] = s
	}
	return t
}

// WriteText writes the crosstable for a terminal of that width. Its columns are numbered like its
// rows. A row's number is the bot's rank, unless bots have equal ranks. Names that are too long for
// the table follow in full. It returns w's error.
func (t Crosstable) WriteText(w io.Writer, width int) error {
	var text strings.Builder
	table, cells := t.table(Cell.text), "points +won =drawn -lost"
	if !table.Fits(width) && len(t.Standings) > fewRows {
		table, cells = t.table(Cell.pointsText), "points"
	}
	text.WriteString(table.Text(width))
	if len(t.Standings) <= mostCrossed {
		fmt.Fprintf(&text, "\nA column's number is the row of the opponent there; a cell is %s.\n", cells)
	}
	t.writeNotes(&text)
	_, err := io.WriteString(w, terminal.Wrap(text.String(), width, ""))
	return err
}

// fewRows is the number of bots up to which cells are complete even if the crosstable does not fit the terminal.
const fewRows = 4

// table returns the crosstable. Programs get the points of each cell, and people its text.
func (t Crosstable) table(cellText func(c Cell, own bool) string) terminal.Table {
	table := terminal.Table{Title: "crosstable", Indent: "  ", Columns: ranked("rank", "points", "played", "won", "drawn", "lost", "mean score")}
	begun := slices.ContainsFunc(t.Standings, func(s Standing) bool { return s.Played > 0 })
	for i, s := range t.Standings {
		if len(s.Against) > 0 {
			table.Columns = append(table.Columns, terminal.Column{Title: fmt.Sprint(i + 1), Name: fmt.Sprintf("points against %d", i+1), Right: true, Fold: true})
		}
		row := []any{
			placeCell(s.Rank, begun), s.Name, terminal.Shown(s.Points, fmt.Sprintf("%.1f", s.Points)), s.Played,
			s.Total.Won, s.Total.Drawn, s.Total.Lost, terminal.Shown(s.MeanScore, s.MeanScore.Text(1)),
		}
		for j, cell := range s.Against {
			points := Figure{Value: cell.Points}
			if cell.Played() == 0 {
				points.Needs = "needs 1 match"
			}
			row = append(row, terminal.Shown(points, cellText(cell, i == j)))
		}
		table.Add(row...)
	}
	return table
}

// writeNotes adds the rows' full names, the bots that are set aside or have left, and the number of repeated matches.
func (t Crosstable) writeNotes(text *strings.Builder) {
	for i, s := range t.Standings {
		if full := printable(s.Name); full != shortened(s.Name) {
			fmt.Fprintf(text, "row %d is %s\n", i+1, full)
		}
		if s.SetAside > 0 {
			fmt.Fprintf(text, "row %d is set aside for its faults, the last in match %d\n", i+1, s.SetAside)
		}
		if s.Left {
			fmt.Fprintf(text, "row %d has left; its opponents win the matches that it had not begun\n", i+1)
		}
	}
	if t.Repeated > 0 {
		fmt.Fprintf(text, "%d of %d matches repeat an earlier one move by move; for Elo and intervals they count once.\n"+
			"More openings make games differ, such as --openings random:plies=8,seed=1\n", t.Repeated, t.Matches)
	}
}

func (c Cell) text(own bool) string {
	if own || c.Played() == 0 {
		return c.pointsText(own)
	}
	return fmt.Sprintf("%.1f +%d =%d -%d", c.Points, c.Won, c.Drawn, c.Lost)
}

func (c Cell) pointsText(own bool) string {
	switch {
	case own:
		return "x"
	case c.Played() == 0:
		return "-"
	}
	return fmt.Sprintf("%.1f", c.Points)
}

// mostCrossed is the greatest number of bots of a crosstable with cells. The cells of thousands of bots would take
// hundreds of megabytes.
const mostCrossed = 500

// opponents has a bot's encounters by the names of its opponents. The bot is the First of each encounter.
type opponents map[string]tournament.Encounter

func madeBy(all []tournament.Encounter) map[string]opponents {
	made := map[string]opponents{}
	for _, e := range all {
		for _, side := range []tournament.Encounter{e, e.Reversed()} {
			if made[side.First] == nil {
				made[side.First] = opponents{}
			}
			made[side.First][side.Second] = side
		}
	}
	return made
}

// standing returns a bot's row, without Rank, SetAside and Left.
func (o opponents) standing(name string, places []tournament.Place) Standing {
	s := Standing{Name: name, Against: []Cell{}}
	games, scores := 0, 0
	for _, e := range o {
		s.Total = s.Total.Plus(e.Tally)
		games, scores = games+e.Games[0], scores+e.Scores[0]
	}
	s.MeanScore = share(scores, games)
	s.Points, s.Played = s.Total.Points(), s.Total.Played()
	if len(places) <= mostCrossed {
		for _, opponent := range places {
			tally := o[opponent.Name].Tally
			s.Against = append(s.Against, Cell{tally.Points(), tally})
		}
	}
	return s
}
