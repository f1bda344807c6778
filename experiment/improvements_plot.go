package experiment

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
)

// WritePlot draws the share of matches that each variant won with its interval,
// a row a variant, in a format such as SVG. It returns w's error, or one for an
// unknown format.
func (t Improvements) WritePlot(w io.Writer, format string) error {
	p := picture.New("Variants against "+nameMCTS2+" at equal time per move", "share of matches won, with its 95% interval", "")
	p.Add(&divider{0.5})
	if err := t.addShares(p); err != nil {
		return err
	}
	p.NominalY(t.labels()...)
	p.X.Min, p.X.Max = 0, 1
	p.Y.Min, p.Y.Max = -0.7, float64(len(t.Rows))-0.3
	height := 4*vg.Centimeter + vg.Length(len(t.Rows))*vg.Centimeter
	return picture.Write(w, format, 20*vg.Centimeter, height, [][]*plot.Plot{{p}})
}

// labels are those of the rows from the bottom to the top.
func (t Improvements) labels() []string {
	labels := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		labels[t.height(i)] = fmt.Sprintf("%s  %s", r.Name, wonDrawnLost(r.Games.Matches))
	}
	return labels
}

// height is how far up a row is: the first one is at the top.
func (t Improvements) height(row int) int { return len(t.Rows) - 1 - row }

func (t Improvements) addShares(p *plot.Plot) error {
	shares := struct {
		plotter.XYs
		plotter.XErrors
	}{}
	for i, r := range t.Rows {
		if s := r.Share; !s.Value.Absent() {
			x := s.Value.Value
			shares.XYs = append(shares.XYs, plotter.XY{X: x, Y: float64(t.height(i))})
			shares.XErrors = append(shares.XErrors, struct{ Low, High float64 }{x - s.Low.Value, s.High.Value - x})
		}
	}
	if len(shares.XYs) == 0 {
		return nil
	}
	dots, err := plotter.NewScatter(shares)
	if err != nil {
		return fmt.Errorf("plotting the shares: %w", err)
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: picture.Blue, Radius: vg.Points(4), Shape: draw.CircleGlyph{}}
	bars, err := plotter.NewXErrorBars(shares)
	if err != nil {
		return fmt.Errorf("plotting the shares: %w", err)
	}
	bars.LineStyle.Color, bars.LineStyle.Width = picture.Blue, vg.Points(1.5)
	p.Add(bars, dots)
	return nil
}
