package picture

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Intervals are points with what is below and above them. The zero value has
// none.
type Intervals struct {
	plotter.XYs
	plotter.YErrors
}

// Add adds a point at x and y, whose interval goes from low to high.
func (i *Intervals) Add(x, y, low, high float64) {
	i.XYs = append(i.XYs, plotter.XY{X: x, Y: y})
	i.YErrors = append(i.YErrors, struct{ Low, High float64 }{y - low, high - y})
}

// Draw draws the points and their bars. It returns the points, for a legend, and
// an error for a number that is none.
func (i *Intervals) Draw(p *plot.Plot, c color.Color, shape draw.GlyphDrawer) (*plotter.Scatter, error) {
	dots, err := plotter.NewScatter(i)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(4), Shape: shape}
	bars, err := plotter.NewYErrorBars(i)
	if err != nil {
		return nil, err
	}
	bars.LineStyle.Color, bars.LineStyle.Width = c, vg.Points(1.5)
	p.Add(bars, dots)
	return dots, nil
}
