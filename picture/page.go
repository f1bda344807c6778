package picture

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The formats of pictures, as the ends of file names.
const (
	SVG = "svg"
	PNG = "png"
)

// New is an empty plot with room around its texts.
func New(title, x, y string) *plot.Plot {
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

// Write draws plots below and beside each other, row by row, all rows of one
// length, on one white picture in the format: SVG, PNG or another that gonum's
// vg knows. It returns w's error, or one for an unknown format.
func Write(w io.Writer, format string, width, height vg.Length, rows [][]*plot.Plot) error {
	tiles := draw.Tiles{
		Rows: len(rows), Cols: len(rows[0]),
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin, PadX: 2 * margin, PadY: 2 * margin,
	}
	return WritePage(w, format, width, height, func(page draw.Canvas) {
		for i, areas := range plot.Align(rows, tiles, page) {
			for j, area := range areas {
				rows[i][j].Draw(area)
			}
		}
	})
}

// WritePage is Write for what is no plot: paint draws on the white page.
func WritePage(w io.Writer, format string, width, height vg.Length, paint func(draw.Canvas)) error {
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	paint(page)
	_, err = canvas.WriteTo(w)
	return err
}
