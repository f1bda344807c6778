package retrograde

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

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

// WritePicture draws the tree from top to bottom: a board for each position with its value beside it, and an edge for
// each move. The format is picture.SVG or picture.PNG. It returns w's error, and an error for an unknown format.
func (t *Tree) WritePicture(w io.Writer, format string) error {
	l := newLayers(t)
	l.order()
	l.place()
	d := drawing{layers: l, size: t.Size, board: cell * vg.Length(t.Size.Height)}
	height := heading + d.pitch()*vg.Length(len(t.Rows)) + edgeRoom
	return picture.WritePage(w, format, max(d.width(), summaryStyle.Width(t.Summary())+2*margin), height, func(page draw.Canvas) {
		d.page = page
		d.heading(t)
		for i := range l.rows {
			d.rowName(t.Rows[i], i)
		}
		d.links()
		d.nodes()
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

// margin is the room beside texts and the legend. The page is wide enough for the whole summary.
const margin = vg.Length(8)

var summaryStyle = textStyle(9, ink, draw.XLeft)

// heading writes the summary and the legend.
func (d *drawing) heading(t *Tree) {
	y := d.page.Max.Y - 14
	d.page.FillText(summaryStyle, vg.Point{X: margin, Y: y}, t.Summary())
	beside := "Beside a position: the score still to come under perfect play, and the plies until the end of the game."
	if t.Rules.Chance() {
		beside = "Beside a position: the mean score still to come under perfect play."
	}
	y -= 14
	d.page.FillText(textStyle(7, ink, draw.XLeft), vg.Point{X: margin, Y: y}, beside+"\nPositions equal under rotation and reflection are drawn once.")
	y -= 20
	for _, entry := range t.legend() {
		d.page.StrokeLine2(entry.style, margin, y, 34, y)
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
	entries := []legendEntry{{bestEdge(picture.Blue, true), "perfect slide, thick where perfect play leads; +: its points"}}
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
	d.page.FillText(textStyle(6, dim, draw.XLeft), vg.Point{X: margin, Y: at.Y}, name)
}

// mover names the side to move.
func mover(p rules.Position) string {
	if p.Rules().Chance() && p.SideToMove() == rules.Attacker {
		return "chance"
	}
	return p.SideToMove().String()
}

// placed is a part of the picture with its place.
type placed[T any] struct {
	part T
	at   vg.Point
}

// tile is a tile of a board. Tiles of boards that perfect play does not reach are pale.
type tile struct {
	value  int
	strong bool
}

// sortByLook sorts parts of the picture by their looks. A file is smaller if successive parts look alike.
func sortByLook[T any](parts []T, look func(T) any) {
	slices.SortStableFunc(parts, func(a, b T) int { return cmp.Compare(fmt.Sprint(look(a)), fmt.Sprint(look(b))) })
}

// nodes draws the boards of all positions, and their values to the right.
func (d *drawing) nodes() {
	var boards []placed[*Node]
	var tiles []placed[tile]
	for row, vertices := range d.layers.rows {
		for _, v := range vertices {
			if v.node != nil {
				boards = append(boards, placed[*Node]{v.node, d.at(v, row)})
				tiles = append(tiles, d.tiles(v.node, d.at(v, row))...)
			}
		}
	}
	sortByLook(boards, func(b placed[*Node]) any { return b.part.frame() })
	sortByLook(tiles, func(t placed[tile]) any { return t.part })
	width := cell * vg.Length(d.size.Width)
	for _, b := range boards {
		d.page.FillPolygon(color.White, box(b.at, width, d.board))
	}
	for _, t := range tiles {
		d.page.FillPolygon(t.part.color(), box(t.at, cell, cell))
	}
	for _, b := range boards {
		d.grid(b.at)
	}
	for _, t := range tiles {
		size := 7.0
		if t.part.value > 99 {
			size = 5
		}
		d.page.FillText(textStyle(size, inkOf(t.part.strong), draw.XCenter), t.at, fmt.Sprint(t.part.value))
	}
	for _, b := range boards {
		corners := box(b.at, width, d.board)
		d.page.StrokeLines(b.part.frame(), append(corners, corners[:2]...))
	}
	for _, b := range boards {
		d.page.FillText(textStyle(6, inkOf(b.part.OnLine), draw.XLeft), vg.Point{X: b.at.X + width/2 + 2, Y: b.at.Y}, b.part.valueText())
	}
}

// tiles returns the tiles of a board around its middle.
func (d *drawing) tiles(n *Node, at vg.Point) (tiles []placed[tile]) {
	left, top := at.X-cell*vg.Length(d.size.Width-1)/2, at.Y+(d.board-cell)/2
	for y, row := range n.Position.Tiles() {
		for x, value := range row {
			if value != 0 {
				tiles = append(tiles, placed[tile]{tile{value, n.OnLine}, vg.Point{X: left + cell*vg.Length(x), Y: top - cell*vg.Length(y)}})
			}
		}
	}
	return tiles
}

// grid draws the lines between the cells of a board.
func (d *drawing) grid(at vg.Point) {
	var lines vg.Path
	left, bottom := at.X-cell*vg.Length(d.size.Width)/2, at.Y-d.board/2
	for x := uint8(1); x < d.size.Width; x++ {
		lines.Move(vg.Point{X: left + cell*vg.Length(x), Y: bottom})
		lines.Line(vg.Point{X: left + cell*vg.Length(x), Y: bottom + d.board})
	}
	for y := uint8(1); y < d.size.Height; y++ {
		lines.Move(vg.Point{X: left, Y: bottom + cell*vg.Length(y)})
		lines.Line(vg.Point{X: left + cell*vg.Length(d.size.Width), Y: bottom + cell*vg.Length(y)})
	}
	d.page.SetLineStyle(draw.LineStyle{Color: grid, Width: thin})
	d.page.Stroke(lines)
}

// frame returns the style of the frame around a position's board.
func (n *Node) frame() draw.LineStyle {
	switch {
	case n.Mated():
		return draw.LineStyle{Color: mated, Width: vg.Points(2)}
	case n.OnLine:
		return draw.LineStyle{Color: ink, Width: vg.Points(1)}
	}
	return draw.LineStyle{Color: dim, Width: thin}
}

func inkOf(strong bool) color.Color {
	if strong {
		return ink
	}
	return dim
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

// color returns the colour of a tile, which is darker for larger tiles.
func (t tile) color() color.Color {
	depth := math.Log2(float64(t.value)) * 13
	if !t.strong {
		depth /= 3
	}
	return color.RGBA{R: 255, G: uint8(250 - depth), B: uint8(243 - 2*depth), A: 255}
}

// links draws all edges, the best ones on top of the others, and then their labels.
func (d *drawing) links() {
	sortByLook(d.layers.links, func(k link) any { return []any{k.edge.Best, edgeStyle(k.path[0].node, k.edge)} })
	var labels []placed[string]
	for _, k := range d.layers.links {
		points := d.course(k)
		d.stroke(k, points)
		if label, along := k.edge.label(); label != "" {
			labels = append(labels, placed[string]{label, between(points[0], points[1], along)})
		}
	}
	style := textStyle(6, dim, draw.XCenter)
	for _, l := range labels {
		d.page.FillPolygon(color.White, box(l.at, style.Width(l.part)+1, 6))
		d.page.FillText(style, l.at, l.part)
	}
}

// course returns the points where an edge leaves and enters the rows that it passes.
func (d *drawing) course(k link) (points []vg.Point) {
	row := rowOf(k.path[0].node.Position)
	for i, v := range k.path {
		at := d.at(v, row+i)
		top, bottom := at, at
		top.Y, bottom.Y = at.Y+d.board/2, at.Y-d.board/2
		points = append(points, top, bottom)
	}
	return points[1 : len(points)-1]
}

// stroke draws an edge as a curve that is vertical where it leaves and enters a row.
func (d *drawing) stroke(k link, points []vg.Point) {
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
	d.page.SetLineStyle(edgeStyle(k.path[0].node, k.edge))
	d.page.Stroke(path)
}

// edgeStyle returns the style of an edge, which shows the side that chooses it, and whether it is best.
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

// bestEdge returns the style of a best edge, which is thick on the line of perfect play.
func bestEdge(c color.Color, onLine bool) draw.LineStyle {
	if onLine {
		return draw.LineStyle{Color: c, Width: vg.Points(2)}
	}
	return draw.LineStyle{Color: c, Width: vg.Points(0.8)}
}

// otherEdge returns the style of any other edge, which is dashed if a 4 is placed.
func otherEdge(four bool) draw.LineStyle {
	s := draw.LineStyle{Color: picture.Grey, Width: vg.Points(0.6)}
	if four {
		s.Dashes = []vg.Length{3, 2}
	}
	return s
}

func (e Edge) fours() bool { return e.Moves[0].IsFour() }

// label returns the points of a slide, or the probability of a placement, and the label's place along the edge: points
// in the middle, a probability further along, where the node's edges have parted.
func (e Edge) label() (text string, along float64) {
	switch {
	case e.Gain > 0:
		return fmt.Sprintf("+%d", e.Gain), 0.5
	case e.Chance > 0:
		return fmt.Sprintf("%.2g", e.Chance), 0.8
	}
	return "", 0
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
