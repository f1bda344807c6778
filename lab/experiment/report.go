package experiment

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
	"versus2048/tournament/report"
)

// NewTable returns a table of a document. Its first columns have texts, the others numbers.
func NewTable(texts []string, numbers ...string) terminal.Table {
	return terminal.Table{Aligned: true, Columns: append(terminal.Columns(texts...), terminal.Numbers(numbers...)...)}
}

// addIntervals draws a series of intervals at x = 0, 1, 2 and so on, shifted by the offset. It returns the
// series' entry in the key.
func addIntervals(p *plot.Plot, label string, series []report.Interval, offset float64, c color.Color, shape draw.GlyphDrawer) (picture.Entry, error) {
	points := picture.Intervals{}
	for i, interval := range series {
		AddInterval(&points, float64(i)+offset, interval)
	}
	dots, err := points.Draw(p, c, shape)
	if err != nil {
		return picture.Entry{}, fmt.Errorf("plotting %s: %w", label, err)
	}
	return picture.Entry{Name: label, Thumbs: []plot.Thumbnailer{dots}}, nil
}

// AddInterval adds an interval at x to a plot's points, unless it has no value. An end that is not known
// is open.
func AddInterval(points *picture.Intervals, x float64, i report.Interval) {
	if !i.Value.Absent() {
		low, high := i.Ends()
		points.Add(x, i.Value.Value, low, high)
	}
}

// AddRows draws labelled intervals in rows, the first at the top.
func AddRows(p *plot.Plot, labels []string, series []report.Interval) error {
	rows := picture.Intervals{Horizontal: true}
	last := len(series) - 1
	for i, interval := range series {
		if !interval.Value.Absent() {
			low, high := interval.Ends()
			rows.Add(interval.Value.Value, float64(last-i), low, high)
		}
	}
	if len(rows.XYs) == 0 {
		p.X.Min, p.X.Max = 0, 1
	} else if _, err := rows.Draw(p, picture.Blue, draw.CircleGlyph{}); err != nil {
		return fmt.Errorf("plotting the rows: %w", err)
	}
	upwards := slices.Clone(labels)
	slices.Reverse(upwards)
	p.NominalY(upwards...)
	p.Y.Min, p.Y.Max = -0.7, float64(last)+0.7
	return nil
}

// RowsHeight returns the height of a drawing with that many rows.
func RowsHeight(rows int) vg.Length { return 4*vg.Centimeter + vg.Length(rows)*vg.Centimeter }

// divider is a vertical line across a plot.
type divider struct{ x float64 }

// Plot implements plot.Plotter.
func (d *divider) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: picture.Grey, Width: vg.Points(1)}, toX(d.x), c.Min.Y, toX(d.x), c.Max.Y)
}
