package report

import (
	"fmt"
	"io"
	"slices"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Statistics holds all statistics of an event's decided matches.
type Statistics struct {
	Event       int64                `json:"event"`
	Name        string               `json:"name"`
	Matches     int                  `json:"matches"` // the decided matches
	Standings   tournament.Standings `json:"standings"`
	Crosstable  Crosstable           `json:"crosstable"`
	Ratings     Ratings              `json:"ratings"`
	Roles       []Role               `json:"roles"`
	HeadToHeads []HeadToHead         `json:"head_to_heads"`
}

// Statistics computes the statistics of the collected matches. All recorded matches must have been collected. The
// anchor may be nil. Statistics returns an error if the anchor is not among the entries.
func (c *Collector) Statistics(anchor *Anchor) (Statistics, error) {
	e := c.event
	c.format.SetLineup(c.event)
	ratings, err := c.ratings(anchor)
	if err != nil {
		return Statistics{}, fmt.Errorf("event %q: %w", e.Name, err)
	}
	return Statistics{
		Event:       e.ID,
		Name:        e.Name,
		Matches:     c.matches,
		Standings:   c.format.Standings(),
		Crosstable:  c.crosstable(),
		Ratings:     ratings,
		Roles:       c.roles(),
		HeadToHeads: c.HeadToHeads(),
	}, nil
}

// Explain sets the reasons why figures are absent, which JSON leaves out. Statistics received from
// an arena thus look the same as computed ones.
func (s *Statistics) Explain() {
	for i := range s.Roles {
		s.Roles[i].explain()
	}
	for i := range s.HeadToHeads {
		s.HeadToHeads[i].First.explain()
		s.HeadToHeads[i].Second.explain()
	}
}

// Tables returns the tables with a chosen title. The titles are standings, crosstable, ratings, roles, faults and
// pairs. Shares are in percent. The table of pairs has Elo and the likelihood of superiority from the first bot's
// side.
func (s Statistics) Tables(chosen func(title string) bool) Tables {
	return slices.DeleteFunc(s.tables(), func(t terminal.Table) bool { return !chosen(t.Title) })
}

func (s Statistics) tables() terminal.Tables {
	return terminal.Tables{
		standingsTable(s.Standings), s.Crosstable.table(Cell.text), s.Ratings.table(), roleTable(s.Roles), faultTable(s.Roles), pairTable(s.HeadToHeads),
	}
}

func (r Ratings) table() terminal.Table {
	t := terminal.Table{Title: "ratings", Columns: terminal.Columns("group", "rank", "bot", "elo", "low", "high", "played", "points")}
	for i, g := range r.Groups {
		for _, b := range g.Bots {
			t.Add(i+1, b.Rank, b.Name, b.Elo.Value, b.Elo.Low, b.Elo.High, b.Total.Played(), b.Total.Points())
		}
	}
	return t
}

func roleTable(roles []Role) terminal.Table {
	t := terminal.Table{Title: "roles", Columns: terminal.Columns(
		"bot", "role", "games", "cut short", "mean score", "score sd", "min", "max", "2048 %", "largest tile", "mean turns",
		"timed moves", "mean ms", "median ms", "max ms", "mean lag ms", "max lag ms",
		"pauses", "stall ms", "away ms",
	)}
	for _, r := range roles {
		t.Add(r.Name, r.Side, r.Games, r.CutShort, r.MeanScore, r.ScoreSD, r.MinScore, r.MaxScore, percent(r.ReachShare), r.LargestTile, r.MeanTurns,
			r.Moves, r.MeanMS, r.MedianMS, r.MaxMS, r.MeanLag, r.MaxLag, r.Pauses, r.StallMS, r.AwayMS)
	}
	return t
}

func faultTable(roles []Role) terminal.Table {
	t := terminal.Table{Title: "faults", Columns: terminal.Columns("bot", "role")}
	var kinds []record.Ending
	for _, e := range record.Endings() {
		if e.Fault() || e == record.Resigned {
			kinds = append(kinds, e)
			t.Columns = append(t.Columns, terminal.Column{Title: string(e)})
		}
	}
	for _, r := range roles {
		row := []any{r.Name, r.Side}
		for _, e := range kinds {
			row = append(row, r.Faults[e])
		}
		t.Add(row...)
	}
	return t
}

func pairTable(all []HeadToHead) terminal.Table {
	t := terminal.Table{Title: "pairs", Columns: terminal.Columns(
		"first", "second", "won", "drawn", "lost", "elo", "elo low", "elo high", "nelo", "nelo low", "nelo high", "los %",
		"mean difference", "difference low", "difference high",
	)}
	for _, h := range all {
		s, d := h.Strength, h.Difference
		t.Add(h.First.Name, h.Second.Name, h.Matches.Won, h.Matches.Drawn, h.Matches.Lost, s.Elo.Value, s.Elo.Low, s.Elo.High,
			s.Normalized.Value, s.Normalized.Low, s.Normalized.High, percent(s.Superiority), d.Value, d.Low, d.High)
	}
	return t
}

func percent(share Figure) Figure {
	share.Value *= 100
	return share
}

// Tables are tables of figures. They write themselves for a terminal of a width, as comma-separated values for
// other programs, and in GitHub's Markdown for documents. The methods return w's error.
type Tables interface {
	WriteText(w io.Writer, width int) error
	WriteCSV(w io.Writer) error
	WriteMarkdown(w io.Writer) error
}

// plainNumber writes a number with at most two decimals.
func plainNumber(v float64) string { return terminal.Decimal(v, 2) }

// nameWidth is the greatest number of columns for a name in a table, and leastNameWidth the number
// that it keeps if there is little room.
const (
	nameWidth      = 24
	leastNameWidth = 12
)

// shortened returns a name for a line or a chart: on one line, and without its middle if it is too long.
func shortened(name string) string { return terminal.Shorten(printable(name), nameWidth) }

// named returns a column of names of bots.
func named(title string) terminal.Column {
	return terminal.Column{Title: title, Least: leastNameWidth, Most: nameWidth}
}

// ranked returns the columns of a table of bots: the bot's place, its name, and numbers with these titles. The column
// of the place has the name rank for programs, and no title for people.
func ranked(rank string, titles ...string) []terminal.Column {
	return append([]terminal.Column{{Name: rank, Right: true}, named("bot")}, terminal.Numbers(titles...)...)
}

// texts returns columns of texts, aligned left. The first one has names, and is the key of the rows.
func texts(key string, titles ...string) []terminal.Column {
	columns := []terminal.Column{named(key)}
	for _, title := range titles {
		columns = append(columns, terminal.Column{Title: title, Fold: true})
	}
	return columns
}

// printable writes Go's escapes in place of characters that would move a terminal's cursor, since a name may come from
// an untrusted file.
func printable(name string) string { return plain.Line(name) }
