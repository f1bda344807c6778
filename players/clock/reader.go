package clock

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// Stream is what a Reader reads: a socket or a pipe.
type Stream interface {
	io.Reader
	SetReadDeadline(t time.Time) error
}

// Reader reads a stream of answers, and can tell when all that had arrived has been read. A deadline that
// has passed means little in a process that is overloaded: the answer may lie in the socket. One goroutine
// reads; Drained and SetReadDeadline may be called by others.
type Reader struct {
	from Stream
	// Used by the goroutine that reads:
	found []byte    // by a look, still to be read
	read  time.Time // when the last bytes were read

	mu     sync.Mutex
	until  time.Time       // the deadline of reads
	looks  []chan struct{} // asked for; each is closed when it has ended
	begun  int             // how many of them have been made
	held   bool            // from Release to the next Read
	closed bool
}

const (
	mostReads = 64               // of a look
	readWait  = time.Millisecond // for each, where only a part of a TLS record lies in the socket
)

// NewReader returns a reader of a stream.
func NewReader(from Stream) *Reader { return &Reader{from: from} }

// Read implements io.Reader. A reader that asks for more has handled all that it got before.
func (r *Reader) Read(p []byte) (int, error) {
	r.proceed()
	for len(r.found) == 0 {
		n, err := r.from.Read(p)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) || !r.look(len(p)) {
			r.read = time.Now()
			return n, err
		}
	}
	n := copy(p, r.found)
	r.found = r.found[n:]
	return n, nil
}

// LastRead returns when the bytes of the last Read were read. It is for the goroutine that reads.
func (r *Reader) LastRead() time.Time { return r.read }

// SetReadDeadline sets the deadline of Read.
func (r *Reader) SetReadDeadline(t time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = t
	return r.arm()
}

// Drained returns a channel that is closed when the reader has handled all that had arrived before, or
// waits, or has ended.
func (r *Reader) Drained() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	look := make(chan struct{})
	if r.looks = append(r.looks, look); r.held || r.closed || r.arm() != nil { // some streams have no deadlines
		r.begun = len(r.looks)
		r.end()
	}
	return look
}

// Release ends all looks at once, and until the next Read those that are asked for: the other end is held back, or
// sends nothing more that counts.
func (r *Reader) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = true
	r.begun = len(r.looks)
	r.end()
}

// Close releases those who wait, now and later. It does not close the stream.
func (r *Reader) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.Release()
}

// arm sets the deadline of the stream: none is left while somebody waits for a look. The caller holds the
// lock.
func (r *Reader) arm() error {
	if len(r.looks) > r.begun {
		return r.from.SetReadDeadline(time.Now())
	}
	return r.from.SetReadDeadline(r.until)
}

// look reads all that lies in the stream, for those who wait for that, and reports whether somebody does.
// It takes what has arrived and waits for nothing, so that nobody gains time by sending more and more.
func (r *Reader) look(size int) bool {
	r.mu.Lock()
	r.begun = len(r.looks)
	wanted := r.begun > 0
	r.mu.Unlock()
	if !wanted {
		return false
	}
	r.read = time.Now()
	for reads := 0; reads < mostReads && readable(r.from); reads++ {
		if !r.take(make([]byte, size)) {
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.found) == 0 {
		r.end()
	}
	_ = r.arm() // fails only on a closed stream, which the next Read notices
	return true
}

// take reads once, and reports whether more can be read: of a stream that has ended, the next Read says so.
func (r *Reader) take(buffer []byte) bool {
	if r.from.SetReadDeadline(time.Now().Add(readWait)) != nil {
		return false
	}
	n, err := r.from.Read(buffer)
	r.found = append(r.found, buffer[:n]...)
	return err == nil || errors.Is(err, os.ErrDeadlineExceeded)
}

// readable reports whether something lies in a stream. Below TLS, that may be a part of what it takes.
func readable(stream any) bool {
	for {
		outer, ok := stream.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		stream = outer.NetConn()
	}
	of, ok := stream.(syscall.Conn)
	if !ok {
		return false // such as a net.Pipe, in which nothing can lie
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return false
	}
	found := false
	err = raw.Control(func(descriptor uintptr) { found = holds(descriptor) })
	return err == nil && found
}

// proceed records that the caller reads again: the caller has handled the bytes of the earlier looks, which end.
func (r *Reader) proceed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = false
	if len(r.found) == 0 {
		r.end()
	}
}

// end ends the looks that have been made. The caller holds the lock.
func (r *Reader) end() {
	for _, look := range r.looks[:r.begun] {
		close(look)
	}
	r.looks = r.looks[r.begun:]
	r.begun = 0
}
