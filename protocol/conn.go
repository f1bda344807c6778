package protocol

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Conn is one WebSocket connection. Once run, it has one goroutine that reads
// and one that writes.
type Conn struct {
	ws     *websocket.Conn
	limits Limits
	pings  bool // this end pings; the other end answers
	out    chan []byte
	once   sync.Once
	ending chan struct{} // closed when the connection is to end
	code   int           // of the close frame; set before ending is closed
	reason string
}

func newConn(ws *websocket.Conn, limits Limits, pings bool) *Conn {
	return &Conn{ws: ws, limits: limits, pings: pings, out: make(chan []byte, limits.Queue), ending: make(chan struct{})}
}

// maxStrikes is how many messages of bad form end a connection.
const maxStrikes = 3

var (
	errBinary   = errors.New("a binary frame")
	errStrikes  = errors.New("too many messages of bad form")
	errOverflow = errors.New("the other end reads too slowly")
)

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

// end makes the connection end after what is queued. Only the first call counts.
func (c *Conn) end(code int, reason string) {
	c.once.Do(func() {
		c.code, c.reason = code, reason
		close(c.ending)
	})
}

// run reads messages until the connection ends, and returns why. handle is
// called for each message, in order; strike for each frame of bad form.
func (c *Conn) run(ctx context.Context, handle func(Message) error, strike func(*FormError)) error {
	stop := context.AfterFunc(ctx, func() { c.end(websocket.CloseGoingAway, "closing") })
	defer stop()
	var writer sync.WaitGroup
	writer.Go(c.write)
	err := c.read(handle, strike)
	switch {
	case errors.Is(err, errStrikes):
		c.end(websocket.ClosePolicyViolation, err.Error())
	default:
		c.end(websocket.CloseNormalClosure, "")
	}
	writer.Wait()
	return err
}

func (c *Conn) read(handle func(Message) error, strike func(*FormError)) error {
	c.ws.SetReadLimit(c.limits.MaxFrame)
	c.stayAwake()
	for strikes := 0; ; {
		m, err := c.receive()
		var form *FormError
		switch {
		case errors.As(err, &form):
			strike(form)
			if strikes++; strikes == maxStrikes {
				return fmt.Errorf("%w, the last: %w", errStrikes, form)
			}
		case err != nil:
			return err
		default:
			if err := handle(m); err != nil {
				return err
			}
		}
	}
}

// receive reads one message. A *FormError concerns that message alone.
func (c *Conn) receive() (Message, error) {
	kind, text, err := c.ws.ReadMessage()
	if err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	c.awake()
	if kind != websocket.TextMessage {
		return nil, &FormError{Malformed, errBinary.Error() + ", want text"}
	}
	return Decode(text)
}

// stayAwake lets each sign of life of the other end put off the deadline for
// the next one.
func (c *Conn) stayAwake() {
	c.awake()
	c.ws.SetPongHandler(func(string) error { c.awake(); return nil })
	answer := c.ws.PingHandler()
	c.ws.SetPingHandler(func(data string) error {
		c.awake()
		return answer(data)
	})
}

func (c *Conn) awake() {
	_ = c.ws.SetReadDeadline(time.Now().Add(c.limits.PongWait)) // fails only on a closed connection
}

// write writes what is queued until the connection ends, then the rest and a
// close frame.
func (c *Conn) write() {
	defer c.ws.Close()
	var ping <-chan time.Time
	if c.pings {
		ticker := time.NewTicker(c.limits.PingEvery)
		defer ticker.Stop()
		ping = ticker.C
	}
	for {
		var err error
		select {
		case text := <-c.out:
			err = c.writeFrame(text)
		case <-ping:
			err = c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(c.limits.WriteWait))
		case <-c.ending:
			c.writeRest()
			return
		}
		if err != nil {
			c.end(websocket.CloseAbnormalClosure, "") // the reader learns of it by itself
			return
		}
	}
}

func (c *Conn) writeFrame(text []byte) error {
	if err := c.ws.SetWriteDeadline(time.Now().Add(c.limits.WriteWait)); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.TextMessage, text)
}

// writeRest writes what is still queued, and says goodbye to the socket. The
// other end may be gone: then nothing of it matters.
func (c *Conn) writeRest() {
	for {
		select {
		case text := <-c.out:
			if c.writeFrame(text) != nil {
				return
			}
		default:
			last := websocket.FormatCloseMessage(c.code, c.reason)
			_ = c.ws.WriteControl(websocket.CloseMessage, last, time.Now().Add(c.limits.WriteWait))
			return
		}
	}
}
