package gametree

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
	"versus2048/rules"
)

// link draws an edge as a curve that leaves and enters its rows upright.
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
	d.SetLineStyle(edgeStyle(from, k.Edge))
	d.Stroke(path)
	d.edgeText(k, points)
}

// edgeStyle shows whose choice an edge is, and which are best.
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

// bestEdge is thick where perfect play leads.
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

// edgeText writes on an edge's first stretch what a slide scores, or how likely a
// placement is: the latter where its edges have parted.
func (d *drawing) edgeText(k link, points []vg.Point) {
	text, along := "", 0.5
	switch {
	case k.Gain > 0:
		text = fmt.Sprintf("+%d", k.Gain)
	case k.Chance > 0:
		text, along = fmt.Sprintf("%.2g", k.Chance), 0.8
	default:
		return
	}
	at := between(points[0], points[1], along)
	style := textStyle(6, dim, draw.XCenter)
	d.FillPolygon(color.White, box(at, style.Width(text)+1, 6))
	d.FillText(style, at, text)
}

// between is a point on the curve from a to b, t of 0 to 1 along it.
func between(a, b vg.Point, t float64) vg.Point {
	far := vg.Length(t * t * (3 - 2*t))
	half := vg.Length(1.5*t*(1-t)*(1-t) + 1.5*t*t*(1-t) + t*t*t)
	return vg.Point{X: a.X + far*(b.X-a.X), Y: a.Y + half*(b.Y-a.Y)}
}

// box is a rectangle around a middle.
func box(at vg.Point, width, height vg.Length) []vg.Point {
	return []vg.Point{
		{X: at.X - width/2, Y: at.Y - height/2},
		{X: at.X + width/2, Y: at.Y - height/2},
		{X: at.X + width/2, Y: at.Y + height/2},
		{X: at.X - width/2, Y: at.Y + height/2},
	}
}
