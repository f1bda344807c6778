package protocol

import (
	"errors"
	"runtime"
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
			err = c.writeBurst(text)
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

// maxBurst is how many bytes are written in one piece, and a frame more.
const maxBurst = 16 << 10

// writeBurst writes a message together with what is queued behind it.
func (c *Conn) writeBurst(text []byte) error {
	if c.shared {
		runtime.Gosched() // those games go first that are about to queue something
	}
	c.burst.gather()
	err := c.writeFrame(text)
	for err == nil && len(c.out) > 0 && c.burst.held() < maxBurst {
		err = c.writeFrame(<-c.out)
	}
	return errors.Join(err, c.burst.release())
}

func (c *Conn) writeFrame(text []byte) error {
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
