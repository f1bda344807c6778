package drawing

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"golang.org/x/image/math/fixed"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// The measures of a card, in pixels. Messengers and other sites expect this size.
const (
	cardWidth, cardHeight = 1200, 630
	cardMargin            = 35
	cardBoard             = cardHeight - 2*cardMargin
	cardGap               = 12
	cardText              = 2*cardMargin + cardBoard // where the text begins
	cardTextWidth         = cardWidth - cardText - cardMargin
)

var (
	cardGround = color.RGBA{0xfa, 0xf9, 0xf7, 0xff}
	cardInk    = color.RGBA{0x23, 0x22, 0x1f, 0xff}
)

// Card returns a PNG of a position with a few lines of text beside it, the first one large.
func (a *Artist) Card(p rules.Position, lines ...string) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight))
	paint(picture, picture.Rect, cardGround)
	if err := a.paintBoard(picture, p); err != nil {
		return nil, err
	}
	bottom := 0
	for i, line := range lines {
		size := 36.0
		if i == 0 {
			size = 56
		}
		bottom += int(1.7 * size)
		pen, err := a.pen(picture, size, cardInk)
		if err != nil {
			return nil, err
		}
		pen.Dot = fixed.P(cardText, cardMargin+bottom)
		pen.DrawString(fitting(pen, plain.Line(line), cardTextWidth))
	}
	var b bytes.Buffer
	err := png.Encode(&b, picture)
	return b.Bytes(), err
}

func paint(picture *image.RGBA, area image.Rectangle, c color.RGBA) {
	draw.Draw(picture, area, image.NewUniform(c), image.Point{}, draw.Src)
}

// paintBoard paints a position as large as the card allows.
func (a *Artist) paintBoard(picture *image.RGBA, p rules.Position) error {
	size := p.Size()
	cells := int(max(size.Width, size.Height))
	side := (cardBoard - cardGap*(cells+1)) / cells
	pitch := side + cardGap
	corner := image.Pt(cardMargin, cardMargin)
	board := image.Pt(cardGap+pitch*int(size.Width), cardGap+pitch*int(size.Height))
	paint(picture, image.Rectangle{corner, corner.Add(board)}, boardColour)
	for y, row := range p.Tiles() {
		for x, tile := range row {
			at := corner.Add(image.Pt(cardGap+pitch*x, cardGap+pitch*y))
			if err := a.paintTile(picture, image.Rectangle{at, at.Add(image.Pt(side, side))}, tile); err != nil {
				return err
			}
		}
	}
	return nil
}

// paintTile paints a cell with its tile, 0 for none.
func (a *Artist) paintTile(picture *image.RGBA, area image.Rectangle, tile int) error {
	if tile == 0 {
		paint(picture, area, cellColour)
		return nil
	}
	c := tileColours[exponent(tile)-1]
	paint(picture, area, c.ground)
	pen, err := a.pen(picture, float64(letterHeight(tile)*area.Dx())/cellPixels, c.text)
	if err != nil {
		return err
	}
	text := strconv.Itoa(tile)
	middle := fixed.P((area.Min.X+area.Max.X)/2, (area.Min.Y+area.Max.Y)/2)
	pen.Dot = fixed.Point26_6{X: middle.X - pen.MeasureString(text)/2, Y: middle.Y + pen.Face.Metrics().CapHeight/2}
	pen.DrawString(text)
	return nil
}
