package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/lab/picture"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Table1Source cites the paper's figures.
const Table1Source = "Oka, Matsuzaki, Haraguchi: Exhaustive Analysis and Monte-Carlo Tree Search Player for Two-Player 2048 (2015), Table 1"

// Table1 is the paper's Table 1 beside our figures.
type Table1 struct {
	Source string  `json:"source"` // of the paper's figures
	Level  float64 `json:"level"`  // of all intervals
	Rows   []Row   `json:"rows"`
}

// Row is one pairing.
type Row struct {
	Event      int64      `json:"event"`      // its number, 0 if it is not on record
	Name       string     `json:"name"`       // the event's name
	Conditions string     `json:"conditions"` // see Conditions
	Matches    int        `json:"matches"`    // decided
	AllMatches int        `json:"of"`         // of the event
	First      Contestant `json:"first"`
	Second     Contestant `json:"second"`
	Difference Comparison `json:"difference"` // first's mean score minus second's
}

// Contestant is one bot of a pairing, as defender.
type Contestant struct {
	Name  string     `json:"name"`
	Spec  string     `json:"spec"`
	Ours  Scores     `json:"ours"`
	Paper Scores     `json:"paper"`
	Score Comparison `json:"score"`      // mean score
	Share Comparison `json:"share_2048"` // of games that reached 2048, 0 to 1
}

// Scores summarises a bot's games as defender: their scores, and how many reached 2048.
type Scores struct {
	Sample
	Reached int `json:"reached_2048"`
}

// paperRow is a row of the paper's Table 1.
type paperRow struct {
	first, second             string
	firstScores, secondScores Scores
}

// paperTable1 returns the published Table 1. Its shares of games with a 2048 are whole games of 80:
// 67.5% are 54.
func paperTable1() []paperRow {
	return []paperRow{
		{nameMCTS, nameEvMiniMax, published(27806.1, 10182.2, 54), published(18267.9, 9975.3, 32)},
		{nameMCTS2, nameEvMiniMax, published(26702.6, 9919.5, 51), published(16696.2, 9183.8, 25)},
		{nameMCTS2, nameMCTS, published(22190.1, 7558.1, 35), published(20153.9, 7102.4, 27)},
	}
}

func published(mean, sd float64, reached int) Scores {
	return Scores{Sample{PaperMatches, report.Figure{Value: mean}, report.Figure{Value: sd}}, reached}
}

