package report

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// pixels is the number of pixels of a PNG in a typographic point.
const pixels = 96.0 / 72

// pngCanvas is a canvas of pixels.
type pngCanvas struct {
	picture *image.RGBA
	faces   map[float64]font.Face // by size
}

func newPNG(width, height float64) (*pngCanvas, error) {
	c := pngCanvas{image.NewRGBA(image.Rect(0, 0, pixel(width), pixel(height))), map[float64]font.Face{}}
	draw.Draw(c.picture, c.picture.Rect, image.White, image.Point{}, draw.Src)
	for _, size := range []float64{labelSize, titleSize} {
		face, err := newFace(size * pixels)
		if err != nil {
			return nil, err
		}
		c.faces[size] = face
	}
	return &c, nil
}

func pixel(length float64) int { return int(math.Round(length * pixels)) }

// fill fills a polygon. It goes only through the rectangle around the polygon, which is a small part of most pictures.
func (c *pngCanvas) fill(colour color.RGBA, corners ...point) {
	low, high := corners[0], corners[0]
	for _, p := range corners {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	area := image.Rect(pixel(low.x)-1, pixel(low.y)-1, pixel(high.x)+1, pixel(high.y)+1).Intersect(c.picture.Rect)
	place := func(p point) (x, y float32) {
		return float32(p.x*pixels - float64(area.Min.X)), float32(p.y*pixels - float64(area.Min.Y))
	}
	outline := vector.NewRasterizer(area.Dx(), area.Dy())
	outline.MoveTo(place(corners[0]))
	for _, p := range corners[1:] {
		outline.LineTo(place(p))
	}
	outline.ClosePath()
	outline.Draw(c.picture, area, image.NewUniform(colour), image.Point{})
}

func (c *pngCanvas) line(s stroke, points ...point) {
	for _, d := range dashesOf(points, s.dashes) {
		from, to := d[0], d[1]
		half := s.width / 2 / math.Hypot(to.x-from.x, to.y-from.y)
		x, y := half*(from.y-to.y), half*(to.x-from.x) // across the line
		c.fill(s.colour, point{from.x + x, from.y + y}, point{to.x + x, to.y + y}, point{to.x - x, to.y - y}, point{from.x - x, from.y - y})
	}
}

// dashesOf divides a line through points into its dashes: straight pieces, none of them empty.
func dashesOf(points []point, lengths []float64) (dashes [][2]point) {
	if lengths == nil {
		lengths = []float64{math.Inf(1)}
	}
	k, left := 0, lengths[0] // an even k is a dash, an odd one a gap
	for i, to := range points[1:] {
		from := points[i]
		for rest := math.Hypot(to.x-from.x, to.y-from.y); rest > 0; {
			step := min(left, rest)
			next := point{from.x + (to.x-from.x)*step/rest, from.y + (to.y-from.y)*step/rest}
			if k%2 == 0 {
				dashes = append(dashes, [2]point{from, next})
			}
			from, rest, left = next, rest-step, left-step
			if left == 0 {
				k++
				left = lengths[k%len(lengths)]
			}
		}
	}
	return dashes
}

func (c *pngCanvas) rectangle(fill color.RGBA, corner, opposite point) {
	c.fill(fill, corner, point{opposite.x, corner.y}, opposite, point{corner.x, opposite.y})
}

func (c *pngCanvas) dot(fill color.RGBA, radius float64, centre point) {
	const corners = 24
	var outline []point
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		outline = append(outline, point{centre.x + radius*cos, centre.y + radius*sin})
	}
	c.fill(fill, outline...)
}

func (c *pngCanvas) text(line string, size float64, side alignment, at point) {
	pen := font.Drawer{Dst: c.picture, Src: image.NewUniform(black), Face: c.faces[size]}
	pen.Dot = fixed.Point26_6{X: fixed.Int26_6(64 * at.x * pixels), Y: fixed.Int26_6(64 * at.y * pixels)}
	pen.Dot.X -= pen.MeasureString(line) * fixed.Int26_6(side) / 2
	pen.DrawString(line)
}

func (c *pngCanvas) encode(w io.Writer) error { return png.Encode(w, c.picture) }
