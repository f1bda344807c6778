package picture

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Intervals are points with an interval around each, up and down or, if Horizontal is set, to the left
// and the right. The zero value is empty.
type Intervals struct {
	plotter.XYs
	Horizontal bool
	ends       []ends // of the interval of each point
}

// ends are the ends of an interval. An open one is infinite.
type ends struct{ low, high float64 }

// Add adds a point at x and y with an interval from low to high, on the axis along which intervals lie.
// An end without a limit is infinite.
func (i *Intervals) Add(x, y, low, high float64) {
	i.XYs = append(i.XYs, plotter.XY{X: x, Y: y})
	i.ends = append(i.ends, ends{low, high})
}

// Draw draws the points and their intervals. An end of an interval is a stroke, or an arrow if the end is
// infinite or beyond the axis. Draw returns the points, for a key, and an error for a point that is NaN or
// infinite. The axes must have their ranges when the plot is drawn.
func (i *Intervals) Draw(p *plot.Plot, c color.Color, shape draw.GlyphDrawer) (*plotter.Scatter, error) {
	dots, err := plotter.NewScatter(i)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(4), Shape: shape}
	p.Add(&bars{i, draw.LineStyle{Color: c, Width: vg.Points(1.5)}}, dots)
	return dots, nil
}

// bars draws intervals.
type bars struct {
	*Intervals
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for k, point := range b.XYs {
		axis, along, across := &p.Y, toY, toX(point.X)
		if b.Horizontal {
			axis, along, across = &p.X, toX, toY(point.Y)
		}
		low, high := b.ends[k].low, b.ends[k].high
		from, to := along(max(low, axis.Min)), along(min(high, axis.Max))
		b.stroke(c, vg.Point{X: across, Y: from}, vg.Point{X: across, Y: to})
		b.end(c, across, from, 1, low < axis.Min)
		b.end(c, across, to, -1, high > axis.Max)
	}
}

// end draws the end of an interval: a stroke across the interval, or an arrow if the end is open. inside is
// 1 or -1, the direction to the other end.
func (b *bars) end(c draw.Canvas, across, end, inside vg.Length, open bool) {
	const size = 4 // in points
	back := end
	if open {
		back += 1.5 * size * inside
	}
	b.stroke(c, vg.Point{X: across - size, Y: back}, vg.Point{X: across, Y: end}, vg.Point{X: across + size, Y: back})
}

// stroke draws a line through points. Their Y is along the intervals, their X across.
func (b *bars) stroke(c draw.Canvas, line ...vg.Point) {
	if b.Horizontal {
		for k, point := range line {
			line[k] = vg.Point{X: point.Y, Y: point.X}
		}
	}
	c.StrokeLines(b.style, line)
}
