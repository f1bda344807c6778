package gametree

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
	"versus2048/rules"
)

// Where things are on the page.
const (
	cell     = vg.Length(13) // of a board
	pitch    = 2.4           // from row to row, in heights of a board
	heading  = vg.Length(92)
	sidebar  = vg.Length(64) // for the rows' names
	edgeRoom = vg.Length(20)
)

// WritePicture draws the tree from top to bottom: a board for each position with
// what it is worth beside it, an edge for each move. The format is picture.SVG
// or picture.PNG. It returns w's error, or one for an unknown format.
func (t *Tree) WritePicture(w io.Writer, format string) error {
	l := newLayers(t)
	l.order()
	l.place()
	d := drawing{layers: l, size: t.Size, board: cell * vg.Length(t.Size.Height)}
	height := heading + d.pitch()*vg.Length(len(t.Rows)) + edgeRoom
	return picture.WritePage(w, format, max(d.width(), vg.Points(430)), height, func(page draw.Canvas) {
		d.Canvas = page
		d.heading(t)
		for i := range l.rows {
			d.rowName(t.Rows[i], i)
		}
		for _, wanted := range []bool{false, true} { // what is best lies above the others
			for _, k := range l.links {
				if k.Best == wanted {
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
	draw.Canvas
	layers *layers
	size   rules.Size
	board  vg.Length // height of one
}

func (d *drawing) pitch() vg.Length { return pitch * d.board }

// unit is how much of the page one step of x is.
func (d *drawing) unit() vg.Length { return cell*vg.Length(d.size.Width) + 12 }

func (d *drawing) width() vg.Length {
	right := 0.0
	for _, row := range d.layers.rows {
		right = max(right, row[len(row)-1].x)
	}
	return sidebar + vg.Length(right+1.4)*d.unit() + edgeRoom
}

// at is the middle of a vertex in a row.
func (d *drawing) at(v *vertex, row int) vg.Point {
	return vg.Point{
		X: sidebar + vg.Length(v.x+0.5)*d.unit(),
		Y: d.Max.Y - heading - d.pitch()*vg.Length(row) - d.board/2,
	}
}

// rowName writes what the positions of a row have in common.
func (d *drawing) rowName(nodes []*Node, row int) {
	if len(nodes) == 0 {
		return
	}
	side := nodes[0].Position.SideToMove()
	text := fmt.Sprintf("sum %d\n%v", row+int(side), mover(nodes[0].Position))
	at := d.at(&vertex{}, row)
	d.FillText(textStyle(6, dim, draw.XLeft), vg.Point{X: 8, Y: at.Y}, text)
}

// mover names who is to move.
func mover(p rules.Position) string {
	if p.Rules().Chance() && p.SideToMove() == rules.Attacker {
		return "chance"
	}
	return p.SideToMove().String()
}
