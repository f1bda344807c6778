package web

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
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
	css, err := os.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range tileColours {
		rule := fmt.Sprintf(".t%d { background: %s; color: %s; }", 2<<i, webColour(c.ground), webColour(c.text))
		if !strings.Contains(string(css), rule) {
			t.Errorf("style.css does not have %q", rule)
		}
	}
	for name, c := range map[string]string{"board": webColour(boardColour), "cell": webColour(cellColour)} {
		if !strings.Contains(string(css), "--"+name+": "+c) {
			t.Errorf("style.css does not have %s for the %s", c, name)
		}
	}
}

func TestSVG(t *testing.T) {
	svg := string(writeSVG(full(t)))
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

// Whoever plays the frames of an animation over each other sees each position.
func TestGIF(t *testing.T) {
	a, err := newArtist()
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
	film, err := a.writeGIF(positions)
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

// How a game ended is said with the name of whose fault it was.
func TestEndingText(t *testing.T) {
	start := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, e := range record.Endings() {
		r := record.Record{Attacker: "ann", Defender: "bob", Start: start, Moves: []rules.Move{rules.Place(0, false)}, Ending: e}
		text := endingText(&r)
		if named := strings.HasPrefix(text, "bob, the defender, "); named != (e.Fault() || e == record.Resigned) {
			t.Errorf("%s: %q", e, text)
		}
		if e != record.Unfinished && text == string(e) {
			t.Errorf("%s has no words", e)
		}
	}
}

// A pause is told at the ply of its move; one of a move that was never made after the last ply.
func TestPauseText(t *testing.T) {
	r := record.Record{Moves: make([]rules.Move, 3), Pauses: []record.Pause{{Ply: 1, Away: 1500 * time.Millisecond}, {Ply: 3, Stall: time.Second, Away: time.Minute}}}
	for ply, want := range []string{
		"", "", "The clock stood still for 1.5s because the bot was disconnected.",
		"The clock stood still for 1m0s because the bot was disconnected, and for 1s because the arena itself stood still.",
	} {
		if got := pauseText(&r, ply); got != want {
			t.Errorf("ply %d: %q, want %q", ply, got, want)
		}
	}
}

// The turns around a ply are numbered from the first of the game, whichever side begins.
func TestTurnsAround(t *testing.T) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 0}, {0, 0}}, side, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{Start: start, Moves: make([]rules.Move, 1001)}
		for ply := range len(r.Moves) + 1 {
			first, turns := turnsAround(&r, ply)
			listed := map[int]int{}
			for i, turn := range turns {
				for _, link := range turn.Plies {
					listed[link.Ply] = first + i
				}
			}
			want := record.Turns(start, ply)
			if ply > 0 && listed[ply] != want || len(turns) > shownTurns {
				t.Fatalf("%v begins, ply %d is listed in turn %d, want %d", side, ply, listed[ply], want)
			}
		}
	}
}
