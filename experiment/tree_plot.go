package experiment

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/picture"
)

// WritePlot draws the four figures on one page, with the same scales: the bots
// beside each other, defenders above. The format is such as SVG. It returns w's
// error, or one for an unknown format.
func (t Tree) WritePlot(w io.Writer, format string) error {
	width, height := t.extent()
	var rows [][]*plot.Plot
	for i, f := range t.Figures {
		p := picture.New(fmt.Sprintf("%s as %v, %d games", f.Bot, f.Role, f.Games), "ply of the game", "nodes expanded in a search, on average")
		if err := f.draw(p); err != nil {
			return err
		}
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, width, 0, 1.35*height // with room for the legend
		if i%2 == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], p)
	}
	return picture.Write(w, format, 28*vg.Centimeter, 20*vg.Centimeter, rows)
}

// extent is the last ply that is shown, and the most nodes; 1 if there are none.
func (t Tree) extent() (width, height float64) {
	width, height = 1, 1
	for _, f := range t.Figures {
		for _, b := range f.Bins {
			width, height = max(width, float64(b.To)), max(height, b.Expanded.total())
		}
	}
	return width, height
}

// draw stacks the layers. Each is drawn from the ground up to its top, the
// topmost first, so that those below cover it.
func (f TreeFigure) draw(p *plot.Plot) error {
	colors := [layers]color.Color{picture.Blue, picture.Orange, picture.Green}
	for layer := layers - 1; layer >= 0; layer-- {
		area, err := f.area(layer)
		if err != nil {
			return fmt.Errorf("plotting %s as %v: %w", f.Bot, f.Role, err)
		}
		area.FillColor, area.LineStyle.Width = colors[layer], 0
		p.Legend.Add("depth "+layerNames()[layer], area)
		if len(f.Bins) > 0 {
			p.Add(area)
		}
	}
	return nil
}

// area is the ground under the sum of the layers up to this one.
func (f TreeFigure) area(layer int) (*plotter.Line, error) {
	var top plotter.XYs
	for _, b := range f.Bins {
		height := 0.0
		for _, n := range b.Expanded[:layer+1] {
			height += n
		}
		top = append(top, plotter.XY{X: float64(b.From - 1), Y: height}, plotter.XY{X: float64(b.To), Y: height})
	}
	return plotter.NewLine(top)
}
