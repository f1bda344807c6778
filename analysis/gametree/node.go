package gametree

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
)

var (
	ink  = color.RGBA{R: 30, G: 30, B: 30, A: 255}
	dim  = color.RGBA{R: 120, G: 120, B: 120, A: 255}
	thin = vg.Points(0.5)
)

func textStyle(size float64, c color.Color, align text.XAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, font.Length(size)),
		XAlign: align, YAlign: draw.YCenter, Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

// node draws a position's board around its middle, and its value to the right.
func (d *drawing) node(n *Node, at vg.Point) {
	left, top := at.X-cell*vg.Length(d.size.Width)/2, at.Y+d.board/2
	for y, row := range n.Position.Tiles() {
		for x, tile := range row {
			corner := vg.Point{X: left + cell*vg.Length(x), Y: top - cell*vg.Length(y+1)}
			d.tile(tile, corner, n.OnLine)
		}
	}
	frame := draw.LineStyle{Color: dim, Width: thin}
	if n.OnLine {
		frame = draw.LineStyle{Color: ink, Width: vg.Points(1)}
	}
	if n.Mated() {
		frame = draw.LineStyle{Color: mated, Width: vg.Points(2)}
	}
	right, bottom := left+cell*vg.Length(d.size.Width), top-d.board
	d.StrokeLines(frame, []vg.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}, {X: left, Y: top}, {X: right, Y: top}})
	c := color.Color(dim)
	if n.OnLine {
		c = ink
	}
	d.FillText(textStyle(6, c, draw.XLeft), vg.Point{X: right + 2, Y: at.Y}, n.worth())
}

// worth is what is written beside a position.
func (n *Node) worth() string {
	switch {
	case n.Mated():
		return "mate"
	case n.Position.Rules().Chance():
		return fmt.Sprintf("%.1f", n.Value.Gain)
	}
	return fmt.Sprintf("%.0f\n(%d)", n.Value.Gain, n.Value.Plies)
}

// tile draws one cell of a board. The larger a tile, the darker; the boards that
// perfect play does not reach are pale.
func (d *drawing) tile(value int, corner vg.Point, strong bool) {
	square := []vg.Point{corner, {X: corner.X + cell, Y: corner.Y}, {X: corner.X + cell, Y: corner.Y + cell}, {X: corner.X, Y: corner.Y + cell}}
	d.FillPolygon(tileColor(value, strong), square)
	d.StrokeLines(draw.LineStyle{Color: grid, Width: thin}, append(square, corner))
	if value == 0 {
		return
	}
	c, size := color.Color(dim), 7.0
	if strong {
		c = ink
	}
	if value > 99 {
		size = 5
	}
	d.FillText(textStyle(size, c, draw.XCenter), vg.Point{X: corner.X + cell/2, Y: corner.Y + cell/2}, fmt.Sprint(value))
}

var (
	grid  = color.RGBA{R: 205, G: 200, B: 192, A: 255}
	mated = picture.Purple
)

func tileColor(value int, strong bool) color.Color {
	if value == 0 {
		return color.White
	}
	depth := math.Log2(float64(value)) * 13
	if !strong {
		depth /= 3
	}
	return color.RGBA{R: 255, G: uint8(250 - depth), B: uint8(243 - 2*depth), A: 255}
}
