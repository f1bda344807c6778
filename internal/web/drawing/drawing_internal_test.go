package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
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
	for name, c := range map[string]string{"board": webColour(boardColour), "cell": webColour(cellColour), "attacker": webColour(attackerColour), "defender": webColour(defenderColour)} {
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
	film, err := a.GIF(Film{"ann", strings.Repeat("bob", 30), positions, UsualFilm})
	if err != nil {
		t.Fatal(err)
	}
	read, err := gif.DecodeAll(bytes.NewReader(film))
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewPaletted(read.Image[0].Rect, a.palette)
	if len(read.Image) != 2*len(positions)-1 || canvas.Rect.Dx() > UsualFilm || canvas.Rect.Dx() < UsualFilm-8 {
		t.Fatalf("%d frames of %v", len(read.Image), canvas.Rect)
	}
	for i, frame := range read.Image {
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				canvas.SetColorIndex(x, y, frame.ColorIndexAt(x, y))
			}
		}
		if i%2 == 0 && !bytes.Equal(canvas.Pix, firstFrame(t, a, read.Image[0], positions[i/2]).Pix) {
			t.Errorf("frame %d does not lead to its position", i)
		}
	}
}

// firstFrame returns the picture of a position in an animation, with the names of another one.
func firstFrame(t *testing.T, a *Artist, named *image.Paletted, p rules.Position) *image.Paletted {
	t.Helper()
	r, err := a.newReel(Film{"ann", "bob", []rules.Position{p}, UsualFilm})
	if err == nil {
		err = r.begin(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	picture := r.Image[0]
	for y := range 2 * r.line {
		for x := range r.numbers.Min.X {
			picture.SetColorIndex(x, y, named.ColorIndexAt(x, y))
		}
	}
	return picture
}

// An animation has the names of both sides, the score and the ply, at any width; other widths are refused.
func TestFilm(t *testing.T) {
	a, err := NewArtist()
	if err != nil {
		t.Fatal(err)
	}
	p := full(t)
	for _, size := range []int{LeastFilm, UsualFilm, MostFilm} {
		var films [][]byte
		for _, f := range []Film{{"ann", "bob", []rules.Position{p}, size}, {"ann", "cyd", []rules.Position{p}, size}} {
			film, err := a.GIF(f)
			if err != nil {
				t.Fatal(err)
			}
			films = append(films, film)
		}
		if bytes.Equal(films[0], films[1]) {
			t.Errorf("at %d pixels a name does not matter", size)
		}
	}
	for _, wrong := range []Film{{Positions: []rules.Position{p}, Width: LeastFilm - 1}, {Positions: []rules.Position{p}, Width: MostFilm + 1}, {Width: UsualFilm}} {
		if _, err := a.GIF(wrong); err == nil {
			t.Errorf("%+v is drawn", wrong)
		}
	}
}

// A card has the size that other sites expect, its board, and its text, which is cut where it is too long.
func TestCard(t *testing.T) {
	a, err := NewArtist()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := a.Card(full(t))
	if err != nil {
		t.Fatal(err)
	}
	written, err := a.Card(full(t), "ann", strings.Repeat("long ", 40))
	if err != nil {
		t.Fatal(err)
	}
	for _, card := range [][]byte{plain, written} {
		picture, err := png.Decode(bytes.NewReader(card))
		if err != nil || picture.Bounds().Size() != image.Pt(1200, 630) || len(card) > 100_000 {
			t.Fatalf("a card of %d bytes, %v (%v)", len(card), picture.Bounds(), err)
		}
		for x := range cardMargin {
			if c := color.RGBAModel.Convert(picture.At(1199-x, 300)); c != cardGround {
				t.Fatalf("the right margin has the colour %v", c)
			}
		}
		seen := map[color.Color]bool{}
		for x := range 600 {
			for y := range 630 {
				seen[color.RGBAModel.Convert(picture.At(x, y))] = true
			}
		}
		for i, c := range tileColours[:14] {
			if !seen[c.ground] {
				t.Errorf("the card has no tile %d", 2<<i)
			}
		}
	}
	if bytes.Equal(plain, written) {
		t.Error("the card has no text")
	}
}
