package protocol

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Conn is one WebSocket connection. Once run, it has one goroutine that reads
// and one that writes.
type Conn struct {
	ws     *websocket.Conn
	burst  *burst // what ws writes to
	shared bool   // by several games at once
	limits Limits
	pings  *pings       // that this end sends; nil at the end that answers them
	in     bytes.Buffer // the last message; what is decoded keeps nothing of it
	out    chan []byte

	once   sync.Once
	ending chan struct{} // closed when the connection is to end
	code   int           // of the close frame; this and the next are set before ending is closed
	reason string
	hangUp *time.Timer // closes the socket when the last words take too long
}

func newConn(ws *websocket.Conn, burst *burst, limits Limits, pings *pings) *Conn {
	return &Conn{ws: ws, burst: burst, limits: limits, pings: pings, out: make(chan []byte, limits.Queue), ending: make(chan struct{})}
}

// receiver takes what a connection brings, from the goroutine that reads.
type receiver interface {
	// handle takes a message. A *FormError is a strike, any other error ends
	// the connection.
	handle(m Message) error
	// strike hears of a frame of bad form, and tells whether it counts: the
	// third that does ends the connection.
	strike(f *FormError) bool
	// lost hears that nothing more will come, and why.
	lost(why error)
}

var (
	errStrikes  = errors.New("too many messages of bad form")
	errOverflow = errors.New("the other end reads too slowly")
)

// run reads messages until the connection ends, and returns why.
func (c *Conn) run(ctx context.Context, r receiver) error {
	stop := context.AfterFunc(ctx, func() { c.end(websocket.CloseGoingAway, "closing") })
	defer stop()
	var writer sync.WaitGroup
	writer.Go(c.write)
	err := c.read(r)
	r.lost(err)
	if errors.Is(err, errStrikes) {
		c.end(websocket.ClosePolicyViolation, errStrikes.Error())
	}
	c.end(websocket.CloseNormalClosure, "")
	writer.Wait()
	c.close()
	return err
}

// send queues a message. If the queue is full the connection ends: nobody waits
// for a slow reader.
func (c *Conn) send(m Message) error {
	text, err := Encode(m)
	if err != nil {
		return err
	}
	select {
	case c.out <- text:
		return nil
	default:
		c.end(websocket.ClosePolicyViolation, errOverflow.Error())
		return errOverflow
	}
}

// end makes the connection end after what is queued is written. Only the first
// call counts.
func (c *Conn) end(code int, reason string) {
	c.once.Do(func() {
		c.code, c.reason = code, reason
		c.hangUp = time.AfterFunc(c.limits.CloseWait, func() { c.ws.Close() })
		close(c.ending)
	})
}

// close waits for the other end's close frame, the last that it sends, and closes
// the socket. A socket that is closed before all is read from it is reset, and
// the other end might miss the last words.
func (c *Conn) close() {
	var err error
	for err == nil {
		_, _, err = c.ws.NextReader()
	}
	if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) {
		_, _ = io.Copy(io.Discard, c.ws.NetConn()) // until the other end closes, or hangUp
	}
	c.hangUp.Stop()
	c.ws.Close()
}

// Refuse tells the bot why it is not admitted and closes the connection, which
// must not have been served.
func (c *Conn) Refuse(code Code, message string) {
	_ = c.send(Refusal{code, message}) // an empty queue has room
	c.end(websocket.ClosePolicyViolation, string(code))
	c.write()
	c.close()
}
