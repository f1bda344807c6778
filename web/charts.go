package web

import (
	"fmt"
	"math"
	"strings"

	"versus2048/plain"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Charts are SVG made here. Their coordinates are on a grid of 1000 by 300, stretched to the width of
// the page; labels are HTML beside them, so that they keep their size on a phone.
const chartWidth, chartHeight = 1000.0, 300.0

// matrix shows what every two bots have made against each other.
type matrix struct {
	Names []string
	Rows  []matrixRow
	Left  int // bots that it leaves out
}

type matrixRow struct {
	report.Standing
	Cells []matrixCell
}

// matrixCell is the share of points that a bot has made against another, as a number and as one of
// eleven shades.
type matrixCell struct {
	Against string
	Own     bool // the bot itself
	Played  int
	Points  string
	Shade   int // 0 to 10
	Percent int
	Label   string
}

// mostInMatrix is how many bots a matrix has. More would neither be readable nor load quickly.
const mostInMatrix = 40

func newMatrix(t *report.Crosstable) *matrix {
	m := &matrix{Left: max(0, len(t.Standings)-mostInMatrix)}
	shown := t.Standings[:len(t.Standings)-m.Left]
	for _, s := range shown {
		m.Names = append(m.Names, s.Name)
	}
	for i, s := range shown {
		row := matrixRow{Standing: s}
		for j, against := range s.Against[:len(shown)] {
			row.Cells = append(row.Cells, cellOf(s.Name, shown[j].Name, i == j, &against))
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func cellOf(name, against string, own bool, c *report.Cell) matrixCell {
	cell := matrixCell{Against: against, Own: own, Played: c.Played()}
	if cell.Played == 0 {
		return cell
	}
	share := c.Points / float64(cell.Played)
	cell.Points, cell.Shade, cell.Percent = pointsText(c.Points), int(math.Round(10*share)), int(math.Round(100*share))
	cell.Label = fmt.Sprintf("%s against %s: %d won, %d drawn, %d lost", plain.Line(name), plain.Line(against), c.Won, c.Drawn, c.Lost)
	return cell
}

// pointsText writes points with halves, such as 7½.
func pointsText(points float64) string {
	whole := int(points)
	switch {
	case points == float64(whole):
		return fmt.Sprint(whole)
	case whole == 0:
		return "½"
	}
	return fmt.Sprintf("%d½", whole)
}

// ratingRow is a bot's rating as text and as a bar with its interval.
type ratingRow struct {
	report.Rated
	Group      int  // from 1 if there are several, whose ratings cannot be compared
	Begins     bool // its group
	Text       string
	Low, Width float64 // of the interval, on a grid of 1000; an end without limit is at the edge
	At         float64 // the rating
	Zero       float64
	NextLOS    string // how likely it is better than the next one
}

// ratingRows returns the ratings, group by group, on one scale.
func ratingRows(r *report.Ratings) (rows []ratingRow) {
	low, high := -10.0, 10.0
	each := func(do func(group, i int, b *report.Rated)) {
		for g := range r.Groups {
			for i := range r.Groups[g].Bots {
				do(g, i, &r.Groups[g].Bots[i])
			}
		}
	}
	each(func(_, _ int, b *report.Rated) {
		for _, f := range []report.Figure{b.Elo.Value, b.Elo.Low, b.Elo.High} {
			if !f.Absent() {
				low, high = min(low, f.Value), max(high, f.Value)
			}
		}
	})
	scale := func(f report.Figure, absent float64) float64 {
		if f.Absent() {
			return absent
		}
		return math.Round((f.Value - low) / (high - low) * chartWidth)
	}
	each(func(group, i int, b *report.Rated) {
		row := ratingRow{Rated: *b, Begins: i == 0, Text: eloText(b.Elo), Low: scale(b.Elo.Low, 0)}
		row.Width = scale(b.Elo.High, chartWidth) - row.Low
		row.At, row.Zero = scale(b.Elo.Value, chartWidth/2), scale(report.Figure{Value: 0}, 0)
		if len(r.Groups) > 1 {
			row.Group = group + 1
		}
		if next := i + 1; next < len(b.Superiority) && !b.Superiority[next].Absent() {
			row.NextLOS = b.Superiority[next].Percent()
		}
		rows = append(rows, row)
	})
	return rows
}

// eloText writes a rating with its interval, such as “+70 ± 67”.
func eloText(i report.Interval) string {
	if i.Value.Absent() {
		return "unknown"
	}
	text := signed(i.Value.Value)
	switch {
	case i.Low.Absent() && i.High.Absent():
		return text + ", without limits"
	case i.Low.Absent():
		return text + ", at most " + signed(i.High.Value)
	case i.High.Absent():
		return text + ", at least " + signed(i.Low.Value)
	}
	return fmt.Sprintf("%s ± %.0f", text, (i.High.Value-i.Low.Value)/2)
}

// signed writes a rounded number with its sign.
func signed(x float64) string {
	switch n := math.Round(x); {
	case n > 0:
		return fmt.Sprintf("+%.0f", n)
	case n < 0:
		return fmt.Sprintf("−%.0f", -n)
	}
	return "0"
}

// curveView is the curve of an sprt's test between its bounds.
type curveView struct {
	Test         *tournament.TestState
	Points       string // of a polyline
	Upper, Lower float64
	Zero         float64
	Matches      int
}

// newCurveView returns the curve of an event's test, nil if it has none.
func newCurveView(s *statistics) *curveView {
	t := s.Standings.Test
	if t == nil || len(s.Curve) == 0 {
		return nil
	}
	low, high := t.Lower, t.Upper
	for _, p := range s.Curve {
		low, high = min(low, p.LLR), max(high, p.LLR)
	}
	margin := 0.05 * (high - low)
	low, high = low-margin, high+margin
	y := func(llr float64) float64 { return math.Round(10*chartHeight*(high-llr)/(high-low)) / 10 }
	v := &curveView{Test: t, Upper: y(t.Upper), Lower: y(t.Lower), Zero: y(0), Matches: s.Curve[len(s.Curve)-1].Matches}
	var points strings.Builder
	for _, p := range s.Curve {
		fmt.Fprintf(&points, "%.1f,%.1f ", chartWidth*float64(p.Matches)/math.Max(1, float64(v.Matches)), y(p.LLR))
	}
	v.Points = strings.TrimSpace(points.String())
	return v
}

// roundTable is a round of a format that is played round by round.
type roundTable struct {
	Title   string
	Ties    []tournament.Tie
	Matches []matchLine
}

// matchLine is a decided match in a list.
type matchLine struct {
	Match         int
	First, Second string
	Scores        [2]int // as defender
	Points        [2]string
	By            tournament.Decision
}

func matchLineOf(m *tournament.MatchResult) matchLine {
	return matchLine{
		Match: m.Match, First: m.First, Second: m.Second, Scores: [2]int{m.Legs[0].Score, m.Legs[1].Score},
		Points: [2]string{pointsText(m.Points(m.First)), pointsText(m.Points(m.Second))}, By: m.By,
	}
}

// lastRounds is how many rounds of a ladder are listed: each of its matches is one.
const lastRounds = 20

// roundTables returns the pairings of an event: its ties, or its rounds.
func roundTables(s *statistics) (tables []roundTable) {
	for _, tie := range s.Standings.Ties {
		if n := len(tables); n == 0 || tables[n-1].Ties[0].Round != tie.Round || tables[n-1].Title != tie.Title {
			tables = append(tables, roundTable{Title: tie.Title})
		}
		last := &tables[len(tables)-1]
		last.Ties = append(last.Ties, tie)
	}
	if tables != nil {
		return tables
	}
	if s.ladder {
		table := roundTable{Title: "last matches"}
		for i := len(s.Rounds) - 1; i >= max(0, len(s.Rounds)-lastRounds); i-- {
			for _, m := range s.Rounds[i].Matches {
				table.Matches = append(table.Matches, matchLineOf(&m))
			}
		}
		if table.Matches != nil {
			tables = append(tables, table)
		}
		return tables
	}
	for _, round := range s.Rounds {
		table := roundTable{Title: fmt.Sprintf("round %d", round.Round)}
		for _, m := range round.Matches {
			table.Matches = append(table.Matches, matchLineOf(&m))
		}
		tables = append(tables, table)
	}
	return tables
}
