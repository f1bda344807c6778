package clock_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"versus2048/players/clock"
)

// connect returns both ends of a connection.
func connect(t *testing.T) (in, out net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if out, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if in, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out
}

// holding is a connection that keeps what is written, while hold is true, until flush.
type holding struct {
	net.Conn
	hold bool
	held []byte
}

func (h *holding) Write(p []byte) (int, error) {
	if !h.hold {
		return h.Conn.Write(p)
	}
	h.held = append(h.held, p...)
	return len(p), nil
}

func (h *holding) flush() error {
	_, err := h.Conn.Write(h.held)
	return err
}

// connectTLS returns both ends of a TLS connection after their handshake, and the connection below out.
func connectTLS(t *testing.T) (in, out *tls.Conn, wire *holding) {
	t.Helper()
	server := httptest.NewTLSServer(nil) // has a certificate
	t.Cleanup(server.Close)
	i, o := connect(t)
	wire = &holding{Conn: o}
	in = tls.Server(i, &tls.Config{Certificates: server.TLS.Certificates})
	out = tls.Client(wire, &tls.Config{InsecureSkipVerify: true}) // #nosec G402 -- a test
	shaken := make(chan error)
	go func() { shaken <- in.Handshake() }()
	if err := errors.Join(out.Handshake(), <-shaken); err != nil {
		t.Fatal(err)
	}
	return in, out, wire
}

// streams returns both ends of a stream of each kind. Bytes that are written to one end are read from the
// other.
func streams(t *testing.T) map[string]func() (clock.Stream, io.WriteCloser) {
	return map[string]func() (clock.Stream, io.WriteCloser){
		"socket": func() (clock.Stream, io.WriteCloser) { return connect(t) },
		"tls": func() (clock.Stream, io.WriteCloser) {
			in, out, _ := connectTLS(t)
			return in, out
		},
		"pipe": func() (clock.Stream, io.WriteCloser) {
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { in.Close(); out.Close() })
			return in, out
		},
	}
}

// arrived waits until what was written to the other end is in a stream.
func arrived(t *testing.T, in clock.Stream) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !clock.Readable(in); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("nothing arrives")
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Bytes in the stream at the time of the call are read and handled before the stream counts as drained. Drained
// does not wait for later bytes.
func TestDrained(t *testing.T) {
	for name, open := range streams(t) {
		t.Run(name, func(t *testing.T) {
			in, out := open()
			r := clock.NewReader(in)
			if _, err := out.Write([]byte("answer")); err != nil {
				t.Fatal(err)
			}
			arrived(t, in)
			first, buffer := r.Drained(), make([]byte, 4)
			for _, want := range []string{"answ", "er"} {
				n, err := r.Read(buffer)
				if string(buffer[:n]) != want || err != nil {
					t.Fatalf("read %q, %v", buffer[:n], err)
				}
				if isClosed(first) {
					t.Fatalf("drained before %q is handled", want)
				}
			}
			read := make(chan string)
			go func() {
				n, err := r.Read(buffer)
				if err != nil {
					t.Error(err)
				}
				read <- string(buffer[:n])
				_, err = r.Read(buffer)
				read <- err.Error()
			}()
			<-first
			<-r.Drained() // while the reader waits
			if _, err := out.Write([]byte("more")); err != nil {
				t.Fatal(err)
			}
			if got := <-read; got != "more" {
				t.Errorf("read %q after the looks", got)
			}
			if err := out.Close(); err != nil {
				t.Fatal(err)
			}
			if got := <-read; got != io.EOF.Error() {
				t.Errorf("at the end: %s", got)
			}
			open := r.Drained()
			r.Close()
			<-open
			<-r.Drained()
		})
	}
}

// A deadline of the reader's own is still noticed, and nobody waits for a reader that is held back.
func TestReaderKeepsItsDeadline(t *testing.T) {
	for name, open := range streams(t) {
		t.Run(name, func(t *testing.T) {
			in, _ := open()
			r := clock.NewReader(in)
			if err := r.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			asked := r.Drained()
			if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("at the deadline: %v", err)
			}
			<-asked
			waiting := r.Drained()
			r.Release()
			<-waiting
			<-r.Drained() // and later, while it is held back
			if err := r.SetReadDeadline(time.Now()); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("at the next deadline: %v", err)
			}
			if isClosed(r.Drained()) {
				t.Error("drained before it has read again")
			}
		})
	}
}

// A TLS connection that holds several records is drained after the last one, although its socket is empty.
func TestDrainedRecords(t *testing.T) {
	in, out, wire := connectTLS(t)
	r := clock.NewReader(in)
	wire.hold = true
	for _, text := range []string{"pong", "answer"} {
		if _, err := out.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := wire.flush(); err != nil {
		t.Fatal(err)
	}
	arrived(t, in)
	asked, got, buffer := r.Drained(), "", make([]byte, 100)
	for got != "ponganswer" {
		if isClosed(asked) {
			t.Fatalf("drained after %q", got)
		}
		n, err := r.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buffer[:n])
	}
}

// endless is a stream that always has another byte. A byte that waits in its connection is never read.
type endless struct {
	net.Conn
	reads int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 1 {
		return 0, os.ErrDeadlineExceeded // after a call of Drained
	}
	p[0] = 'x'
	return 1, nil
}

// Drained does not wait endlessly for a sender that sends endlessly.
func TestDrainedInTheEnd(t *testing.T) {
	in, out := streams(t)["socket"]()
	if _, err := out.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	r := clock.NewReader(&endless{Conn: in.(net.Conn)})
	asked, reads := r.Drained(), 0
	for buffer := make([]byte, 100); !isClosed(asked); reads++ {
		if n, err := r.Read(buffer); err != nil || slices.Contains(buffer[:n], 0) {
			t.Fatal(n, err)
		}
		if reads > 1000 {
			t.Fatal("still not drained")
		}
	}
}
