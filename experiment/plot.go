package experiment

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The formats of plots, as the ends of file names.
const (
	SVG = "svg"
	PNG = "png"
)

// Colours that are told apart with any eyesight: Okabe and Ito's.
var (
	blue   = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	orange = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	green  = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	grey   = color.RGBA{R: 190, G: 190, B: 190, A: 255}
)

// newPlot is an empty plot with room around its texts.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding, p.X.Label.Padding, p.Y.Label.Padding = vg.Points(10), vg.Points(6), vg.Points(6)
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(3)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(8), -vg.Points(6)
	return p
}

// margin is the free space at each edge of a picture.
const margin = 3 * vg.Millimeter

// writePicture draws plots below and beside each other, row by row, on one
// picture in the format.
func writePicture(w io.Writer, format string, width, height vg.Length, rows [][]*plot.Plot) error {
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	tiles := draw.Tiles{
		Rows: len(rows), Cols: len(rows[0]),
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin, PadX: 2 * margin, PadY: 2 * margin,
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	for i, areas := range plot.Align(rows, tiles, page) {
		for j, area := range areas {
			rows[i][j].Draw(area)
		}
	}
	_, err = canvas.WriteTo(w)
	return err
}
