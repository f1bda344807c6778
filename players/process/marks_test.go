package process_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"versus2048/players/process"
)

// A mark that comes in pieces leaves no trace. The same holds for a mark that is requested while another is on
// its way.
func TestMarks(t *testing.T) {
	r, w := io.Pipe()
	var got bytes.Buffer
	marks := process.NewMarks(&got)
	ended := make(chan error)
	go func() {
		_, err := io.Copy(marks, iotest.OneByteReader(r))
		ended <- err
	}()
	for range 3 {
		if _, err := io.WriteString(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567\n"); err != nil {
			t.Fatal(err)
		}
		first, second := marks.Put(w), marks.Put(w)
		<-first
		<-second
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || got.String() != "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567\nABCDEFGHIJKLMNOPQRSTUVWXYZ234567\nABCDEFGHIJKLMNOPQRSTUVWXYZ234567\n" {
		t.Errorf("%q, error %v", got.String(), err)
	}
}

// markEnd is the writing end of a pipe for marks: the test receives them.
type markEnd chan []byte

func (e markEnd) Write(mark []byte) (int, error) {
	e <- mark
	return len(mark), nil
}

// A mark that is requested while another is on its way also waits for the output in between.
func TestMarkAfterMark(t *testing.T) {
	var got bytes.Buffer
	marks, end := process.NewMarks(&got), make(markEnd)
	write := func(text []byte) {
		t.Helper()
		if _, err := marks.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	first := marks.Put(end)
	mark := <-end
	second := marks.Put(end)
	write(mark)
	<-first
	select {
	case <-second:
		t.Fatal("the second mark is said to have arrived with the first")
	default:
	}
	write([]byte("in between\n"))
	write(<-end)
	<-second
	if got.String() != "in between\n" {
		t.Errorf("%q", got.String())
	}
}
