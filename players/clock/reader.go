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

// Stream is a source of bytes for a Reader: a socket or a pipe.
type Stream interface {
	io.Reader
	SetReadDeadline(t time.Time) error
}

// Reader reads a stream of answers, and can tell when everything that had arrived has been read. In an
// overloaded process, a deadline that has passed means little: the answer may already be in the socket. One
// goroutine calls Read and SetReadDeadline; other goroutines may call Drained.
//
// Each call of Drained requests a look: the reading goroutine reads all bytes that are in the stream. The look
// ends when that goroutine has handled them, which it shows by the next Read.
type Reader struct {
	from Stream
	// Used by the goroutine that reads:
	found []byte    // bytes from a look that Read has not returned yet
	read  time.Time // when the last bytes were read

	mu       sync.Mutex
	deadline time.Time       // of Read
	looks    []chan struct{} // the looks that have not ended; each channel is closed at the end
	made     int             // the number of looks that have begun to read: the first ones in the list
	released bool            // from Release to the next Read
	closed   bool
}

const (
	mostReads = 64               // in one look
	readWait  = time.Millisecond // for each read, if only a part of a TLS record is in the socket
)

// NewReader returns a reader of a stream.
func NewReader(from Stream) *Reader { return &Reader{from: from} }

// Read implements io.Reader. A caller that reads again has handled all bytes that it got before.
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

// LastRead returns the time when the bytes of the last Read were read. Only the reading goroutine may call it.
func (r *Reader) LastRead() time.Time { return r.read }

// SetReadDeadline sets the deadline of Read.
func (r *Reader) SetReadDeadline(t time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deadline = t
	return r.arm()
}

// Drained returns a channel that is closed when the reader has handled everything that had arrived before this
// call, or waits for more, or has ended.
func (r *Reader) Drained() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	look := make(chan struct{})
	if r.looks = append(r.looks, look); r.released || r.closed || r.arm() != nil { // some streams have no deadlines
		r.endAll()
	}
	return look
}

// Release ends all looks at once, and each look that is requested before the next Read. Call Release while the other
// end is held back or sends nothing more that counts.
func (r *Reader) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.released = true
	r.endAll()
}

// Close ends all looks, now and later, so that nobody waits for them. It does not close the stream.
func (r *Reader) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.Release()
}

// arm sets the deadline of the stream. While somebody waits for a look, the deadline is now. The caller holds
// the lock.
func (r *Reader) arm() error {
	if len(r.looks) > r.made {
		return r.from.SetReadDeadline(time.Now())
	}
	return r.from.SetReadDeadline(r.deadline)
}

// look makes the requested looks, and reports whether there are any. It takes only bytes that have arrived, with
// mostReads reads at most, so that no bot gains time by sending more and more. After bytes it reads again even if the
// socket is empty: a TLS connection returns one record, and may hold others.
func (r *Reader) look(size int) bool {
	r.mu.Lock()
	r.made = len(r.looks)
	wanted := r.made > 0
	r.mu.Unlock()
	if !wanted {
		return false
	}
	r.read = time.Now()
	for got, more, reads := false, true, 0; more && reads < mostReads; reads++ {
		wait := time.Duration(0)
		if readable(r.from) {
			wait = readWait
		} else if !got {
			break
		}
		got, more = r.take(make([]byte, size), wait)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.found) == 0 {
		r.end()
	}
	_ = r.arm() // fails only on a closed stream, which the next Read notices
	return true
}

// take reads once, and reports whether it got bytes, and whether more can be read. The next Read reports the end of the
// stream.
func (r *Reader) take(buffer []byte, wait time.Duration) (got, more bool) {
	if r.from.SetReadDeadline(time.Now().Add(wait)) != nil {
		return false, false
	}
	n, err := r.from.Read(buffer)
	r.found = append(r.found, buffer[:n]...)
	return n > 0, err == nil || errors.Is(err, os.ErrDeadlineExceeded)
}

// readable reports whether there are bytes in a stream. Under TLS, they may be only a part of a record.
func readable(stream any) bool {
	for {
		outer, ok := stream.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		stream = outer.NetConn()
	}
	conn, ok := stream.(syscall.Conn)
	if !ok {
		return false // for example a net.Pipe, which holds no bytes
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	found := false
	err = raw.Control(func(descriptor uintptr) { found = descriptorReadable(descriptor) })
	return err == nil && found
}

// proceed records that the caller of Read reads again, and so has handled the bytes that Read returned before. If
// these were all bytes of the looks that have been made, the looks end.
func (r *Reader) proceed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.released = false
	if len(r.found) == 0 {
		r.end()
	}
}

// end ends the looks that have been made. The caller holds the lock.
func (r *Reader) end() {
	for _, look := range r.looks[:r.made] {
		close(look)
	}
	r.looks = r.looks[r.made:]
	r.made = 0
}

// endAll ends all looks. The caller holds the lock.
func (r *Reader) endAll() {
	r.made = len(r.looks)
	r.end()
}
