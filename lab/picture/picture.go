package picture

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The picture formats, which are also their file name extensions.
const (
	SVG = "svg"
	PNG = "png"
)

// Blue, Orange, Green, Purple and Sky are from Okabe and Ito's palette, which colour-blind
// readers can distinguish, too. Grey is for lines in the background.
var (
	Blue   = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	Orange = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	Green  = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	Purple = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	Sky    = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	Grey   = color.RGBA{R: 190, G: 190, B: 190, A: 255}
)

// Palette holds the colours of the series of a plot, in their order.
var Palette = []color.Color{Blue, Orange, Green, Purple, Sky}

// New returns an empty plot with the given title and axis labels, and some space around them.
func New(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding, p.X.Label.Padding, p.Y.Label.Padding = vg.Points(10), vg.Points(6), vg.Points(6)
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(3)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(8), -vg.Points(6)
	names := newWideText()
	p.X.Tick.Label.Handler, p.Y.Tick.Label.Handler, p.Legend.TextStyle.Handler = names, names, names
	return p
}

// margin is the free space at each edge of a picture.
const margin = 3 * vg.Millimeter

// Write draws plots on one white picture and writes it in the format: SVG, PNG or another one that gonum's vg knows.
// There must be at least one row. The plots of each row share the width of the picture, even if another row has more
// plots. Write returns w's error, or an error for an unknown format.
func Write(w io.Writer, format string, width, height vg.Length, rows [][]*plot.Plot) error {
	return WriteKeyed(w, format, width, height, rows, nil)
}

// Entry explains a line or a glyph of plots.
type Entry struct {
	Name   string
	Thumbs []plot.Thumbnailer
}

// keyWidth is the smallest width of an entry below the plots, keyHeight the height of each entry.
const (
	keyWidth  = 4 * vg.Centimeter
	keyHeight = 0.55 * vg.Centimeter
)

// WriteKeyed is like Write, but draws a key to all plots below them. height is the height of the plots, without the
// key. If all rows are equally long, the plots are aligned in columns, too.
func WriteKeyed(w io.Writer, format string, width, height vg.Length, rows [][]*plot.Plot, key []Entry) error {
	columns := max(1, int((width-2*margin)/widest(key)))
	below := vg.Length((len(key)+columns-1)/columns) * keyHeight
	return WritePage(w, format, width, height+below, func(page draw.Canvas) {
		above := draw.Crop(page, 0, 0, below, 0)
		if sameLength(rows) {
			drawAligned(above, rows)
		} else {
			each := above.Size().Y / vg.Length(len(rows))
			for i, row := range rows {
				top, bottom := each*vg.Length(i), each*vg.Length(len(rows)-1-i)
				drawAligned(draw.Crop(above, 0, 0, bottom, -top), [][]*plot.Plot{row})
			}
		}
		drawKey(page, below, columns, key)
	})
}

// sameLength reports whether the rows are equally long.
func sameLength(rows [][]*plot.Plot) bool {
	return !slices.ContainsFunc(rows, func(row []*plot.Plot) bool { return len(row) != len(rows[0]) })
}

// drawAligned draws plots in rows that are equally long, with their axes aligned.
func drawAligned(area draw.Canvas, rows [][]*plot.Plot) {
	tiles := draw.Tiles{
		Rows: len(rows), Cols: len(rows[0]),
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: margin, PadX: 2 * margin, PadY: 2 * margin,
	}
	for i, areas := range plot.Align(rows, tiles, area) {
		for j, place := range areas {
			rows[i][j].Draw(place)
		}
	}
}

// widest returns the width that each entry of a key takes: that of the widest one, at least keyWidth.
func widest(key []Entry) vg.Length {
	room := keyWidth
	legend := New("", "", "").Legend
	for _, entry := range key {
		room = max(room, legend.ThumbnailWidth+legend.TextStyle.Width(entry.Name)+2*margin)
	}
	return room
}

// drawKey draws a key into the lowest part of the page, row by row.
func drawKey(page draw.Canvas, height vg.Length, columns int, key []Entry) {
	room := widest(key)
	for i, entry := range key {
		legend := New("", "", "").Legend
		legend.Left, legend.XOffs, legend.YOffs = true, 0, 0
		legend.Add(entry.Name, entry.Thumbs...)
		left := margin + vg.Length(i%columns)*room
		bottom := height - vg.Length(i/columns+1)*keyHeight
		size := page.Size()
		legend.Draw(draw.Crop(page, left, left+room-size.X, bottom, bottom+keyHeight-size.Y))
	}
}

// WritePage is like Write for pictures that are not only plots: paint draws on the white page.
func WritePage(w io.Writer, format string, width, height vg.Length, paint func(draw.Canvas)) error {
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	page := draw.New(canvas)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	paint(page)
	if format != SVG {
		_, err = canvas.WriteTo(w)
		return err
	}
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	_, err = w.Write(compact(withFamilies(svg.Bytes())))
	return err
}
