package protocol_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// Once both close frames are sent nobody waits for the other to close its socket.
func TestCloseFramesEndAConnectionAtOnce(t *testing.T) {
	for name, leave := range map[string]func(*arena, *bot){
		"the bot says goodbye":   func(_ *arena, b *bot) { b.say(protocol.Goodbye{Reason: "enough"}) },
		"the arena says goodbye": func(a *arena, _ *bot) { a.session.Goodbye("enough", false) },
		"the bot strikes thrice": func(_ *arena, b *bot) {
			for range 3 {
				b.write(websocket.TextMessage, "junk")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newArena()
				b := dialPipe(t, a.pipes(t))
				b.enter()
				began := time.Now()
				go leave(a, b)
				var err error
				for err == nil {
					_, _, err = b.ws.ReadMessage() // answers the close frame
				}
				if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) {
					t.Errorf("the connection ends with %v, want a close frame", err)
				}
				<-a.ended
				took(t, began, 0)
			})
		})
	}
}

// An end that does not close is left after a while.
func TestSilenceInsteadOfACloseFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.enter()
		b.ws.SetCloseHandler(func(int, string) error { return nil })
		began := time.Now()
		go a.session.Goodbye("enough", false)
		hear[protocol.Goodbye](b)
		b.hearClose(websocket.CloseGoingAway)
		<-a.ended
		took(t, began, a.limits.CloseWait)
	})
}
