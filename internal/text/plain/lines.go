package plain

import (
	"bufio"
	"errors"
	"fmt"
)

// TooLongError is the error for a line of more than Most bytes.
type TooLongError struct{ Most int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a line is longer than %d bytes", e.Most)
}

// ReadLine returns the next line, with its newline. It returns a *TooLongError for a line of more than most bytes, the
// newline included, before it has read much more than that. If the reader fails or ends in a line, ReadLine returns
// the part of the line that it has read, with the reader's error.
func ReadLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, &TooLongError{most}
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
