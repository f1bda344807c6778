package players

import (
	"fmt"
	"strings"
)

// unknown is the error for a name that is none of known.
func unknown(what, name string, known []string) error {
	hint := ""
	if near := Nearest(name, known); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("unknown %s %.40q%s: want one of %s", what, name, hint, strings.Join(known, ", "))
}

// Nearest is the known name that at most two edits turn name into, for "did you
// mean"; "" if there is none.
func Nearest(name string, known []string) string {
	best, edits := "", 3
	for _, k := range known {
		if d := editDistance(name, k); d < edits && d < len(k)-1 {
			best, edits = k, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace to get from a to
// b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
