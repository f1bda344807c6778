package report

import (
	"io"

	"golang.org/x/image/font"

	"versus2048/internal/text/axes"
)

// plot is one picture of a chart.
type plot struct {
	title string
	x, y  axis
	data  func(c canvas, at scale) // draws the data
}

// axis is a direction of a plot.
type axis struct {
	label     string
	low, high float64
	ticks     []axes.Tick
}

// scale turns the coordinates of a plot into a point of the page.
type scale func(x, y float64) point

// frame is the rectangle between the axes of a plot.
type frame struct{ left, top, right, bottom float64 }

func (f frame) scale(p plot) scale {
	return func(x, y float64) point {
		return point{
			f.left + (f.right-f.left)*(x-p.x.low)/(p.x.high-p.x.low),
			f.bottom - (f.bottom-f.top)*(y-p.y.low)/(p.y.high-p.y.low),
		}
	}
}

// The distances between the parts of a chart, in points.
const (
	centimetre  = 72 / 2.54
	margin      = 9.0  // at each edge of the chart
	titleHeight = 30.0 // above the frame of a plot
	axisHeight  = 36.0 // below it
	rightMargin = 20.0 // right of the frame: half of the last label of the x axis is there
	labelGap    = 6.0
	baseline    = 0.35 * labelSize // from the middle of letters to their base line
)

// draw draws the plot with the grid behind its data.
func (p plot) draw(c canvas, f frame) {
	at, thin := f.scale(p), stroke{colour: grey, width: 0.75}
	middle := (f.left + f.right) / 2
	c.text(p.title, titleSize, atMiddle, point{middle, f.top - 12})
	c.text(p.x.label, labelSize, atMiddle, point{middle, f.bottom + 30})
	for _, t := range p.y.ticks {
		left := at(p.x.low, t.At)
		c.line(thin, left, at(p.x.high, t.At))
		c.text(t.Label, labelSize, atRight, point{left.x - labelGap, left.y + baseline})
	}
	for _, t := range p.x.ticks {
		low := at(t.At, p.y.low)
		c.line(thin, low, at(t.At, p.y.high))
		c.line(stroke{colour: black, width: 0.75}, low, point{low.x, low.y + 4})
		c.text(t.Label, labelSize, atMiddle, point{low.x, low.y + 15})
	}
	c.line(stroke{colour: black, width: 0.75}, at(p.x.low, p.y.low), at(p.x.high, p.y.low))
	p.data(c, at)
}

// entry explains a line of plots.
type entry struct {
	name string
	look stroke
}

// chartPage is a page with plots in rows of the same length, and below them one key to their lines.
type chartPage struct {
	face       font.Face
	plots      [][]plot
	key        []entry
	rowHeight  float64
	plotWidth  float64
	keyWidth   float64 // of an entry
	keyColumns int
}

const (
	keyHeight    = 0.55 * centimetre // of an entry
	sampleLength = 20.0              // of the line in an entry of the key
)

// newPage lays out plots, each as wide as plotWidth, and their key below them.
func newPage(plots [][]plot, key []entry, plotWidth, rowHeight float64) (*chartPage, error) {
	face, err := newFace(labelSize)
	if err != nil {
		return nil, err
	}
	p := &chartPage{face: face, plots: plots, key: key, rowHeight: rowHeight, plotWidth: plotWidth, keyWidth: 4 * centimetre}
	for _, e := range key {
		p.keyWidth = max(p.keyWidth, sampleLength+labelGap+labelWidth(face, e.name)+2*margin)
	}
	p.keyColumns = max(1, int((p.width()-2*margin)/p.keyWidth))
	return p, nil
}

func (p *chartPage) width() float64 { return float64(len(p.plots[0])) * p.plotWidth }

func (p *chartPage) plotsHeight() float64 { return float64(len(p.plots)) * p.rowHeight }

func (p *chartPage) write(w io.Writer, format string) error {
	keyRows := (len(p.key) + p.keyColumns - 1) / p.keyColumns
	c, err := newCanvas(format, p.width(), p.plotsHeight()+float64(keyRows)*keyHeight+margin)
	if err != nil {
		return err
	}
	for i, row := range p.plots {
		for j, one := range row {
			left, top := float64(j)*p.plotWidth, float64(i)*p.rowHeight
			one.draw(c, frame{left + p.labelRoom(j), top + titleHeight, left + p.plotWidth - rightMargin, top + p.rowHeight - axisHeight})
		}
	}
	for i, e := range p.key {
		left := margin + float64(i%p.keyColumns)*p.keyWidth
		middle := p.plotsHeight() + (float64(i/p.keyColumns)+0.5)*keyHeight
		c.line(e.look, point{left, middle}, point{left + sampleLength, middle})
		c.dot(e.look.colour, dotRadius, point{left + sampleLength/2, middle})
		c.text(e.name, labelSize, atLeft, point{left + sampleLength + labelGap, middle + baseline})
	}
	return c.encode(w)
}

// labelRoom returns the width to the left of a column's frames. It is the same in all rows, so that axes are aligned.
func (p *chartPage) labelRoom(column int) (room float64) {
	for _, row := range p.plots {
		for _, t := range row[column].y.ticks {
			room = max(room, labelWidth(p.face, t.Label))
		}
	}
	return margin + room + labelGap
}
