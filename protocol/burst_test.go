package protocol

import (
	"errors"
	"net"
	"slices"
	"testing"
	"time"
)

// wire is a network connection that keeps what is written, each write apart.
type wire struct {
	net.Conn
	writes []string
	broken error
}

func (w *wire) Write(p []byte) (int, error) {
	w.writes = append(w.writes, string(p))
	return len(p), w.broken
}

func (w *wire) SetWriteDeadline(time.Time) error { return nil }

func TestBurst(t *testing.T) {
	w := &wire{}
	b := newBurst(w, time.Second)
	write := func(text string) {
		t.Helper()
		if n, err := b.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%q: %d bytes written (%v)", text, n, err)
		}
	}
	release := func() {
		t.Helper()
		if err := b.release(); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	b.gather()
	write("two")
	write("three")
	if b.held() != len("twothree") {
		t.Errorf("%d bytes held back", b.held())
	}
	release()
	b.gather()
	release() // nothing
	write("four")
	if want := []string{"one", "twothree", "four"}; !slices.Equal(w.writes, want) {
		t.Errorf("written as %q, want %q", w.writes, want)
	}
	w.broken = errors.New("no more")
	b.gather()
	write("five")
	if err := b.release(); !errors.Is(err, w.broken) {
		t.Errorf("on a broken wire: %v", err)
	}
}
