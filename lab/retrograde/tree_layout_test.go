package retrograde

import (
	"bytes"
	"slices"
	"testing"

	"versus2048/lab/picture"
	"versus2048/rules"
)

// arranged returns the layers of a tree as they are drawn.
func arranged(t *testing.T, r rules.Ruleset) *layers {
	l := newLayers(newTree(t, r))
	l.order()
	l.place()
	return l
}

// No two vertices of a row are too close, and each is in its row once.
func TestPlaceKeepsDistances(t *testing.T) {
	for _, r := range rules.Rulesets() {
		l, seen := arranged(t, r), map[*vertex]bool{}
		for _, row := range l.rows {
			for i, v := range row {
				if i > 0 && v.x-row[i-1].x < minDistance(row[i-1], v)-1e-9 {
					t.Errorf("%v: %v and %v are %.2f apart", r, row[i-1].node, v.node, v.x-row[i-1].x)
				}
				seen[v] = true
			}
		}
		if unordered := newLayers(newTree(t, r)); len(seen) != len(slices.Concat(unordered.rows...)) {
			t.Errorf("%v: %d vertices, want %d", r, len(seen), len(slices.Concat(unordered.rows...)))
		}
	}
}

// Every edge passes each row between its ends.
func TestLinksPassEveryRow(t *testing.T) {
	l := arranged(t, rules.GPCC2016)
	for _, k := range l.links {
		row := rowOf(k.path[0].node.Position)
		for i, v := range k.path {
			if !slices.Contains(l.rows[row+i], v) {
				t.Errorf("the edge to %v misses row %d", k.edge.To.Position, row+i)
			}
		}
		if end := k.path[len(k.path)-1].node; end != k.edge.To {
			t.Errorf("the edge to %v ends in %v", k.edge.To.Position, end)
		}
	}
}

func TestOrderCrossesLess(t *testing.T) {
	for _, r := range rules.Rulesets() {
		l := newLayers(newTree(t, r))
		l.number()
		before := l.crossings()
		if l.order(); l.crossings() >= before {
			t.Errorf("%v: %d crossings, %d before", r, l.crossings(), before)
		}
	}
}

// The edge from a to d crosses the edge from b to c.
func TestCrossings(t *testing.T) {
	a, b := &vertex{x: 0}, &vertex{x: 1}
	c, d := &vertex{x: 0}, &vertex{x: 1}
	a.down, b.down = []*vertex{c, d}, []*vertex{c}
	l := layers{rows: [][]*vertex{{a, b}, {c, d}}}
	if n := l.crossings(); n != 1 {
		t.Errorf("%d crossings, want 1", n)
	}
}

func TestSettle(t *testing.T) {
	above := func(x float64) []*vertex { return []*vertex{{x: x / pull}} }
	row := []*vertex{{up: above(0)}, {up: above(0)}, {up: above(5)}}
	settle(row)
	want := []float64{-aroundPass, aroundPass, 5} // the first two want the same x
	for i, v := range row {
		if d := v.x - want[i]; d > 1e-9 || d < -1e-9 {
			t.Errorf("vertex %d is at %v, want %v", i, v.x, want[i])
		}
	}
}

func TestPicture(t *testing.T) {
	var svg, png bytes.Buffer
	tree := newTree(t, rules.Solo)
	if err := tree.WritePicture(&svg, picture.SVG); err != nil {
		t.Fatal(err)
	}
	positions, mates := tree.Count(rules.Defender)
	if n := bytes.Count(svg.Bytes(), []byte(">mate<")); n != mates || mates != 36 {
		t.Errorf("%d of %d positions are marked mated, want %d", n, positions, mates)
	}
	for _, text := range []string{"sum 28", ">chance<", "+16", "0.45", "66.96"} {
		if !bytes.Contains(svg.Bytes(), []byte(text)) {
			t.Errorf("no %q in the picture", text)
		}
	}
	if err := tree.WritePicture(&png, picture.PNG); err != nil || !bytes.HasPrefix(png.Bytes(), []byte("\x89PNG")) {
		t.Errorf("no PNG: %v", err)
	}
	if err := tree.WritePicture(&png, "bmp"); err == nil {
		t.Error("an unknown format is accepted")
	}
}
