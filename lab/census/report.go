package census

import (
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
	"versus2048/rules"
)

// Report is the result of a census.
type Report struct {
	Rules  rules.Ruleset `json:"rules"`
	Size   rules.Size    `json:"size"`
	Start  string        `json:"start"`
	Layers []Layer       `json:"layers"`
}

// NewReport returns a report on the layers that Run counted from the start.
func NewReport(start rules.Position, layers []Layer) Report {
	return Report{Rules: start.Rules(), Size: start.Size(), Start: start.String(), Layers: layers}
}

// defenders reports whether the positions with the defender to move were counted.
func (r Report) defenders() bool {
	for _, l := range r.Layers {
		if l.Defenders > 0 {
			return true
		}
	}
	return false
}

// table returns a row for each layer.
func (r Report) table() terminal.Table {
	t := terminal.Table{Aligned: true, Columns: terminal.Numbers("plies", "positions", "growth", "mated", "min_score", "max_score", "bytes")}
	if r.defenders() {
		t.Columns = append(t.Columns, terminal.Numbers("defenders")...)
	}
	for _, l := range r.Layers {
		growth := ""
		if l.Growth > 0 {
			growth = strconv.FormatFloat(l.Growth, 'f', 4, 64)
		}
		row := []any{l.Plies, l.Positions, growth, l.Mated, l.MinScore, l.MaxScore, l.Bytes, l.Defenders}
		t.Add(row[:len(t.Columns)]...)
	}
	return t
}

// WriteCSV writes one line per layer. It returns w's error.
func (r Report) WriteCSV(w io.Writer) error { return r.table().WriteCSV(w) }

// WriteMarkdown writes a table of the layers. It returns w's error.
func (r Report) WriteMarkdown(w io.Writer) error {
	t := r.table()
	for i := range t.Columns {
		t.Columns[i].Title = strings.ReplaceAll(t.Columns[i].Title, "_", " ")
	}
	_, err := fmt.Fprintf(w, "Positions with the attacker to move, equal under rotation and reflection counted once; mated positions a ply before.\n"+
		"%v %v from %s\n\n%s", r.Rules, r.Size, r.Start, t.Markdown())
	return err
}

// WritePlot draws Figures 2, 3 and 4 of Oka, Matsuzaki and Haraguchi 2015 below each other: positions, growth and
// scores by ply. The format is picture.SVG or picture.PNG. It returns w's error, and an error for an unknown format.
func (r Report) WritePlot(w io.Writer, format string) error {
	positions := picture.New("Positions, equal under rotation and reflection counted once", "ply", "positions")
	positions.Y.Scale, positions.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	growth := picture.New("Growth over two plies", "ply", "ratio")
	scores := picture.New("Largest and smallest score", "ply", "score")
	var key []picture.Entry
	for _, c := range []struct {
		to    *plot.Plot
		name  string
		color color.Color
		y     func(Layer) float64
	}{
		{positions, "attacker to move", picture.Blue, func(l Layer) float64 { return float64(l.Positions) }},
		{positions, "mated, a ply before", picture.Orange, func(l Layer) float64 { return float64(l.Mated) }},
		{growth, "", picture.Blue, func(l Layer) float64 { return l.Growth }},
		{scores, "largest score", picture.Green, func(l Layer) float64 { return float64(l.MaxScore) }},
		{scores, "smallest score", picture.Purple, func(l Layer) float64 { return float64(l.MinScore) }},
	} {
		curve, err := r.draw(c.to, c.color, c.y)
		if err != nil {
			return fmt.Errorf("plotting %s: %w", c.to.Title.Text, err)
		}
		if curve != nil && c.name != "" {
			key = append(key, picture.Entry{Name: c.name, Thumbs: []plot.Thumbnailer{curve}})
		}
	}
	return picture.WriteKeyed(w, format, 16*vg.Centimeter, 30*vg.Centimeter, [][]*plot.Plot{{positions}, {growth}, {scores}}, key)
}

// draw adds a curve of the values above 0: a logarithmic axis has no place for others. It returns nil if there is no
// such value.
func (r Report) draw(p *plot.Plot, c color.Color, y func(Layer) float64) (*plotter.Line, error) {
	var points plotter.XYs
	for _, l := range r.Layers {
		if v := y(l); v > 0 {
			points = append(points, plotter.XY{X: float64(l.Plies), Y: v})
		}
	}
	if len(points) == 0 {
		return nil, nil
	}
	curve, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	curve.Color = c
	p.Add(curve)
	return curve, nil
}
