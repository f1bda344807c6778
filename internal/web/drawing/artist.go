package drawing

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// shades is the number of colours from a ground to the text on it, both included, so that the edges of letters are
// smooth.
const shades = 8

// The places of colours in the palette of animations: the board and an empty cell, then the shades of each tile, and of
// the texts above the board.
const (
	boardShade = iota
	cellShade
	tileShade
)

// Artist draws positions into animations and onto cards. Its methods may be called from several goroutines.
type Artist struct {
	palette  color.Palette
	letters  *opentype.Font
	inkShade map[color.RGBA]int // the first shade of each text above the board
}

// NewArtist returns an artist with the colours and the letters of all pictures. It returns an error if the font cannot
// be read.
func NewArtist() (*Artist, error) {
	a := &Artist{palette: color.Palette{boardColour, cellColour}, inkShade: map[color.RGBA]int{}}
	for _, c := range tileColours {
		a.mix(c.ground, c.text)
	}
	for _, ink := range []color.RGBA{cardInk, attackerColour, defenderColour} {
		a.inkShade[ink] = len(a.palette)
		a.mix(cardGround, ink)
	}
	var err error
	if a.letters, err = opentype.Parse(gobold.TTF); err != nil {
		return nil, fmt.Errorf("the font of drawn boards: %w", err)
	}
	return a, nil
}

// mix adds the shades from one colour to another to the palette.
func (a *Artist) mix(from, to color.RGBA) {
	for i := range shades {
		a.palette = append(a.palette, between(from, to, i))
	}
}

// between returns shade i on the way from one colour to another.
func between(from, to color.RGBA, i int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(shades-1-i) + int(b)*i) / (shades - 1)) } // #nosec G115 -- between a and b
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xff}
}

// pen returns a pen for letters of a size in pixels.
func (a *Artist) pen(on draw.Image, size float64, ink color.RGBA) (*font.Drawer, error) {
	face, err := opentype.NewFace(a.letters, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("the font of drawn boards: %w", err)
	}
	return &font.Drawer{Dst: on, Src: image.NewUniform(ink), Face: face}, nil
}

// fitting returns a text that fits into a width in pixels: an ellipsis replaces the end of a text that is too long.
func fitting(pen *font.Drawer, text string, width int) string {
	if pen.MeasureString(text).Ceil() <= width {
		return text
	}
	letters := []rune(text)
	for len(letters) > 0 && pen.MeasureString(string(letters)+"…").Ceil() > width {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}

// The places of a text in its area.
const (
	atLeft = iota
	inMiddle
	atRight
)

// write fills an area of an animation with a text on its ground. shade is the place of the text's first shade in the
// palette; place is atLeft, inMiddle or atRight. write returns the width of the text in pixels.
func (a *Artist) write(on *image.Paletted, area image.Rectangle, shade, place int, size float64, text string) (int, error) {
	mask := image.NewAlpha(area)
	pen, err := a.pen(mask, size, color.RGBA{A: 0xff})
	if err != nil {
		return 0, err
	}
	text = fitting(pen, text, area.Dx())
	width := pen.MeasureString(text)
	pen.Dot = fixed.Point26_6{
		X: fixed.I(area.Min.X) + (fixed.I(area.Dx())-width)*fixed.Int26_6(place)/2,
		Y: (fixed.I(area.Min.Y+area.Max.Y) + pen.Face.Metrics().CapHeight) / 2,
	}
	pen.DrawString(text)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			on.Pix[on.PixOffset(x, y)] = uint8(shade + int(mask.AlphaAt(x, y).A)*(shades-1)/255) // #nosec G115 -- an index of the palette, which has 154 colours
		}
	}
	return width.Ceil(), nil
}

func fill(p *image.Paletted, area image.Rectangle, index uint8) {
	draw.Draw(p, area, image.NewUniform(p.Palette[index]), image.Point{}, draw.Src)
}
