package drawing

import (
	"fmt"
	"math"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// The coordinates of charts are on a grid of 1000 by 300. Pages stretch the SVG to their width. Labels are HTML beside
// the SVG, so that a phone does not shrink the letters.
const chartWidth, chartHeight = 1000.0, 300.0

// Matrix shows the results of every two bots against each other.
type Matrix struct {
	Names []string
	Rows  []MatrixRow
	Left  int // number of bots that it leaves out
}

// MatrixRow is a bot's row.
type MatrixRow struct {
	report.Standing
	Cells []MatrixCell
}

// MatrixCell is the result of one bot against another: its points, and its share of the points as a percentage and as
// one of eleven shades.
type MatrixCell struct {
	Against string
	Own     bool // the bot itself
	Played  int
	Points  string
	Shade   int // 0 to 10
	Percent int
	Label   string
}

// mostInMatrix is the largest number of bots in a matrix. A larger matrix could not be read, and would load slowly.
const mostInMatrix = 40

// NewMatrix returns the matrix of an event.
func NewMatrix(t *report.Crosstable) *Matrix {
	m := &Matrix{Left: max(0, len(t.Standings)-mostInMatrix)}
	shown := t.Standings[:len(t.Standings)-m.Left]
	for _, s := range shown {
		m.Names = append(m.Names, s.Name)
	}
	for i, s := range shown {
		row := MatrixRow{Standing: s}
		for j, against := range s.Against[:min(len(s.Against), len(shown))] {
			row.Cells = append(row.Cells, cellOf(s.Name, shown[j].Name, i == j, &against))
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func cellOf(name, against string, own bool, c *report.Cell) MatrixCell {
	cell := MatrixCell{Against: against, Own: own, Played: c.Played()}
	if cell.Played == 0 {
		return cell
	}
	share := c.Points / float64(cell.Played)
	cell.Points, cell.Shade, cell.Percent = PointsText(c.Points), int(math.Round(10*share)), int(math.Round(100*share))
	cell.Label = fmt.Sprintf("%s against %s: %d won, %d drawn, %d lost", plain.Line(name), plain.Line(against), c.Won, c.Drawn, c.Lost)
	return cell
}

// PointsText writes points with halves, such as 7½.
func PointsText(points float64) string {
	whole := int(points)
	switch {
	case points == float64(whole):
		return fmt.Sprint(whole)
	case whole == 0:
		return "½"
	}
	return fmt.Sprintf("%d½", whole)
}

// Bar is a bot's rating as text and as a bar with its interval.
type Bar struct {
	report.Rated
	Group  int  // from 1, 0 if there is only one group; ratings of different groups cannot be compared
	Begins bool // it is the first of its group
	Text   string
	// Low is the place of the interval's lower end on a grid of 1000, and Width the interval's length there. An end
	// without limit is at the edge of the grid.
	Low, Width float64
	At         float64 // the place of the rating on this grid
	Zero       float64 // the place of the rating 0
	NextLOS    string  // the likelihood that the bot is better than the next one, "" if it is not known
}

// Bars returns the ratings, group by group, on one scale.
func Bars(r *report.Ratings) (bars []Bar) {
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
		bar := Bar{Rated: *b, Begins: i == 0, Text: EloText(b.Elo), Low: scale(b.Elo.Low, 0)}
		bar.Width = scale(b.Elo.High, chartWidth) - bar.Low
		bar.At, bar.Zero = scale(b.Elo.Value, chartWidth/2), scale(report.Figure{Value: 0}, 0)
		if len(r.Groups) > 1 {
			bar.Group = group + 1
		}
		if next := i + 1; next < len(b.Superiority) && !b.Superiority[next].Absent() {
			bar.NextLOS = b.Superiority[next].Percent()
		}
		bars = append(bars, bar)
	})
	return bars
}

// EloText writes a rating with its interval, such as “+70 ± 67”.
func EloText(i report.Interval) string {
	if i.Value.Absent() {
		return "unknown"
	}
	text := signed(i.Value.Value)
	if i.Low.Absent() || i.High.Absent() {
		return text + ", " + limits(i, func(f report.Figure) string { return signed(f.Value) })
	}
	return fmt.Sprintf("%s ± %.0f", text, (i.High.Value-i.Low.Value)/2)
}

// LimitsText writes the ends of an interval, such as “-20 to 70” or “at least 67”.
func LimitsText(i report.Interval) string {
	return limits(i, func(f report.Figure) string { return f.Text(0) })
}

func limits(i report.Interval, text func(report.Figure) string) string {
	switch {
	case i.Low.Absent() && i.High.Absent():
		return "without limits"
	case i.Low.Absent():
		return "at most " + text(i.High)
	case i.High.Absent():
		return "at least " + text(i.Low)
	}
	return text(i.Low) + " to " + text(i.High)
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

// CurvePoint is the log likelihood ratio of a test after a number of matches.
type CurvePoint struct {
	Matches int     `json:"matches"`
	LLR     float64 `json:"llr"`
}

// Curve is the chart of a sequential test: its log likelihood ratio over the matches, and its two bounds.
type Curve struct {
	Test         *tournament.TestState
	Points       string // of a polyline
	Upper, Lower float64
	Zero         float64
	Matches      int
}

// NewCurve returns the curve of a test, nil if there is none.
func NewCurve(test *tournament.TestState, points []CurvePoint) *Curve {
	if test == nil || len(points) == 0 {
		return nil
	}
	low, high := test.Lower, test.Upper
	for _, p := range points {
		low, high = min(low, p.LLR), max(high, p.LLR)
	}
	margin := 0.05 * (high - low)
	low, high = low-margin, high+margin
	y := func(llr float64) float64 { return math.Round(10*chartHeight*(high-llr)/(high-low)) / 10 }
	c := &Curve{Test: test, Upper: y(test.Upper), Lower: y(test.Lower), Zero: y(0), Matches: points[len(points)-1].Matches}
	var line strings.Builder
	for _, p := range points {
		fmt.Fprintf(&line, "%.1f,%.1f ", chartWidth*float64(p.Matches)/math.Max(1, float64(c.Matches)), y(p.LLR))
	}
	c.Points = strings.TrimSpace(line.String())
	return c
}
