package plain_test

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"versus2048/internal/text/plain"
)

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 99) + "\n"
	in := bufio.NewReaderSize(strings.NewReader("one\n"+long+"\nrest"), 16)
	for _, want := range []struct {
		line string
		err  error
	}{{"one\n", nil}, {long, nil}, {"\n", nil}, {"rest", io.EOF}, {"", io.EOF}} {
		if line, err := plain.ReadLine(in, 100); string(line) != want.line || !errors.Is(err, want.err) {
			t.Errorf("read %q, %v, want %q, %v", line, err, want.line, want.err)
		}
	}
}

// endless is a line without an end. It counts the bytes read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadRefusesALongLine(t *testing.T) {
	source := &endless{}
	_, err := plain.ReadLine(bufio.NewReader(source), 1000)
	var long *plain.TooLongError
	if !errors.As(err, &long) || long.Most != 1000 || source.read > 10_000 {
		t.Errorf("error %v after %d bytes, want that the line is longer than 1000", err, source.read)
	}
}
