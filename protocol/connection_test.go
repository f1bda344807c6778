package protocol_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

func TestMalformedMessages(t *testing.T) {
	for _, junk := range []struct {
		frame, problem string
		code           protocol.Code
	}{
		{`{"type":`, "byte 8", protocol.Malformed},
		{`[1,2]`, "is a JSON array, want an object", protocol.Malformed},
		{`{"ply":1}`, `"type" is missing`, protocol.Malformed},
		{`{"type":7}`, `"type" is a JSON number, want a string`, protocol.Malformed},
		{`{"type":"mvoe"}`, `type "mvoe"`, protocol.UnknownType},
		{`{"type":"move","game":"1","ply":"one","move":"N"}`, `"ply" of the move is a string, want an integer`, protocol.Malformed},
		{`{"type":"move","game":"1","ply":1}`, `"move" of the move is missing`, protocol.Malformed},
		{`{"type":"move","game":null,"ply":1,"move":"N"}`, `"game" of the move is null`, protocol.Malformed},
		{`{"type":"hello","name":"bot"}`, "a hello is not", protocol.UnknownType},
		{"{\"type\":\"goodbye\",\"reason\":\"\xff\"}", "not UTF-8", protocol.Malformed},
	} {
		t.Run(junk.problem, func(t *testing.T) {
			a, b, seat, _ := botWithRequest(t)
			for range 3 {
				b.write(websocket.TextMessage, junk.frame)
				if e := b.receiveError(junk.code); !strings.Contains(e.Message, junk.problem) {
					t.Errorf("the problem is %q, want %q in it", e.Message, junk.problem)
				}
			}
			b.receiveClose(websocket.ClosePolicyViolation)
			b.ws.Close()
			var form *protocol.FormatError
			if err := <-a.ended; !errors.As(err, &form) {
				t.Errorf("the connection ended with %v, want a FormatError", err)
			}
			if complaint := seat.Complaint(); !strings.Contains(complaint, junk.problem) {
				t.Errorf("the complaint is %q", complaint)
			}
		})
	}
}

func TestTwoStrikes(t *testing.T) {
	_, b, _, done := botWithRequest(t)
	b.write(websocket.TextMessage, "junk")
	b.receiveError(protocol.Malformed)
	b.write(websocket.BinaryMessage, `{"type":"move","game":"1","ply":1,"move":"N"}`)
	b.receiveError(protocol.Malformed)
	b.write(websocket.TextMessage, `{"type":"move","game":"1","ply":1,"move":"N","mood":"good"}`)
	wantMove(t, done, rules.North)
}

// The arena closes the connection after the header, without reading the frame.
func TestHugeFrame(t *testing.T) {
	a, b, _, _ := botWithRequest(t)
	const text, masked, long = 0x81, 0x80, 127
	header := binary.BigEndian.AppendUint64([]byte{text, masked | long}, 100<<20)
	header = append(header, 0, 0, 0, 0) // the mask
	if _, err := b.ws.NetConn().Write(header); err != nil {
		t.Fatal(err)
	}
	b.receiveClose(websocket.CloseMessageTooBig)
	b.ws.Close()
	if err := <-a.ended; !errors.Is(err, websocket.ErrReadLimit) {
		t.Errorf("the connection ended with %v, want the read limit", err)
	}
}

// The limit also applies to the sum of a message's fragments.
func TestLongFragmentedMessage(t *testing.T) {
	a, b, _, _ := botWithRequest(t)
	w, err := b.ws.NextWriter(websocket.TextMessage)
	if err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 4<<10)
	for err == nil { // until the arena closes the connection
		_, err = w.Write(part)
	}
	if err := <-a.ended; !errors.Is(err, websocket.ErrReadLimit) {
		t.Errorf("the connection ended with %v, want the read limit", err)
	}
}

func TestNoPong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		began := time.Now()
		b.ws.SetPingHandler(func(string) error { return nil })
		go b.ws.ReadMessage()
		if err := <-a.ended; !strings.Contains(err.Error(), "no sign of life") {
			t.Errorf("the connection ended with %v", err)
		}
		wantElapsed(t, began, a.limits.PongWait)
	})
}

func TestPongsKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		go b.ws.ReadMessage() // answers pings
		<-time.After(time.Hour)
		if !a.session.Connected() {
			t.Error("the connection was lost although the bot answered pings")
		}
	})
}

// The pipe has no buffer: the writer waits until its first message is read, and
// the other messages wait in the queue.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.limits.Queue = 4
		b := dialPipe(t, a.pipes(t))
		b.send(protocol.Hello{Name: "bot", Slots: 1})
		receive[protocol.Welcome](b)
		p := position(t, "2,0/0,2 D 0 1")
		room := 1 + 4 + 4 // the writer's, the queue's, and the slot's
		for range room {
			a.startGame("1", p)
			synctest.Wait()
		}
		<-time.After(2 * a.limits.CloseWait)
		if !a.session.Connected() {
			t.Fatal("the bot was lost before its queue was full")
		}
		a.startGame("1", p)
		<-a.ended
		if a.session.Connected() {
			t.Error("the bot is still connected although its queue is full")
		}
	})
}

// Once both close frames are sent, neither end waits for the other.
func TestCloseFramesEndConnection(t *testing.T) {
	for name, leave := range map[string]func(*arena, *bot){
		"the bot says goodbye":   func(_ *arena, b *bot) { b.send(protocol.Goodbye{Reason: "enough"}) },
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
				b.join()
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
				wantElapsed(t, began, 0)
			})
		})
	}
}

// The arena closes the socket if the bot does not answer its close frame.
func TestCloseFrameNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		b.ws.SetCloseHandler(func(int, string) error { return nil })
		began := time.Now()
		go a.session.Goodbye("enough", false)
		receive[protocol.Goodbye](b)
		b.receiveClose(websocket.CloseGoingAway)
		<-a.ended
		wantElapsed(t, began, a.limits.CloseWait)
	})
}
