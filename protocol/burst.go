package protocol

import (
	"bufio"
	"net"
	"net/http"
	"time"
)

// burst is a network connection that can hold frames back and write them in one
// piece: a write costs more than all else that is done for a frame.
type burst struct {
	net.Conn
	wait time.Duration // how long a write may take
	lock chan struct{} // holds an element while the rest is used, or written
	hold bool
	rest []byte // held back
}

func newBurst(c net.Conn, wait time.Duration) *burst {
	return &burst{Conn: c, wait: wait, lock: make(chan struct{}, 1)}
}

// Write writes p, or holds it back.
func (b *burst) Write(p []byte) (int, error) {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	if b.hold {
		b.rest = append(b.rest, p...)
		return len(p), nil
	}
	return b.write(p)
}

func (b *burst) write(p []byte) (int, error) {
	if err := b.Conn.SetWriteDeadline(time.Now().Add(b.wait)); err != nil {
		return 0, err
	}
	return b.Conn.Write(p)
}

// SetWriteDeadline does nothing: each write has its own deadline, whoever's
// frames it holds.
func (b *burst) SetWriteDeadline(time.Time) error { return nil }

// gather holds back what is written until release.
func (b *burst) gather() {
	b.lock <- struct{}{}
	b.hold = true
	<-b.lock
}

// held is how many bytes are held back.
func (b *burst) held() int {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	return len(b.rest)
}

// release writes what was held back.
func (b *burst) release() error {
	b.lock <- struct{}{}
	defer func() { <-b.lock }()
	b.hold = false
	if len(b.rest) == 0 {
		return nil
	}
	_, err := b.write(b.rest)
	b.rest = b.rest[:0]
	return err
}

// burstHijacker lets whoever takes over a request's connection have a burst.
type burstHijacker struct {
	http.ResponseWriter
	wait  time.Duration
	burst *burst // the connection, once it is taken over
}

// Hijack takes over the connection.
func (h *burstHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.burst = newBurst(conn, h.wait)
	return h.burst, buffers, nil
}
