package plain

import (
	"bufio"
	"io"
	"strings"
)

// mark is the byte order mark in UTF-8.
const mark = "\ufeff"

// TrimBOM returns a text without the byte order mark that it may begin with.
func TrimBOM[Text ~string | ~[]byte](text Text) Text {
	if strings.HasPrefix(string(text[:min(len(text), len(mark))]), mark) {
		return text[len(mark):]
	}
	return text
}

// WithoutBOM returns a Reader of the bytes of r, without a byte order mark at their beginning. It may read more of r
// than it returns.
func WithoutBOM(r io.Reader) io.Reader { return &reader{in: bufio.NewReader(r)} }

// reader looks for the mark at its first Read, not before: the text may come from a pipe that nobody has written to
// yet.
type reader struct {
	in    *bufio.Reader
	begun bool
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if !r.begun {
		r.begun = true
		r.skip()
	}
	return r.in.Read(p)
}

// skip skips the mark. It looks at one byte after the other, so that it does not wait for more bytes after one that
// differs from the mark.
func (r *reader) skip() {
	for n := range len(mark) {
		begin, err := r.in.Peek(n + 1)
		if err != nil || string(begin) != mark[:n+1] {
			return // an error comes again
		}
	}
	_, _ = r.in.Discard(len(mark))
}
