package picture

import (
	"bytes"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"versus2048/internal/text/terminal"
)

// families are the fonts that an SVG names for letters that its first font lacks: fonts that its viewer may
// have, since no font of the plots has Chinese, Japanese or Korean letters.
var families = []byte("'Noto Sans CJK SC','Noto Sans CJK JP','Noto Sans CJK KR','PingFang SC','Hiragino Sans','Microsoft YaHei','Malgun Gothic','Noto Color Emoji',sans-serif;")

// withFamilies adds families to the fonts that an SVG names, if it has letters that need them.
func withFamilies(svg []byte) []byte {
	if !bytes.ContainsFunc(svg, isWide) {
		return svg
	}
	const name = "font-family:"
	parts := bytes.SplitAfter(svg, []byte(name))
	for i, part := range parts[1:] {
		family, rest, _ := bytes.Cut(part, []byte(";"))
		parts[i+1] = bytes.Join([][]byte{family, append(bytes.Clone(families), rest...)}, []byte(","))
	}
	return bytes.Join(parts, nil)
}

// isWide reports whether a letter is as wide as high. There is none before U+1100.
func isWide(letter rune) bool { return letter >= 0x1100 && terminal.Width(string(letter)) == 2 }

// wideText measures and draws text as a plot does, but takes wide letters, which the plot's font lacks, to be as wide
// as high. So names end in the right place.
type wideText struct{ text.Plain }

// newWideText returns a handler with the plots' own fonts.
func newWideText() wideText { return wideText{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}} }

// Box returns the size of a line.
func (h wideText) Box(line string, f font.Font) (width, height, depth vg.Length) {
	width, height, depth = h.Plain.Box(line, f)
	return width + h.missing(line, f), height, depth
}

// missing returns the width of a line beyond the width that its font computes.
func (h wideText) missing(line string, f font.Font) (width vg.Length) {
	for _, letter := range line {
		if isWide(letter) {
			taken, _, _ := h.Plain.Box(string(letter), f)
			width += f.Size - taken
		}
	}
	return width
}

// Draw draws a line of text. It corrects the alignment for wide letters, except in rotated text.
func (h wideText) Draw(c vg.Canvas, line string, style text.Style, at vg.Point) {
	if style.Rotation == 0 {
		at.X += vg.Length(style.XAlign) * h.missing(line, style.Font)
	}
	h.Plain.Draw(c, line, style, at)
}
