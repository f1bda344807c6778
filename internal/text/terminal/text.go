package terminal

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"
)

// leastWidth is the smallest width that texts are made to fit.
const leastWidth = 20

// WidthOf returns the number of columns to write on, at least 20: the value of the environment variable COLUMNS, or
// else the width of the terminal w. If w is no terminal either, it returns 0 for no limit.
func WidthOf(w any) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return max(leastWidth, columns)
	}
	columns, _ := size(w)
	if columns == 0 {
		return 0
	}
	return max(leastWidth, columns)
}

// HeightOf returns the number of lines to write on: the value of the environment variable LINES, or else the height of
// the terminal w. If w is no terminal either, it returns 0 for no limit.
func HeightOf(w any) int {
	if lines, err := strconv.Atoi(os.Getenv("LINES")); err == nil && lines > 0 {
		return lines
	}
	_, lines := size(w)
	return lines
}

// size returns the size of a terminal, or 0 for anything else.
func size(w any) (columns, lines int) {
	if file, ok := w.(*os.File); ok {
		columns, lines, _ = term.GetSize(int(file.Fd()))
	}
	return max(0, columns), max(0, lines)
}

// Is reports whether w is a terminal.
func Is(w any) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Width returns the number of columns that a text takes on a terminal. A letter of Chinese, Japanese or Korean takes
// two, and so do most emoji.
func Width(text string) int { return displaywidth.String(text) }

// ellipsis stands for the part that was cut out of a text.
const ellipsis = "…"

// Cut makes a line fit into width: an ellipsis replaces the end of a longer one.
func Cut(line string, width int) string {
	if width <= 0 {
		return line
	}
	return displaywidth.TruncateString(line, width, ellipsis)
}

// Shorten makes a name fit into width: an ellipsis replaces its middle, since names such as specs differ at their end
// as often as at their beginning.
func Shorten(name string, width int) string {
	if width <= 0 || Width(name) <= width {
		return name
	}
	name = strings.ToValidUTF8(name, "\uFFFD") // the width of other bytes depends on their neighbours
	room := max(0, width-Width(ellipsis))
	head := displaywidth.TruncateString(name, (room+1)/2, "")
	return head + ellipsis + lastColumns(name, room-Width(head))
}

// lastColumns returns the end of a text, without leading spaces: as much as fits into width.
func lastColumns(text string, width int) string {
	left, start := Width(text), 0
	for graphemes := displaywidth.StringGraphemes(text); left > width && graphemes.Next(); {
		left -= graphemes.Width()
		start += len(graphemes.Value())
	}
	return strings.TrimLeft(text[start:], " ")
}

// Pad fills a text with spaces up to width, at its right or, if right is set, at its left.
func Pad(text string, width int, right bool) string {
	space := strings.Repeat(" ", max(0, width-Width(text)))
	if right {
		return space + text
	}
	return text + space
}

// Wrap breaks the lines of a text between words, so that they fit into width. A continuation begins with the
// indentation of its line and the indent. A word that is longer than a line breaks after commas; without commas it
// remains whole.
func Wrap(text string, width int, indent string) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = wrapLine(line, width, indent)
	}
	return strings.Join(lines, "\n")
}

func wrapLine(line string, width int, indent string) string {
	if Width(line) <= width {
		return line
	}
	margin := line[:len(line)-len(strings.TrimLeft(line, " "))]
	room := width - Width(margin+indent)
	var text strings.Builder
	used := 0
	for i, word := range strings.Split(line[len(margin):], " ") {
		for k, part := range breakable(word, room) {
			space := map[bool]string{true: " "}[k == 0] // between words, not between the parts of one
			switch {
			case i == 0 && k == 0:
				text.WriteString(margin + part)
				used = Width(margin + part)
			case used+Width(space+part) > width:
				text.WriteString("\n" + margin + indent + part)
				used = Width(margin + indent + part)
			default:
				text.WriteString(space + part)
				used += Width(space + part)
			}
		}
	}
	return text.String()
}

// breakable returns the parts of a word that may be on different lines. A word that is too wide for a line of its own
// breaks after its commas, such as the commas between the options of a spec.
func breakable(word string, width int) []string {
	if Width(word) <= width {
		return []string{word}
	}
	return strings.SplitAfter(word, ",")
}

// firstColumn matches the part of a line before its second column. Two spaces or more separate columns.
var firstColumn = regexp.MustCompile(`^ *\S+( \S+)* {2,}`)

// Hang breaks lines as Wrap does. A line of several columns continues below its second column, any other line below
// its beginning.
func Hang(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		margin := len(line) - len(strings.TrimLeft(line, " "))
		indent := max(0, Width(firstColumn.FindString(line))-margin)
		lines[i] = Wrap(line, width, strings.Repeat(" ", indent))
	}
	return strings.Join(lines, "\n")
}

// Count returns a number with its noun, such as "1 match" or "3 matches".
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
