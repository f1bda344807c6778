package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	styleIn = regexp.MustCompile(`\s+style="([^"]*)"`)
	openSVG = regexp.MustCompile(`<svg[^>]*>`)
)

// shortDrawing returns a drawing with a sheet that has each style once, in place of the styles of all elements. The drawings
// of game trees have thousands of elements with few styles: they need half as many bytes.
func shortDrawing(drawing []byte) []byte {
	classes, sheet := map[string]string{}, strings.Builder{}
	body := styleIn.ReplaceAllStringFunc(string(drawing), func(found string) string {
		style := styleIn.FindStringSubmatch(found)[1]
		class, known := classes[style]
		if !known {
			class = fmt.Sprintf("s%d", len(classes))
			classes[style] = class
			fmt.Fprintf(&sheet, ".%s{%s}", class, style)
		}
		return fmt.Sprintf(` class="%s"`, class)
	})
	root := openSVG.FindStringIndex(body)
	if root == nil {
		return drawing
	}
	return []byte(body[:root[1]] + "<style>" + sheet.String() + "</style>" + body[root[1]:])
}
