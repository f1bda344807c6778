package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"regexp"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// full is a position with tiles of every length.
func full(t *testing.T) rules.Position {
	t.Helper()
	p, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 4, 8, 16}, {32, 64, 128, 256}, {512, 1024, 2048, 4096}, {8192, 16384, 2, 0}}, rules.Attacker, 393220, 62)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Drawn boards have the colours of the pages.
func TestDrawnColours(t *testing.T) {
	css := testkit.ReadDocument(t, "../static/style.css")
	for i, c := range tileColours {
		rule := fmt.Sprintf(".t%d { background: %s; color: %s; }", 2<<i, webColour(c.ground), webColour(c.text))
		if !strings.Contains(css, rule) {
			t.Errorf("style.css does not have %q", rule)
		}
	}
	for name, c := range map[string]string{"board": webColour(boardColour), "cell": webColour(cellColour)} {
		if !strings.Contains(css, "--"+name+": "+c) {
			t.Errorf("style.css does not have %s for the %s", c, name)
		}
	}
}

func TestSVG(t *testing.T) {
	svg := string(SVG(full(t)))
	for _, row := range full(t).Tiles() {
		for _, tile := range row {
			if tile > 0 && !strings.Contains(svg, fmt.Sprintf(">%d</text>", tile)) {
				t.Errorf("the picture has no %d", tile)
			}
		}
	}
	if n := len(regexp.MustCompile("<rect").FindAllString(svg, -1)); n != 17 {
		t.Errorf("%d rectangles, want the board and 16 cells", n)
	}
}

// The frames of an animation, drawn over each other, show each position.
func TestGIF(t *testing.T) {
	a, err := NewArtist()
	if err != nil {
		t.Fatal(err)
	}
	p := full(t)
	positions := []rules.Position{p}
	for _, text := range []string{"(4,4)", "E"} {
		m, err := rules.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Play(m); err != nil {
			t.Fatal(err)
		}
		positions = append(positions, p)
	}
	film, err := a.GIF(positions)
	if err != nil {
		t.Fatal(err)
	}
	read, err := gif.DecodeAll(bytes.NewReader(film))
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewPaletted(read.Image[0].Rect, a.palette)
	for i, frame := range read.Image {
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				canvas.SetColorIndex(x, y, frame.ColorIndexAt(x, y))
			}
		}
		want := a.frame(positions[i], image.Point{}, image.Pt(4, 4))
		if !bytes.Equal(canvas.Pix, want.Pix) {
			t.Errorf("frame %d does not lead to its position", i)
		}
	}
}
