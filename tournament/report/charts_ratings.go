package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
)

// ratingsPlot draws the ratings with their intervals. One that the results set no
// limit goes to the edge.
func ratingsPlot(r Ratings, names []string) (*plot.Plot, error) {
	title := "Ratings with 95% intervals"
	if len(r.Groups) > 1 {
		title += "; no match connects some, whose ratings can't be compared"
	}
	p := picture.New(title, "Elo", "")
	low, high := span(r)
	var bars intervals
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			bars.add(row(names, len(bars.XYs)), b.Elo, low, high)
		}
	}
	p.Add(plotter.NewGrid())
	if err := bars.draw(p); err != nil {
		return nil, err
	}
	nameRows(p, names)
	p.X.Min, p.X.Max = low, high
	return p, nil
}

// span has room for every number of the ratings.
func span(r Ratings) (low, high float64) {
	for _, g := range r.Groups {
		for _, b := range g.Bots {
			for _, f := range []Figure{b.Elo.Low, b.Elo.Value, b.Elo.High} {
				if !f.Absent() {
					low, high = min(low, f.Value), max(high, f.Value)
				}
			}
		}
	}
	room := max(1, 0.05*(high-low))
	return low - room, high + room
}

// intervals are points with what is left and right of them.
type intervals struct {
	plotter.XYs
	plotter.XErrors
}

// add adds an interval at the height y on a scale from low to high.
func (b *intervals) add(y float64, i Interval, low, high float64) {
	from, x, to := i.Low.Value, i.Value.Value, i.High.Value
	if i.Low.Absent() {
		from = low
	}
	if i.High.Absent() {
		to = high
	}
	if i.Value.Absent() {
		x = (from + to) / 2
	}
	b.XYs = append(b.XYs, plotter.XY{X: x, Y: y})
	b.XErrors = append(b.XErrors, struct{ Low, High float64 }{x - from, to - x})
}

func (b *intervals) draw(p *plot.Plot) error {
	if len(b.XYs) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(b)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: picture.Blue, Radius: vg.Points(4), Shape: draw.CircleGlyph{}}
	bars, err := plotter.NewXErrorBars(b)
	if err != nil {
		return err
	}
	bars.LineStyle.Color, bars.LineStyle.Width = picture.Blue, vg.Points(1.5)
	p.Add(bars, dots)
	return nil
}
