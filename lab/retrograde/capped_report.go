package retrograde

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
	"versus2048/rules"
)

// CappedReport has the values of the empty board by the number of 4s.
type CappedReport struct {
	Size   rules.Size `json:"size"`
	Values []Capped   `json:"values"`
}

func (r CappedReport) table() terminal.Table {
	t := terminal.Table{Aligned: true, Columns: terminal.Numbers("fours", "score", "plies")}
	for _, c := range r.Values {
		t.Add(c.Fours, int(c.Value.Gain), c.Value.Plies)
	}
	return t
}

// WriteMarkdown writes a table with a row for each number of 4s. It returns w's error.
func (r CappedReport) WriteMarkdown(w io.Writer) error {
	_, err := fmt.Fprintf(w, "Score and length of a perfect game on %v, by the number of 4s that the attacker may place:\n\n%s", r.Size, r.table().Markdown())
	return err
}

// WriteCSV writes a line for each number of 4s. It returns w's error.
func (r CappedReport) WriteCSV(w io.Writer) error { return r.table().WriteCSV(w) }

// WritePlot draws the score by the number of 4s, in a format such as picture.SVG. It returns w's error, or one for an
// unknown format.
func (r CappedReport) WritePlot(w io.Writer, format string) error {
	p := picture.New(fmt.Sprintf("Perfect play on %v with few 4s", r.Size), "4s that the attacker may place", "score")
	var points plotter.XYs
	for _, c := range r.Values {
		points = append(points, plotter.XY{X: float64(c.Fours), Y: c.Value.Gain})
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return fmt.Errorf("plotting the scores: %w", err)
	}
	line.Color, dots.Color = picture.Blue, picture.Blue
	p.Add(line, dots)
	p.Y.Min = 0
	return picture.Write(w, format, 20*vg.Centimeter, 12*vg.Centimeter, [][]*plot.Plot{{p}})
}
