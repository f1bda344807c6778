package census

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/picture"
)

// WritePlot draws Figures 2, 3 and 4 of Oka, Matsuzaki and Haraguchi 2015 below
// each other: positions, growth and scores by ply. The format is such as SVG. It
// returns w's error, or one for an unknown format.
func (r Report) WritePlot(w io.Writer, format string) error {
	positions := picture.New("Positions, equal under rotation and reflection counted once", "ply", "positions")
	positions.Y.Scale, positions.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	growth := picture.New("Growth over two plies", "ply", "ratio")
	scores := picture.New("Largest and smallest score", "ply", "score")
	for _, c := range []struct {
		to    *plot.Plot
		name  string
		color color.Color
		y     func(Layer) float64
	}{
		{positions, "attacker to move", picture.Blue, func(l Layer) float64 { return float64(l.Positions) }},
		{positions, "mated, a ply before", picture.Orange, func(l Layer) float64 { return float64(l.Mated) }},
		{growth, "", picture.Blue, func(l Layer) float64 { return l.Growth }},
		{scores, "largest", picture.Blue, func(l Layer) float64 { return float64(l.MaxScore) }},
		{scores, "smallest", picture.Orange, func(l Layer) float64 { return float64(l.MinScore) }},
	} {
		if err := r.draw(c.to, c.name, c.color, c.y); err != nil {
			return fmt.Errorf("plotting %s: %w", c.to.Title.Text, err)
		}
	}
	for _, p := range []*plot.Plot{positions, scores} {
		p.Legend.Left, p.Legend.XOffs = true, vg.Points(8)
	}
	return picture.Write(w, format, 16*vg.Centimeter, 30*vg.Centimeter, [][]*plot.Plot{{positions}, {growth}, {scores}})
}

// draw adds a curve of what is more than 0, which a log axis needs.
func (r Report) draw(p *plot.Plot, name string, c color.Color, y func(Layer) float64) error {
	var points plotter.XYs
	for _, l := range r.Layers {
		if v := y(l); v > 0 {
			points = append(points, plotter.XY{X: float64(l.Plies), Y: v})
		}
	}
	if len(points) == 0 {
		return nil
	}
	curve, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	curve.Color, dots.Color = c, c
	p.Add(curve)
	if name != "" {
		p.Legend.Add(name, curve)
	}
	return nil
}
