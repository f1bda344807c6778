package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
)

// families are the fonts of an SVG. The first ones have no Chinese, Japanese or Korean letters.
const families = "Liberation Sans,Arial,Helvetica,'Noto Sans CJK SC','Noto Sans CJK JP','Noto Sans CJK KR'," +
	"'PingFang SC','Hiragino Sans','Microsoft YaHei','Malgun Gothic','Noto Color Emoji',sans-serif"

// svgCanvas writes the elements of an SVG.
type svgCanvas struct{ elements bytes.Buffer }

func newSVG(width, height float64) *svgCanvas {
	var c svgCanvas
	w, h := short(width), short(height)
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %[1]s %[2]s" font-family="%s">`, w, h, families)
	c.add(`<rect width="%s" height="%s" fill="#fff"/>`, w, h)
	return &c
}

func (c *svgCanvas) add(format string, values ...any) {
	fmt.Fprintf(&c.elements, format+"\n", values...)
}

func (c *svgCanvas) line(s stroke, points ...point) {
	var places, dashes []string
	for _, p := range points {
		places = append(places, short(p.x)+","+short(p.y))
	}
	for _, d := range s.dashes {
		dashes = append(dashes, short(d))
	}
	pattern := ""
	if dashes != nil {
		pattern = fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	c.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="%s"%s/>`, strings.Join(places, " "), hex(s.colour), short(s.width), pattern)
}

func (c *svgCanvas) rectangle(fill color.RGBA, corner, opposite point) {
	left, top := min(corner.x, opposite.x), min(corner.y, opposite.y)
	width, height := math.Abs(corner.x-opposite.x), math.Abs(corner.y-opposite.y)
	c.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, short(left), short(top), short(width), short(height), hex(fill))
}

func (c *svgCanvas) dot(fill color.RGBA, radius float64, centre point) {
	c.add(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, short(centre.x), short(centre.y), short(radius), hex(fill))
}

func (c *svgCanvas) text(line string, size float64, side alignment, at point) {
	anchor := map[alignment]string{atLeft: "start", atMiddle: "middle", atRight: "end"}[side]
	c.add(`<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s">%s</text>`,
		short(at.x), short(at.y), short(size), anchor, hex(black), html.EscapeString(line))
}

func (c *svgCanvas) encode(w io.Writer) error {
	c.add("</svg>")
	_, err := c.elements.WriteTo(w)
	return err
}

// short writes a length with at most two decimals.
func short(length float64) string {
	return strconv.FormatFloat(math.Round(100*length)/100, 'f', -1, 64)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
