package protocol

import (
	"time"

	"github.com/gorilla/websocket"
)

// write writes what is queued until the connection ends, then the rest and a
// close frame.
func (c *Conn) write() {
	var ping <-chan time.Time
	var err error
	if c.pings != nil {
		ticker := time.NewTicker(c.limits.PingEvery)
		defer ticker.Stop()
		ping = ticker.C
		if !isClosed(c.ending) {
			err = c.ping() // measures before the first move is asked for
		}
	}
	for {
		if err != nil {
			c.ws.Close() // the reader finds out and tells
			return
		}
		select {
		case text := <-c.out:
			err = c.writeFrame(text)
		case <-ping:
			err = c.ping()
		case <-c.ending:
			c.writeRest()
			return
		}
	}
}

func (c *Conn) ping() error {
	now := time.Now()
	return c.ws.WriteControl(websocket.PingMessage, c.pings.sent(now), now.Add(c.limits.WriteWait))
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
