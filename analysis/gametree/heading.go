package gametree

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"versus2048/picture"
	"versus2048/rules"
)

// Summary is a sentence on what the tree holds and what the game is worth.
func (t *Tree) Summary() string {
	states, over := t.Count(rules.Defender)
	after, _ := t.Count(rules.Attacker)
	text := fmt.Sprintf("%v under %v: %d positions before a slide, %d of them mated, and %d before a placement; value %.4g",
		t.Size, t.Rules, states, over, after, t.Start().Value.Gain)
	if !t.Rules.Chance() {
		text += fmt.Sprintf(" in %d plies", t.Start().Value.Plies)
	}
	return text
}

// heading writes the summary, and what the lines mean.
func (d *drawing) heading(t *Tree) {
	y := d.Max.Y - 14
	d.FillText(textStyle(9, ink, draw.XLeft), vg.Point{X: 8, Y: y}, t.Summary())
	beside := "Beside a position: what the defender still scores under perfect play, and the plies that the game still lasts."
	if t.Rules.Chance() {
		beside = "Beside a position: what is still scored on average under perfect play."
	}
	y -= 14
	d.FillText(textStyle(7, ink, draw.XLeft), vg.Point{X: 8, Y: y}, beside+"\nPositions equal under rotation and reflection are drawn once.")
	y -= 20
	for _, entry := range t.entries() {
		d.StrokeLine2(entry.LineStyle, 8, y, 34, y)
		d.FillText(textStyle(7, ink, draw.XLeft), vg.Point{X: 40, Y: y}, entry.text)
		y -= 10
	}
}

// entry is a line of the legend.
type entry struct {
	draw.LineStyle
	text string
}

func (t *Tree) entries() []entry {
	entries := []entry{{bestEdge(picture.Blue, true), "perfect slide, thick where perfect play leads; +: what it scores"}}
	switch {
	case t.Rules.Chance():
		entries = append(entries, entry{otherEdge(false), "other slide, or a 2 placed with this probability"},
			entry{otherEdge(true), "a 4 placed with this probability"})
	case t.Rules.Fours():
		entries = append(entries, entry{bestEdge(picture.Orange, true), "perfect placement"},
			entry{otherEdge(false), "other move"}, entry{otherEdge(true), "other placement of a 4"})
	default:
		entries = append(entries, entry{bestEdge(picture.Orange, true), "perfect placement"}, entry{otherEdge(false), "other move"})
	}
	return append(entries, entry{draw.LineStyle{Color: mated, Width: vg.Points(2)}, "framed: mated"})
}
