package report

import (
	"fmt"
	"image/color"
	"io"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"versus2048/internal/text/terminal"
)

// The formats of charts, which are also their file name extensions.
const (
	SVG = "svg"
	PNG = "png"
)

// The colours of lines are from Okabe and Ito's palette, which colour-blind readers can distinguish, too.
var (
	blue   = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	orange = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	green  = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	purple = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	sky    = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	black  = color.RGBA{R: 40, G: 40, B: 40, A: 255}
	grey   = color.RGBA{R: 220, G: 220, B: 220, A: 255}
)

// canvas is a white picture to draw on. Lengths are in typographic points. Coordinates count from the top left corner.
type canvas interface {
	line(s stroke, points ...point)
	rectangle(fill color.RGBA, corner, opposite point)
	dot(fill color.RGBA, radius float64, centre point)
	text(line string, size float64, side alignment, at point)
	encode(w io.Writer) error
}

type point struct{ x, y float64 }

// stroke is the look of a line. dashes are two lengths: of a dash, and of the gap after it. With nil the line is solid.
type stroke struct {
	colour color.RGBA
	width  float64
	dashes []float64
}

// alignment is the part of a text's base line that lies at the point given for the text: its left end, its middle or
// its right end.
type alignment int

const (
	atLeft alignment = iota
	atMiddle
	atRight
)

func newCanvas(format string, width, height float64) (canvas, error) {
	switch format {
	case SVG:
		return newSVG(width, height), nil
	case PNG:
		return newPNG(width, height)
	}
	return nil, fmt.Errorf("a chart in the format %q: want %s or %s", format, SVG, PNG)
}

// The sizes of letters. Titles are larger.
const (
	labelSize = 10.0
	titleSize = 12.0
)

// newFace returns the letters of charts. The widths of letters are in the unit of size: points, or pixels for a PNG.
func newFace(size float64) (font.Face, error) {
	letters, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("the font of charts: %w", err)
	}
	return opentype.NewFace(letters, &opentype.FaceOptions{Size: size, DPI: 72})
}

// labelWidth returns the width of a label. The face lacks wide letters, such as Chinese ones. An SVG takes them from
// another font, so labelWidth counts labelSize for each of them.
func labelWidth(face font.Face, label string) (width float64) {
	for _, letter := range label {
		if isWide(letter) {
			width += labelSize
		} else if advance, ok := face.GlyphAdvance(letter); ok {
			width += float64(advance) / 64
		}
	}
	return width
}

// isWide reports whether a letter is as wide as high, such as a Chinese one.
func isWide(letter rune) bool { return letter >= utf8.RuneSelf && terminal.Width(string(letter)) == 2 }
