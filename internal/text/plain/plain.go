package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible reports whether a character can be seen, or is the ordinary space. It returns false for controls, direction
// marks, joiners, fillers and all other characters that Unicode calls ignorable.
func Visible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsPrint(r) && r != blankBraille &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// harmless reports whether a character may stand in a line as it is. Variation selectors and joiners are parts
// of emoji, and move nothing.
func harmless(r rune) bool {
	return r != utf8.RuneError && unicode.IsPrint(r) || r == '\u200d'
}

// Line returns a text for one line of a terminal. Characters that would move the cursor or change the direction
// of the text, and bytes that are not UTF-8, are written as Go does, such as \x1b or \u202e.
func Line(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return !harmless(r) }) {
		return text
	}
	return escape(text, harmless)
}

// Lines is like Line for a text that may have lines and tabs, such as an error.
func Lines(text string) string {
	return escape(text, func(r rune) bool { return harmless(r) || r == '\n' || r == '\t' })
}

// escape writes each character that is not allowed as Go escapes it.
func escape(text string, allowed func(rune) bool) string {
	return mapText(text, allowed, func(part string) string {
		quoted := strconv.QuoteToASCII(part)
		return quoted[1 : len(quoted)-1]
	})
}

// mapText replaces each character that is not allowed, and each byte that is no character. other returns the
// replacement.
func mapText(text string, allowed func(rune) bool, other func(part string) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if part := text[i : i+size]; allowed(r) {
			b.WriteString(part)
		} else {
			b.WriteString(other(part))
		}
		i += size
	}
	return b.String()
}

// JSON escapes the tabs of a JSON text, and the characters that Lines escapes, as JSON does. The meaning of the text
// stays the same, unless there are tabs between its values.
func JSON(text string) string {
	return mapText(text, func(r rune) bool { return harmless(r) || r == '\n' }, func(part string) string {
		var escaped strings.Builder
		for _, unit := range utf16.Encode([]rune(part)) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
		return escaped.String()
	})
}

// CSV returns a cell of comma-separated values, on one line, that no spreadsheet takes for a formula: a cell
// that begins like one gets an apostrophe before it. Numbers stay as they are.
func CSV(cell string) string {
	cell = Line(cell)
	if cell == "" || !strings.ContainsRune("=+-@", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// Markdown returns a cell of a table in GitHub's Markdown, on one line. A page shows its marks and tags as plain
// characters, except the marks of emphasis, and makes links of bare addresses.
func Markdown(cell string) string {
	return markdown.Replace(Line(cell))
}

// markdown keeps a cell from having code, tags, links with a text and pictures, and from ending early.
var markdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "<", `\<`, "](", `\](`)
