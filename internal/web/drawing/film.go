package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"versus2048/rules"
)

// shades is how many colours a tile has, from its ground to its text, so that the edges of its number are smooth.
const shades = 8

// Artist draws positions into animations, whose palette has first the board and an empty cell, then the shades of each
// tile, and onto cards. Its methods may be called from several goroutines.
type Artist struct {
	palette color.Palette
	letters *opentype.Font
	cells   []*image.Paletted // by exponent; 0 is the empty cell
}

// NewArtist draws each tile once.
func NewArtist() (*Artist, error) {
	a := &Artist{palette: color.Palette{boardColour, cellColour}}
	for _, c := range tileColours {
		for i := range shades {
			a.palette = append(a.palette, between(c.ground, c.text, i))
		}
	}
	var err error
	if a.letters, err = opentype.Parse(gobold.TTF); err != nil {
		return nil, fmt.Errorf("the font of drawn boards: %w", err)
	}
	empty := image.NewPaletted(image.Rect(0, 0, cellPixels, cellPixels), a.palette)
	fill(empty, empty.Rect, 1)
	a.cells = append(a.cells, empty)
	for e := range tileColours {
		cell, err := a.newCell(2 << e)
		if err != nil {
			return nil, err
		}
		a.cells = append(a.cells, cell)
	}
	return a, nil
}

// between returns shade i on the way from one colour to another.
func between(from, to color.RGBA, i int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(shades-1-i) + int(b)*i) / (shades - 1)) } // #nosec G115 -- between a and b
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 0xff}
}

// newCell draws a tile.
func (a *Artist) newCell(tile int) (*image.Paletted, error) {
	face, err := opentype.NewFace(a.letters, &opentype.FaceOptions{Size: float64(letterHeight(tile)), DPI: 72})
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

// GIF returns an animation of positions of one game. A frame has only the cells that changed.
func (a *Artist) GIF(positions []rules.Position) ([]byte, error) {
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

// changedCells returns the smallest rectangle of cells, from first to before past, that has all differences between two
// positions.
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
func (a *Artist) frame(p rules.Position, first, past image.Point) *image.Paletted {
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
