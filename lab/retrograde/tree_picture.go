package retrograde

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/lab/picture"
	"versus2048/rules"
)

// The layout of the page.
const (
	cell     = vg.Length(13) // of a board
	pitch    = 2.4           // from row to row, in heights of a board
	heading  = vg.Length(92)
	sidebar  = vg.Length(64) // for the names of the rows
	edgeRoom = vg.Length(20)
)

// Colours in addition to package picture's.
var (
	ink   = color.RGBA{R: 30, G: 30, B: 30, A: 255}
	dim   = color.RGBA{R: 120, G: 120, B: 120, A: 255}
	grid  = color.RGBA{R: 205, G: 200, B: 192, A: 255}
	mated = picture.Purple
)

var thin = vg.Points(0.5)

// WritePicture draws the tree from top to bottom: a board for each position with its
// value beside it, and an edge for each move. The format is picture.SVG or
// picture.PNG. It returns w's error, and an error for an unknown format.
func (t *Tree) WritePicture(w io.Writer, format string) error {
	l := newLayers(t)
	l.order()
	l.place()
	d := drawing{layers: l, size: t.Size, board: cell * vg.Length(t.Size.Height)}
	height := heading + d.pitch()*vg.Length(len(t.Rows)) + edgeRoom
	return picture.WritePage(w, format, max(d.width(), vg.Points(430)), height, func(page draw.Canvas) {
		d.page = page
		d.heading(t)
		for i := range l.rows {
			d.rowName(t.Rows[i], i)
		}
		for _, best := range []bool{false, true} { // the best edges on top of the others
			for _, k := range l.links {
				if k.edge.Best == best {
					d.link(k)
				}
			}
		}
		for row, vertices := range l.rows {
			for _, v := range vertices {
				if v.node != nil {
					d.node(v.node, d.at(v, row))
				}
			}
		}
	})
}

// drawing is a tree on its page.
type drawing struct {
	page   draw.Canvas
	layers *layers
	size   rules.Size
	board  vg.Length // height of a board
}

func (d *drawing) pitch() vg.Length { return pitch * d.board }

// unit returns the length on the page of one unit of x.
func (d *drawing) unit() vg.Length { return cell*vg.Length(d.size.Width) + 12 }

func (d *drawing) width() vg.Length {
	right := 0.0
	for _, row := range d.layers.rows {
		right = max(right, row[len(row)-1].x)
	}
	return sidebar + vg.Length(right+1.4)*d.unit() + edgeRoom
}

// at returns the middle of a vertex in a row.
func (d *drawing) at(v *vertex, row int) vg.Point {
	return vg.Point{
		X: sidebar + vg.Length(v.x+0.5)*d.unit(),
		Y: d.page.Max.Y - heading - d.pitch()*vg.Length(row) - d.board/2,
	}
}

// heading writes the summary and the legend.
func (d *drawing) heading(t *Tree) {
	y := d.page.Max.Y - 14
	d.page.FillText(textStyle(9, ink, draw.XLeft), vg.Point{X: 8, Y: y}, t.Summary())
	beside := "Beside a position: what the defender still scores under perfect play, and the plies that the game still lasts."
	if t.Rules.Chance() {
		beside = "Beside a position: what is still scored on average under perfect play."
	}
	y -= 14
	d.page.FillText(textStyle(7, ink, draw.XLeft), vg.Point{X: 8, Y: y}, beside+"\nPositions equal under rotation and reflection are drawn once.")
	y -= 20
	for _, entry := range t.legend() {
		d.page.StrokeLine2(entry.style, 8, y, 34, y)
		d.page.FillText(textStyle(7, ink, draw.XLeft), vg.Point{X: 40, Y: y}, entry.text)
		y -= 10
	}
}

// legendEntry is a line of the legend.
type legendEntry struct {
	style draw.LineStyle
	text  string
}

func (t *Tree) legend() []legendEntry {
	entries := []legendEntry{{bestEdge(picture.Blue, true), "perfect slide, thick where perfect play leads; +: what it scores"}}
	switch {
	case t.Rules.Chance():
		entries = append(entries, legendEntry{otherEdge(false), "other slide, or a 2 placed with this probability"},
			legendEntry{otherEdge(true), "a 4 placed with this probability"})
	case t.Rules.Fours():
		entries = append(entries, legendEntry{bestEdge(picture.Orange, true), "perfect placement"},
			legendEntry{otherEdge(false), "other move"}, legendEntry{otherEdge(true), "other placement of a 4"})
	default:
		entries = append(entries, legendEntry{bestEdge(picture.Orange, true), "perfect placement"},
			legendEntry{otherEdge(false), "other move"})
	}
	return append(entries, legendEntry{draw.LineStyle{Color: mated, Width: vg.Points(2)}, "framed: mated"})
}

// rowName writes the sum and the side to move, which all positions of a row share.
func (d *drawing) rowName(nodes []*Node, row int) {
	if len(nodes) == 0 {
		return
	}
	side := nodes[0].Position.SideToMove()
	name := fmt.Sprintf("sum %d\n%v", row+int(side), mover(nodes[0].Position))
	at := d.at(&vertex{}, row)
	d.page.FillText(textStyle(6, dim, draw.XLeft), vg.Point{X: 8, Y: at.Y}, name)
}

