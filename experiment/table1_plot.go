package experiment

import (
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
	"versus2048/tournament/report"
)

// WritePlot draws the mean scores with their intervals, ours beside the paper's,
// in a format such as SVG. It returns w's error, or one for an unknown format.
func (t Table1) WritePlot(w io.Writer, format string) error {
	p := picture.New("Table 1: mean score as defender", "", "mean score, with its 95% interval")
	var ours, paper []report.Interval
	var names []string
	for _, r := range t.Rows {
		ours = append(ours, r.First.Score.Ours, r.Second.Score.Ours)
		paper = append(paper, r.First.Score.Paper, r.Second.Score.Paper)
		names = append(names, against(r.First, r.Second), against(r.Second, r.First))
	}
	addDividers(p, len(t.Rows))
	if err := addIntervals(p, t.matches(), ours, -0.1, picture.Blue, draw.CircleGlyph{}); err != nil {
		return err
	}
	if err := addIntervals(p, fmt.Sprintf("paper: %d matches each", PaperMatches), paper, 0.1, picture.Orange, draw.BoxGlyph{}); err != nil {
		return err
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(names))-0.5
	p.Y.Min, p.Y.Max = 0, 1.25*highest(slices.Concat(ours, paper)) // with room for the legend
	return picture.Write(w, format, 24*vg.Centimeter, 13*vg.Centimeter, [][]*plot.Plot{{p}})
}

// highest is the highest of the estimates: an interval of very few games would
// leave no room for the others.
func highest(series []report.Interval) (y float64) {
	for _, i := range series {
		if !i.Value.Absent() {
			y = max(y, i.Value.Value)
		}
	}
	return y
}

// matches says how many matches our figures are of.
func (t Table1) matches() string {
	text := "ours: "
	for i, r := range t.Rows {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(r.Matches)
	}
	return text + " matches"
}

func against(c, opponent Contestant) string { return c.Name + "\nagainst " + opponent.Name }

// addIntervals draws a series, each of its intervals beside its place.
func addIntervals(p *plot.Plot, label string, series []report.Interval, beside float64, c color.Color, shape draw.GlyphDrawer) error {
	points := picture.Intervals{}
	for i, interval := range series {
		AddInterval(&points, float64(i)+beside, interval)
	}
	dots, err := points.Draw(p, c, shape)
	if err != nil {
		return fmt.Errorf("plotting %s: %w", label, err)
	}
	p.Legend.Add(label, dots)
	return nil
}

// AddInterval adds an interval to those that are drawn, unless it has no value;
// one without ends is a point.
func AddInterval(points *picture.Intervals, x float64, i report.Interval) {
	switch y := i.Value.Value; {
	case i.Value.Absent():
	case i.Low.Absent():
		points.Add(x, y, y, y)
	default:
		points.Add(x, y, i.Low.Value, i.High.Value)
	}
}

// addDividers draws lines between so many pairings of two bots each.
func addDividers(p *plot.Plot, pairings int) {
	for i := 1; i < pairings; i++ {
		x := 2*float64(i) - 0.5
		p.Add(&divider{x})
	}
}

// divider is a line from the bottom to the top of a plot.
type divider struct{ x float64 }

// Plot draws the line.
func (d *divider) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: picture.Grey, Width: vg.Points(1)}, toX(d.x), c.Min.Y, toX(d.x), c.Max.Y)
}
