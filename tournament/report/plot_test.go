package report

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"reflect"
	"strings"
	"testing"
)

// A dash or a gap that a corner divides goes on behind it.
func TestDashesGoOnBehindCorners(t *testing.T) {
	line := []point{{0, 0}, {8, 0}, {8, 0}, {8, 5}}
	want := [][2]point{{{0, 0}, {6, 0}}, {{8, 1}, {8, 5}}}
	if got := dashesOf(line, []float64{6, 3}); !reflect.DeepEqual(got, want) {
		t.Errorf("dashes %v, want %v", got, want)
	}
	if got := dashesOf(line, nil); len(got) != 2 {
		t.Errorf("a whole line in the pieces %v", got)
	}
}

// drawnInterval returns the picture of a rating's interval on an axis from 0 to 10.
func drawnInterval(t *testing.T, i Interval) string {
	t.Helper()
	c := newSVG(100, 100)
	p := plot{x: axis{high: 10}, y: axis{high: 1}}
	drawInterval(c, frame{0, 0, 100, 100}.scale(p), i, 0.5, p.x)
	var b bytes.Buffer
	if err := c.encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An end without a limit, or beyond the axis, is an arrow at the axis's end; another one is a stroke.
func TestOpenEndsAreArrows(t *testing.T) {
	value, none := func(v float64) Figure { return Figure{Value: v} }, Figure{Needs: unlimited}
	closed := drawnInterval(t, Interval{value(5), value(0), value(10)})
	open := drawnInterval(t, Interval{value(5), none, value(10)})
	if !strings.Contains(closed, `"0,46 0,50 0,54"`) || !strings.Contains(open, `"6,46 0,50 6,54"`) {
		t.Errorf("closed:\n%s\nopen at the left:\n%s", closed, open)
	}
	if beyond := drawnInterval(t, Interval{value(5), value(-3), value(10)}); beyond != open {
		t.Errorf("an interval that ends beyond the axis does not look open:\n%s", beyond)
	}
	both := drawnInterval(t, Interval{none, none, none})
	if !strings.Contains(both, `"94,46 100,50 94,54"`) || !strings.Contains(both, `cx="50"`) || strings.Contains(both, "NaN") || strings.Contains(both, "Inf") {
		t.Errorf("an interval without ends:\n%s", both)
	}
}

// The first bots' lines differ by colour, those of further bots also by dashes.
func TestLinesDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 15 {
		c := newSVG(9, 9)
		c.line(lineOf(i), point{0, 0}, point{9, 9})
		if other, found := seen[c.elements.String()]; found {
			t.Errorf("the lines %d and %d look the same", other, i)
		}
		seen[c.elements.String()] = i
		if dashed := strings.Contains(c.elements.String(), "dasharray"); dashed != (i >= 5) {
			t.Errorf("line %d dashed: %v", i, dashed)
		}
	}
}

// A PNG has the colours of what was drawn where it was drawn, also at its edge.
func TestPNGHasWhatIsDrawn(t *testing.T) {
	c, err := newPNG(90, 90)
	if err != nil {
		t.Fatal(err)
	}
	c.rectangle(sky, point{30, 60}, point{60, 75})
	c.dot(orange, 6, point{15, 15})
	c.line(stroke{blue, 3, []float64{30, 15}}, point{0, 45}, point{100, 45})
	c.text("MMM", labelSize, atRight, point{89, 15})
	var b bytes.Buffer
	if err := c.encode(&b); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	white := color.RGBA{255, 255, 255, 255}
	for at, want := range map[point]color.RGBA{
		{45, 68}: sky, {45, 80}: white, {15, 15}: orange, {15, 30}: white, {5, 45}: blue, {37, 45}: white, {88, 45}: white, {60, 45}: blue,
	} {
		if got := picture.At(pixel(at.x), pixel(at.y)); got != want {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
	darkest := uint32(math.MaxUint32)
	for x := pixel(60); x < pixel(90); x++ {
		r, _, _, _ := picture.At(x, pixel(12)).RGBA()
		darkest = min(darkest, r>>8)
	}
	if darkest > 60 {
		t.Errorf("no letters: the darkest pixel is %d", darkest)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := newCanvas("gif", 9, 9); err == nil || !strings.Contains(err.Error(), `"gif": want svg or png`) {
		t.Errorf("error %v", err)
	}
}