// mover names the side to move.
func mover(p rules.Position) string {
	if p.Rules().Chance() && p.SideToMove() == rules.Attacker {
		return "chance"
	}
	return p.SideToMove().String()
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
	d.page.StrokeLines(frame, []vg.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}, {X: left, Y: top}, {X: right, Y: top}})
	c := color.Color(dim)
	if n.OnLine {
		c = ink
	}
	d.page.FillText(textStyle(6, c, draw.XLeft), vg.Point{X: right + 2, Y: at.Y}, n.valueText())
}

// valueText returns the text beside a position.
func (n *Node) valueText() string {
	switch {
	case n.Mated():
		return "mate"
	case n.Position.Rules().Chance():
		return fmt.Sprintf("%.1f", n.Value.Gain)
	}
	return fmt.Sprintf("%.0f\n(%d)", n.Value.Gain, n.Value.Plies)
}

// tile draws one cell of a board. Larger tiles are darker; boards that perfect play
// does not reach are pale.
func (d *drawing) tile(value int, corner vg.Point, strong bool) {
	square := []vg.Point{corner, {X: corner.X + cell, Y: corner.Y}, {X: corner.X + cell, Y: corner.Y + cell}, {X: corner.X, Y: corner.Y + cell}}
	d.page.FillPolygon(tileColor(value, strong), square)
	d.page.StrokeLines(draw.LineStyle{Color: grid, Width: thin}, append(square, corner))
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
	d.page.FillText(textStyle(size, c, draw.XCenter), vg.Point{X: corner.X + cell/2, Y: corner.Y + cell/2}, fmt.Sprint(value))
}

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

// link draws an edge as a curve that is vertical where it leaves and enters a row.
func (d *drawing) link(k link) {
	from := k.path[0].node
	row := rowOf(from.Position)
	var points []vg.Point
	for i, v := range k.path {
		at := d.at(v, row+i)
		top, bottom := at, at
		top.Y, bottom.Y = at.Y+d.board/2, at.Y-d.board/2
		points = append(points, top, bottom)
	}
	points = points[1 : len(points)-1]
	var path vg.Path
	path.Move(points[0])
	for i := 1; i < len(points); i += 2 {
		a, b := points[i-1], points[i]
		middle := (a.Y + b.Y) / 2
		path.CubeTo(vg.Point{X: a.X, Y: middle}, vg.Point{X: b.X, Y: middle}, b)
		if i+1 < len(points) {
			path.Line(points[i+1])
		}
	}
	d.page.SetLineStyle(edgeStyle(from, k.edge))
	d.page.Stroke(path)
	d.edgeText(k.edge, points)
}

// edgeStyle shows which side chooses an edge, and which edges are best.
func edgeStyle(from *Node, e Edge) draw.LineStyle {
	side := from.Position.SideToMove()
	switch {
	case !e.Best:
		return otherEdge(e.fours())
	case side == rules.Defender:
		return bestEdge(picture.Blue, from.OnLine)
	}
	return bestEdge(picture.Orange, from.OnLine)
}

// bestEdge is thick on the line of perfect play.
func bestEdge(c color.Color, onLine bool) draw.LineStyle {
	if onLine {
		return draw.LineStyle{Color: c, Width: vg.Points(2)}
	}
	return draw.LineStyle{Color: c, Width: vg.Points(0.8)}
}

// otherEdge is dashed if a 4 is placed.
func otherEdge(four bool) draw.LineStyle {
	s := draw.LineStyle{Color: picture.Grey, Width: vg.Points(0.6)}
	if four {
		s.Dashes = []vg.Length{3, 2}
	}
	return s
}

func (e Edge) fours() bool { return e.Moves[0].IsFour() }

// edgeText writes the points of a slide, or the probability of a placement, beside an edge. A label for points
// is in the middle. A label for a probability is further along, where the node's edges have parted.
func (d *drawing) edgeText(e Edge, points []vg.Point) {
	label, along := "", 0.5
	switch {
	case e.Gain > 0:
		label = fmt.Sprintf("+%d", e.Gain)
	case e.Chance > 0:
		label, along = fmt.Sprintf("%.2g", e.Chance), 0.8
	default:
		return
	}
	at := between(points[0], points[1], along)
	style := textStyle(6, dim, draw.XCenter)
	d.page.FillPolygon(color.White, box(at, style.Width(label)+1, 6))
	d.page.FillText(style, at, label)
}

// between returns the point on the curve from a to b at t, which goes from 0 to 1.
func between(a, b vg.Point, t float64) vg.Point {
	far := vg.Length(t * t * (3 - 2*t))
	half := vg.Length(1.5*t*(1-t)*(1-t) + 1.5*t*t*(1-t) + t*t*t)
	return vg.Point{X: a.X + far*(b.X-a.X), Y: a.Y + half*(b.Y-a.Y)}
}

// box returns the corners of a rectangle around its middle.
func box(at vg.Point, width, height vg.Length) []vg.Point {
	return []vg.Point{
		{X: at.X - width/2, Y: at.Y - height/2},
		{X: at.X + width/2, Y: at.Y - height/2},
		{X: at.X + width/2, Y: at.Y + height/2},
		{X: at.X - width/2, Y: at.Y + height/2},
	}
}

func textStyle(size float64, c color.Color, align text.XAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, font.Length(size)),
		XAlign: align, YAlign: draw.YCenter, Handler: text.Plain{Fonts: font.DefaultCache},
	}
}
