package picture

import (
	"bytes"
	"fmt"
	"regexp"
)

var (
	// styled matches an element with a style, as gonum's vg writes it.
	styled = regexp.MustCompile(`<(path|text) ([^>]*?)( transform="scale\(1, -1\)")?\s+style="([^"]*)" ?(/>|>[^<]*</text>)`)
	// usual matches properties that every text has by itself.
	usual = regexp.MustCompile(`font-(?:variant|weight|style):normal;`)
	// property matches a part of a style.
	property = regexp.MustCompile(`([\w-]+):([^;]*);?`)
)

// compact returns an SVG with attributes in place of styles, since the policy of a site may forbid styles. Successive
// elements with the same attributes are in one group that has them.
func compact(svg []byte) []byte {
	var made bytes.Buffer
	open, end := "", 0 // the open group, and the end of its last element
	for _, at := range styled.FindAllSubmatchIndex(svg, -1) {
		part := func(n int) string { return string(svg[max(at[2*n], 0):max(at[2*n+1], 0)]) }
		group := "<g" + part(3) + property.ReplaceAllString(usual.ReplaceAllString(part(4), ""), ` $1="$2"`) + ">\n"
		if between := bytes.TrimSpace(svg[end:at[0]]); group != open || len(between) > 0 {
			if open != "" {
				made.WriteString("</g>\n")
			}
			fmt.Fprintf(&made, "%s\n%s", between, group)
			open = group
		}
		fmt.Fprintf(&made, "<%s %s%s\n", part(1), part(2), part(5))
		end = at[1]
	}
	if open != "" {
		made.WriteString("</g>")
	}
	return append(made.Bytes(), svg[end:]...)
}
