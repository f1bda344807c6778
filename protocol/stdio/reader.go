package stdio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"versus2048/internal/lines"
)

// MaxLine is the length in bytes of the longest line, without its end.
const MaxLine = 64 << 10

// ErrTooLong means that a line is longer than MaxLine.
var ErrTooLong = fmt.Errorf("a line of more than %d bytes", MaxLine)

// Reader reads the lines of the other side.
type Reader struct{ buffer *bufio.Reader }

// NewReader returns a reader of lines.
func NewReader(r io.Reader) *Reader {
	return &Reader{bufio.NewReaderSize(lines.WithoutBOM(r), MaxLine+2)}
}

// Line returns the next line that is not empty, without its end (\n or \r\n) and without spaces around
// it. Bytes that are not UTF-8 become U+FFFD. A last line without an end counts. Line returns io.EOF at
// the end, and ErrTooLong for a line that is too long. After ErrTooLong no line can be read any more.
func (r *Reader) Line() (string, error) {
	for {
		text, err := r.buffer.ReadSlice('\n')
		length := len(strings.TrimRight(string(text), "\r\n"))
		if errors.Is(err, bufio.ErrBufferFull) || length > MaxLine {
			return "", ErrTooLong
		}
		if line := strings.Trim(string(text), " \t\r\n"); line != "" {
			return strings.ToValidUTF8(line, "\uFFFD"), nil
		}
		if err != nil {
			return "", err
		}
	}
}
