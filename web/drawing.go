package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math/bits"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"versus2048/rules"
)

// The colours of drawn boards are those of the light pages; a test compares them with style.css.
var (
	boardColour = color.RGBA{0xcf, 0xc8, 0xbb, 0xff}
	cellColour  = color.RGBA{0xe0, 0xda, 0xce, 0xff}
	dark        = color.RGBA{0x2b, 0x2a, 0x27, 0xff}
	light       = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// tileColour is the ground and the text of a tile.
type tileColour struct{ ground, text color.RGBA }

// tileColours are those of the tiles 2, 4, 8 and so on up to 131072.
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
	{color.RGBA{0x10, 0x10, 0x14, 0xff}, color.RGBA{0xff, 0xd8, 0x66, 0xff}},
}

// The measures of drawn boards, in pixels.
const (
	cellPixels = 60
	gapPixels  = 6
	pitch      = cellPixels + gapPixels
)

// letterHeight is the size of the number on a tile: long numbers are smaller.
func letterHeight(tile int) int { return []int{0, 30, 28, 24, 20, 16, 14}[len(strconv.Itoa(tile))] }

// writeSVG returns a position as a picture that scales.
func writeSVG(p rules.Position) []byte {
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

// shades is how many colours a tile has, from its ground to its text, so that its number is smooth.
const shades = 8

// artist draws positions into pictures of one palette: first the board and an empty cell, then the
// shades of each tile.
type artist struct {
	palette color.Palette
	cells   []*image.Paletted // by exponent; 0 is the empty cell
}

func newArtist() (*artist, error) {
	a := &artist{palette: color.Palette{boardColour, cellColour}}
	for _, c := range tileColours {
		for i := range shades {
			a.palette = append(a.palette, between(c.ground, c.text, i))
		}
	}
	letters, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("the font of drawn boards: %w", err)
	}
	empty := image.NewPaletted(image.Rect(0, 0, cellPixels, cellPixels), a.palette)
	fill(empty, empty.Rect, 1)
	a.cells = append(a.cells, empty)
	for e := range tileColours {
		cell, err := a.newCell(letters, 2<<e)
		if err != nil {
			return nil, err
		}
		a.cells = append(a.cells, cell)
	}
	return a, nil
}

// between returns shade i of the way from one colour to another.
func between(from, to color.RGBA, i int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(shades-1-i) + int(b)*i) / (shades - 1)) } // #nosec G115 -- between a and b
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xff}
}

// newCell draws a tile.
func (a *artist) newCell(letters *opentype.Font, tile int) (*image.Paletted, error) {
	face, err := opentype.NewFace(letters, &opentype.FaceOptions{Size: float64(letterHeight(tile)), DPI: 72})
	if err != nil {
		return nil, fmt.Errorf("the font of drawn boards: %w", err)
	}
	mask := image.NewAlpha(image.Rect(0, 0, cellPixels, cellPixels))
	text := strconv.Itoa(tile)
	pen := font.Drawer{Dst: mask, Src: image.Opaque, Face: face}
	pen.Dot = fixed.Point26_6{
		X: (fixed.I(cellPixels) - pen.MeasureString(text)) / 2,
		Y: (fixed.I(cellPixels) + face.Metrics().CapHeight) / 2,
	}
	pen.DrawString(text)
	cell := image.NewPaletted(mask.Rect, a.palette)
	ground := 2 + shades*(exponent(tile)-1)
	for i, alpha := range mask.Pix {
		cell.Pix[i] = uint8(ground + int(alpha)*(shades-1)/255) // #nosec G115 -- an index of the palette, which has 138 colours
	}
	return cell, nil
}

func fill(p *image.Paletted, area image.Rectangle, index uint8) {
	draw.Draw(p, area, image.NewUniform(p.Palette[index]), image.Point{}, draw.Src)
}

// The delays of an animation, in hundredths of a second.
const (
	plyDelay  = 30
	lastDelay = 300
)

// writeGIF returns an animation of positions of one game. A frame has only the cells that changed.
func (a *artist) writeGIF(positions []rules.Position) ([]byte, error) {
	var film gif.GIF
	for i, p := range positions {
		first, past := image.Point{}, image.Pt(int(p.Size().Width), int(p.Size().Height))
		if i > 0 {
			first, past = changedCells(positions[i-1], p)
		}
		film.Image, film.Delay = append(film.Image, a.frame(p, first, past)), append(film.Delay, plyDelay)
		film.Disposal = append(film.Disposal, gif.DisposalNone)
	}
	film.Delay[len(film.Delay)-1] = lastDelay
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &film)
	return b.Bytes(), err
}

// changedCells returns the smallest rectangle of cells, from first to before past, with all that
// differ between two positions.
func changedCells(before, after rules.Position) (first, past image.Point) {
	var area image.Rectangle
	old := before.Tiles()
	for y, row := range after.Tiles() {
		for x, tile := range row {
			if tile != old[y][x] {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if area.Empty() {
		area = image.Rect(0, 0, 1, 1)
	}
	return area.Min, area.Max
}

// frame draws a rectangle of cells of a position, with the board around them.
func (a *artist) frame(p rules.Position, first, past image.Point) *image.Paletted {
	picture := image.NewPaletted(image.Rect(pitch*first.X, pitch*first.Y, pitch*past.X+gapPixels, pitch*past.Y+gapPixels), a.palette)
	for y := first.Y; y < past.Y; y++ {
		for x := first.X; x < past.X; x++ {
			cell := a.cells[0]
			if tile := p.Tile(x+1, y+1); tile > 0 {
				cell = a.cells[exponent(tile)]
			}
			corner := image.Pt(gapPixels+pitch*x, gapPixels+pitch*y)
			for line := range cellPixels {
				copy(picture.Pix[picture.PixOffset(corner.X, corner.Y+line):], cell.Pix[line*cellPixels:(line+1)*cellPixels])
			}
		}
	}
	return picture
}
