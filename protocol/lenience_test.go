package protocol_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// patient seats the bot of an arena in a game that waits a second longer than
// the bot is told, and asks it for a move within three.
func patient(t *testing.T) (b *bot, seat *protocol.Seat, done <-chan chosen, stop context.CancelFunc) {
	a := newArena()
	b = dialPipe(t, a.pipes(t))
	b.enter()
	p := position(t, "2,0/0,2 D 0 1")
	seat = a.sit("1", p)
	seat.Patience = time.Second
	game, stop := context.WithCancel(t.Context())
	ctx, cancel := context.WithTimeout(game, 3*time.Second)
	t.Cleanup(func() { cancel(); stop() })
	done = choose(ctx, seat, p)
	hear[protocol.Start](b)
	if r := hear[protocol.Request](b); *r.LeftMS != 3000 {
		t.Errorf("%d ms left, want 3000", *r.LeftMS)
	}
	return b, seat, done, stop
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, done, _ := patient(t)
		<-time.After(3999 * time.Millisecond)
		b.say(move("1", 1, "N"))
		wantMove(t, done, rules.North)
	})
	synctest.Test(t, func(t *testing.T) {
		b, _, done, _ := patient(t)
		<-time.After(4001 * time.Millisecond)
		b.say(move("1", 1, "N"))
		wantError(t, done, context.DeadlineExceeded)
	})
}

func TestPatienceEndsWithTheGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, done, stop := patient(t)
		began := time.Now()
		<-time.After(time.Second)
		stop()
		wantError(t, done, context.Canceled)
		took(t, began, time.Second)
	})
}

// The round trip is what the pings measure, however long the bot thinks and
// whatever it says of that.
func TestRoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.ws.SetPingHandler(func(data string) error {
			deadline := time.Now().Add(time.Second)
			_ = b.ws.WriteControl(websocket.PongMessage, []byte("made up"), deadline)
			<-time.After(40 * time.Millisecond) // there and back
			return b.ws.WriteControl(websocket.PongMessage, []byte(data), deadline)
		})
		b.enter()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.sit("1", p)
		hear[protocol.Start](b)
		done := choose(t.Context(), seat, p)
		hear[protocol.Request](b)
		<-time.After(time.Second)
		b.say(protocol.Move{Game: "1", Ply: 1, Move: "N", SpentUS: 1})
		wantMove(t, done, rules.North)
		if got := seat.RoundTrip(); got != 40*time.Millisecond {
			t.Errorf("the round trip is %v, want 40ms", got)
		}
	})
}
