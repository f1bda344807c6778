package protocol

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/gorilla/websocket"
)

// maxStrikes is how many messages of bad form end a connection.
const maxStrikes = 3

// read passes on messages until the connection ends, and returns why.
func (c *Conn) read(r receiver) error {
	c.ws.SetReadLimit(c.limits.MaxFrame)
	c.stayAwake()
	for strikes := 0; ; {
		m, err := c.receive()
		if err == nil {
			err = r.handle(m)
		}
		var form *FormError
		if err != nil && !errors.As(err, &form) {
			return err
		}
		if form != nil && r.strike(form) {
			strikes++
		}
		if strikes == maxStrikes {
			return fmt.Errorf("%w, the last: %w", errStrikes, form)
		}
	}
}

// receive reads one message. A *FormError concerns that message alone.
func (c *Conn) receive() (Message, error) {
	kind, frame, err := c.ws.NextReader()
	if err == nil {
		c.in.Reset()
		_, err = c.in.ReadFrom(frame)
	}
	if timedOut(err) {
		return nil, fmt.Errorf("no sign of life for too long: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("the connection is lost: %w", err)
	}
	c.awake()
	if kind != websocket.TextMessage {
		return nil, &FormError{Malformed, "a binary frame, want text"}
	}
	return Decode(c.in.Bytes())
}

// stayAwake lets each sign of life of the other end put off the deadline for
// the next one.
func (c *Conn) stayAwake() {
	c.awake()
	c.ws.SetPongHandler(func(data string) error {
		c.awake()
		if c.pings != nil {
			c.pings.answered(data, time.Now())
		}
		return nil
	})
	answer := c.ws.PingHandler()
	c.ws.SetPingHandler(func(data string) error {
		c.awake()
		return answer(data)
	})
}

func (c *Conn) awake() {
	_ = c.ws.SetReadDeadline(time.Now().Add(c.limits.PongWait)) // fails only on a closed connection
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
