package offline

import (
	"regexp"
	"strings"
)

// attribute matches an attribute with an address of the arena.
var attribute = regexp.MustCompile(`\b(href|src|action|data-address)="/([^"]*)"`)

// puzzleNumber matches the beginning of the address of a puzzle by its number.
var puzzleNumber = regexp.MustCompile(`^puzzles/(\d+)`)

// Relative replaces the addresses in a page by the names of the site's files, so that the site works in any folder of a
// server. depth is the number of folders of the site above the page's own file.
func Relative(html []byte, depth int) []byte {
	up := strings.Repeat("../", depth)
	return attribute.ReplaceAllFunc(html, func(found []byte) []byte {
		part := attribute.FindSubmatch(found)
		return []byte(string(part[1]) + `="` + up + fileOf(string(part[2])) + `"`)
	})
}

// fileOf returns the file of an address, such as analysis.html?rules=solo for analysis?rules=solo. Neither begins with
// a slash.
func fileOf(address string) string {
	end := strings.IndexAny(address, "?#")
	if end < 0 {
		end = len(address)
	}
	page, rest := address[:end], address[end:]
	switch number := puzzleNumber.FindStringSubmatch(address); {
	case number != nil:
		return strings.TrimSuffix("puzzles.html?number="+number[1]+"&amp;"+strings.TrimPrefix(rest, "?"), "&amp;")
	case page == "":
		return "./" + rest
	case !strings.Contains(page, "."):
		return page + ".html" + rest
	}
	return address
}
