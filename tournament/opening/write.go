package opening

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"versus2048/rules"
)

// Write writes openings as Read reads them, a position a line, below the comment,
// which may have several lines. It returns w's error.
func Write(w io.Writer, positions []rules.Position, comment string) error {
	text := bufio.NewWriter(w)
	for line := range strings.Lines(comment) {
		fmt.Fprintf(text, "; %s\n", strings.TrimRight(line, "\r\n"))
	}
	for _, p := range positions {
		fmt.Fprintln(text, p)
	}
	return text.Flush()
}