// Table1Events returns the events of Table 1, one per pairing, named such as "table1
// MCTS/evMiniMax". The error says which setting is out of range.
func Table1Events(s Config) ([]tournament.Event, error) {
	var events []tournament.Event
	for _, p := range paperTable1() {
		e, err := s.paperEvent("table1", p.first, p.second)
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// NewTable1 makes the table from finished games. played has the events that Table1Events returns, in the same order.
// Only decided matches count.
func NewTable1(played []Played) Table1 {
	t := Table1{Source: Table1Source, Level: Level}
	for i, p := range paperTable1() {
		t.Rows = append(t.Rows, newRow(p, played[i]))
	}
	return t
}

func newRow(paper paperRow, played Played) Row {
	e := played.Event
	h := report.NewHeadToHead(paper.first, paper.second, played.Games, e.Seed)
	row := Row{
		Event:      e.ID,
		Name:       e.Name,
		Conditions: Conditions(e),
		Matches:    h.Matches.Played(),
		AllMatches: e.Matches,
		First:      newContestant(e.Entries[0], h.First, paper.firstScores),
		Second:     newContestant(e.Entries[1], h.Second, paper.secondScores),
	}
	row.Difference = compareDifferences(h.Difference, row.First, row.Second)
	if !asPublished(e, paper) {
		for _, c := range []*Comparison{&row.Difference, &row.First.Score, &row.First.Share, &row.Second.Score, &row.Second.Share} {
			c.Verdict = None
		}
	}
	return row
}

// asPublished reports whether an event has the paper's conditions, whatever its seed and its number of matches.
func asPublished(e tournament.Event, p paperRow) bool {
	s := Config{Matches: PaperMatches, Playouts: PaperPlayouts, Rules: rules.GPCC2015, Size: rules.Full, Seed: e.Seed, Concurrency: 1}
	want, err := s.paperEvent("table1", p.first, p.second)
	return err == nil && Conditions(e) == Conditions(want)
}

func newContestant(entry tournament.Entry, p report.BotStats, paper Scores) Contestant {
	ours := Scores{Sample{p.Games, p.MeanScore, p.ScoreSD}, p.Reached}
	return Contestant{
		Name:  entry.Name,
		Spec:  entry.Spec,
		Ours:  ours,
		Paper: paper,
		Score: compareMeans(ours.Sample, paper.Sample),
		Share: compareShares(ours, paper),
	}
}

// WriteMarkdown writes the table in the paper's columns, our figures above the paper's, followed by
// each figure with its intervals and whether the two agree. It returns w's error.
func (t Table1) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Paper: %s.\n\n", t.Source)
	t.writeColumns(&text)
	text.WriteByte('\n')
	t.writeIntervals(&text)
	fmt.Fprintf(&text, "\nIntervals: %.0f%%. The last one is of our figure minus the paper's. The two differ if it does not\n", 100*t.Level)
	text.WriteString("contain 0. They agree if it contains 0 and we have at least as many games as the paper. Events under\n" +
		"other conditions than the paper's get no verdict.\n\n")
	for _, r := range t.Rows {
		fmt.Fprintf(&text, "- %s: %d of %d matches; %s\n", r.Name, r.Matches, r.AllMatches, r.Conditions)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (t Table1) writeColumns(text *strings.Builder) {
	table := NewTable([]string{"first / second", ""}, "matches", "mean first (SD)", "mean second (SD)", "difference", "2048 first / second")
	for _, r := range t.Rows {
		matches := fmt.Sprintf("%d of %d", r.Matches, r.AllMatches)
		d := r.Difference
		table.Add(r.pair(), "ours", matches, r.First.Ours.text(), r.Second.Ours.text(), d.Ours.Value.Text(1),
			r.First.Share.Ours.Value.Percent()+" / "+r.Second.Share.Ours.Value.Percent())
		table.Add("", "paper", PaperMatches, r.First.Paper.text(), r.Second.Paper.text(), d.Paper.Value.Text(1),
			r.First.Share.Paper.Value.Percent()+" / "+r.Second.Share.Paper.Value.Percent())
	}
	text.WriteString(table.Markdown())
}

// text returns the mean and deviation, such as "27806.1 (10182.2)".
func (s Scores) text() string {
	return fmt.Sprintf("%s (%s)", s.Mean.Text(1), s.SD.Text(1))
}

func (t Table1) writeIntervals(text *strings.Builder) {
	table := NewTable([]string{"first / second", "figure"}, "ours", "paper", "ours minus the paper's", "")
	table.Columns[5].Right = false
	for _, r := range t.Rows {
		pair := r.pair()
		for _, f := range r.figures() {
			c := f.comparison
			table.Add(pair, f.label, f.text(c.Ours), f.text(c.Paper), f.text(c.Gap), c.Verdict)
			pair = ""
		}
	}
	text.WriteString(table.Markdown())
}

func (r Row) pair() string { return r.First.Name + " / " + r.Second.Name }

// figure is a labelled comparison with its format.
type figure struct {
	label      string
	comparison Comparison
	text       func(report.Interval) string
}

// figures returns the row's comparisons in the order of the report.
func (r Row) figures() []figure {
	tenths := func(i report.Interval) string { return i.Rounded(1) }
	return []figure{
		{"mean score of " + r.First.Name, r.First.Score, tenths},
		{"mean score of " + r.Second.Name, r.Second.Score, tenths},
		{"difference of the means", r.Difference, tenths},
		{"games of " + r.First.Name + " with a 2048", r.First.Share, report.Interval.Percent},
		{"games of " + r.Second.Name + " with a 2048", r.Second.Share, report.Interval.Percent},
	}
}

// WritePlot draws the mean scores with their intervals, ours beside the paper's, in a format such
// as picture.SVG. It returns w's error, or one for an unknown format.
func (t Table1) WritePlot(w io.Writer, format string) error {
	p := picture.New("Table 1: mean score as defender", "", "mean score, with its 95% interval")
	var ours, paper []report.Interval
	var names []string
	for i, r := range t.Rows {
		ours = append(ours, r.First.Score.Ours, r.Second.Score.Ours)
		paper = append(paper, r.First.Score.Paper, r.Second.Score.Paper)
		names = append(names, pairLabel(r.First, r.Second), pairLabel(r.Second, r.First))
		if i > 0 {
			p.Add(&divider{2*float64(i) - 0.5}) // each pairing takes two places
		}
	}
	first, err := addIntervals(p, t.legend(), ours, -0.1, picture.Blue, draw.CircleGlyph{})
	if err != nil {
		return err
	}
	second, err := addIntervals(p, fmt.Sprintf("paper: %d matches each", PaperMatches), paper, 0.1, picture.Orange, draw.BoxGlyph{})
	if err != nil {
		return err
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
	p.Y.Min, p.Y.Max = 0, 1.25*highest(slices.Concat(ours, paper))
	return picture.WriteKeyed(w, format, 24*vg.Centimeter, 13*vg.Centimeter, [][]*plot.Plot{{p}}, []picture.Entry{first, second})
}

func pairLabel(c, opponent Contestant) string { return c.Name + "\nagainst " + opponent.Name }

// legend returns the legend of our figures, with the number of matches of each row.
func (t Table1) legend() string {
	var counts []string
	for _, r := range t.Rows {
		counts = append(counts, fmt.Sprint(r.Matches))
	}
	return "ours: " + strings.Join(counts, ", ") + " matches"
}

// highest returns the highest of the estimates. It disregards the ends of the intervals, because the
// interval of very few games would leave no room for the others.
func highest(series []report.Interval) (y float64) {
	for _, i := range series {
		if !i.Value.Absent() {
			y = max(y, i.Value.Value)
		}
	}
	return y
}
