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
