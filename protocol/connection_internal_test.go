package protocol

import (
	"errors"
	"net"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestBatchConn(t *testing.T) {
	w := &wire{}
	b := newBatchConn(w, time.Second)
	write := func(text string) {
		t.Helper()
		if n, err := b.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatalf("%q: %d bytes written (%v)", text, n, err)
		}
	}
	flush := func() {
		t.Helper()
		if err := b.flush(); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	b.hold()
	write("two")
	write("three")
	if b.buffered() != len("twothree") {
		t.Errorf("%d bytes buffered", b.buffered())
	}
	flush()
	b.hold()
	flush() // the buffer is empty
	write("four")
	if want := []string{"one", "twothree", "four"}; !slices.Equal(w.writes, want) {
		t.Errorf("written as %q, want %q", w.writes, want)
	}
	w.broken = errors.New("no more")
	b.hold()
	write("five")
	if err := b.flush(); !errors.Is(err, w.broken) {
		t.Errorf("on a broken connection: %v", err)
	}
}

// A connection that ends still reads a limited number of bytes, so that the other end gets the last
// messages.
func TestDrainIsBounded(t *testing.T) {
	b := newBatchConn(&wire{}, time.Second)
	close(b.pace.ended)
	read := 0
	for {
		n, err := b.Read(make([]byte, 4096))
		if read += n; err != nil {
			break
		}
		if read > 2*maxDrained {
			t.Fatalf("%d bytes are read", read)
		}
	}
	if read <= maxDrained {
		t.Errorf("only %d bytes are read", read)
	}
}

// wire is a network connection that records each write, and that always has more bytes to read.
type wire struct {
	net.Conn
	writes []string
	broken error
}

func (w *wire) Write(p []byte) (int, error) {
	w.writes = append(w.writes, string(p))
	return len(p), w.broken
}

func (w *wire) Read(p []byte) (int, error) { return len(p), nil }

func (w *wire) SetWriteDeadline(time.Time) error { return nil }

func TestPings(t *testing.T) {
	var p pings
	now := time.Now()
	answer := func(after time.Duration) {
		data := string(p.recordPing(now))
		p.recordPong("0", now) // for another ping
		p.recordPong(data, now.Add(after))
		p.recordPong(data, now) // a second time
	}
	want := func(trip time.Duration) {
		t.Helper()
		if got := p.roundTrip(); got != trip {
			t.Errorf("the round trip is %v, want %v", got, trip)
		}
	}
	want(0)
	p.recordPong("0", now) // nothing was sent
	want(0)
	answer(30)
	want(30)
	answer(20)
	for range keptRoundTrips - 1 {
		answer(50)
	}
	want(20)
	answer(50) // 20 is no longer among the last measurements
	want(50)
}

// standstill is a net.Conn. Its first read notices the deadline as late as in a process that was
// stopped.
type standstill struct {
	net.Conn
	late  time.Duration
	reads int
	until time.Time
}

func (s *standstill) SetReadDeadline(t time.Time) error { s.until = t; return nil }

func (s *standstill) Read(p []byte) (int, error) {
	if s.reads++; s.reads > 1 {
		return copy(p, "answer"), nil
	}
	<-time.After(time.Until(s.until) + s.late)
	return 0, os.ErrDeadlineExceeded
}

// Bytes that arrived while this process stood still are read although the deadline has passed.
func TestReadAfterStandstill(t *testing.T) {
	for late, reads := range map[time.Duration]int{0: 1, 20 * time.Second: 2} {
		synctest.Test(t, func(t *testing.T) {
			conn := &standstill{late: late}
			b := newBatchConn(conn, time.Second)
			if err := b.SetReadDeadline(time.Now().Add(15 * time.Second)); err != nil {
				t.Fatal(err)
			}
			n, err := b.Read(make([]byte, 100))
			if read := n == len("answer") && err == nil; conn.reads != reads || read != (late > 0) {
				t.Errorf("late by %v: %d bytes in %d reads, error %v", late, n, conn.reads, err)
			}
		})
	}
}
