package drawing

import (
	"bytes"
	"fmt"
	"image/color"
	"math/bits"
	"strconv"

	"versus2048/rules"
)

// The colours of drawn boards are the colours of the light pages; a test compares them with style.css.
var (
	boardColour = color.RGBA{0xcf, 0xc8, 0xbb, 0xff}
	cellColour  = color.RGBA{0xe0, 0xda, 0xce, 0xff}
	dark        = color.RGBA{0x2b, 0x2a, 0x27, 0xff}
	light       = color.RGBA{0xff, 0xff, 0xff, 0xff}

	attackerColour = color.RGBA{0xa9, 0x2b, 0x23, 0xff}
	defenderColour = color.RGBA{0x14, 0x58, 0x8f, 0xff}
)

// tileColour has the colours of a tile's ground and text.
type tileColour struct{ ground, text color.RGBA }

// tileColours are the colours of the tiles 2, 4, 8 and so on up to 65536.
var tileColours = []tileColour{
	{color.RGBA{0xe9, 0xe4, 0xda, 0xff}, dark},
	{color.RGBA{0xf1, 0xdf, 0xb4, 0xff}, dark},
	{color.RGBA{0xf7, 0xc8, 0x73, 0xff}, dark},
	{color.RGBA{0xf2, 0xa6, 0x5a, 0xff}, dark},
	{color.RGBA{0xee, 0x8a, 0x5b, 0xff}, dark},
	{color.RGBA{0xc8, 0x41, 0x3a, 0xff}, light},
	{color.RGBA{0xb0, 0x30, 0x6a, 0xff}, light},
	{color.RGBA{0x8e, 0x2d, 0x8c, 0xff}, light},
	{color.RGBA{0x67, 0x3a, 0xb0, 0xff}, light},
	{color.RGBA{0x40, 0x48, 0xb8, 0xff}, light},
	{color.RGBA{0x1f, 0x6f, 0xb5, 0xff}, light},
	{color.RGBA{0x0f, 0x76, 0x6e, 0xff}, light},
	{color.RGBA{0x1b, 0x7a, 0x3d, 0xff}, light},
	{color.RGBA{0x4d, 0x6b, 0x12, 0xff}, light},
	{color.RGBA{0x6b, 0x4f, 0x1d, 0xff}, light},
	{color.RGBA{0x3b, 0x3b, 0x44, 0xff}, light},
}

// The measures of drawn boards, in pixels.
const (
	cellPixels = 60
	gapPixels  = 6
	pitch      = cellPixels + gapPixels
)

// letterHeight is the size in pixels of the number on a tile of cellPixels: long numbers are smaller.
func letterHeight(tile int) int { return []int{0, 30, 28, 24, 20, 16}[len(strconv.Itoa(tile))] }

// SVG returns a position as a picture that scales.
func SVG(p rules.Position) []byte {
	var b bytes.Buffer
	size := p.Size()
	width, height := gapPixels+pitch*int(size.Width), gapPixels+pitch*int(size.Height)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img">`, width, height)
	fmt.Fprintf(&b, "\n<title>%v</title>\n", p)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", width, height, webColour(boardColour))
	for y, row := range p.Tiles() {
		for x, tile := range row {
			left, top, c := gapPixels+pitch*x, gapPixels+pitch*y, tileColour{cellColour, dark}
			if tile > 0 {
				c = tileColours[exponent(tile)-1]
			}
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%[3]d" rx="5" fill="%[4]s"/>`, left, top, cellPixels, webColour(c.ground))
			if tile > 0 {
				fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle" dominant-baseline="central" font-family="sans-serif" font-weight="700" font-size="%d" fill="%s">%d</text>`,
					left+cellPixels/2, top+cellPixels/2, letterHeight(tile), webColour(c.text), tile)
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func webColour(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// exponent returns e for the tile 2^e.
func exponent(tile int) int { return bits.Len(uint(tile)) - 1 }
