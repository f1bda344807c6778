package protocol_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
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
		{`{"type":"hello","name":"bot"}`, "a bot must not send a hello now", protocol.UnknownType},
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

// chatter sends a message each second until the connection ends. It returns a function that waits for that end.
func chatter(b *bot) (wait func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for b.ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"error","code":"busy","message":""}`)) == nil {
			<-time.After(time.Second)
		}
	}()
	return func() { <-ended }
}

// A bot that never reads is noticed, although it sends something all the time.
func TestNoPongButMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.limits.PingEvery, a.limits.PongWait = time.Second, 3*time.Second
		b := dialPipe(t, a.pipes(t))
		b.ws.SetPingHandler(func(string) error { return nil })
		b.join()
		began := time.Now()
		go b.ws.ReadMessage() // takes everything, answers nothing
		defer chatter(b)()
		if err := <-a.ended; !strings.Contains(err.Error(), "does not answer pings") {
			t.Errorf("the connection ended with %v", err)
		}
		wantElapsed(t, began, a.limits.PongWait)
	})
}

// A bot that takes nothing from its socket is noticed when a write has waited for
// WriteWait, although it sends something all the time.
func TestBotThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		defer chatter(b)()
		began := time.Now()
		a.startGame("1", position(t, "2,0/0,2 D 0 1"))
		if err := <-a.ended; !strings.Contains(err.Error(), "timeout") {
			t.Errorf("the connection ended with %v", err)
		}
		wantElapsed(t, began, a.limits.WriteWait)
	})
}

// A message must be complete in time, even if its fragments and pongs arrive all
// the time.
func TestMessageDeadline(t *testing.T) {
	for name, keepAlive := range map[string]func(*bot, io.Writer){
		"fragments": func(_ *bot, w io.Writer) { _, _ = w.Write(bytes.Repeat([]byte(" "), 300)) },
		"pongs": func(b *bot, _ io.Writer) {
			_ = b.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newArena()
				b := dialPipe(t, a.pipes(t))
				b.join()
				go b.ws.ReadMessage() // answers pings
				w, err := b.ws.NextWriter(websocket.TextMessage)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = w.Write(bytes.Repeat([]byte(" "), 300)) // more than one frame
				began := time.Now()
				tick := time.NewTicker(700 * time.Millisecond) // not when the arena pings: pipes have no buffer
				defer tick.Stop()
				for open := true; open; {
					select {
					case err := <-a.ended:
						open = false
						if !strings.Contains(err.Error(), "a message was not complete in time") {
							t.Errorf("the connection ended with %v", err)
						}
					case <-tick.C:
						keepAlive(b, w)
					}
				}
				if took := time.Since(began); took < a.limits.MessageTime || took > a.limits.MessageTime+a.limits.CloseWait {
					t.Errorf("it took %v, want %v", took, a.limits.MessageTime)
				}
			})
		})
	}
}

// Unasked messages slow down the reading of their own connection, and of no other one.
func TestUnaskedMessagesAreThrottled(t *testing.T) {
	for name, noise := range map[string]func(*bot) error{
		"errors": func(b *bot) error {
			return b.ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"error","code":"busy","message":""}`))
		},
		"pongs": func(b *bot) error {
			return b.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Hour))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newArena()
				b := dialPipe(t, a.pipes(t))
				b.join()
				go b.ws.ReadMessage() // answers pings
				began := time.Now()
				const seconds = 20
				for range (1 + seconds) * a.limits.Unasked { // messages in the first second are free
					if err := noise(b); err != nil {
						t.Fatal(err)
					}
				}
				if took := time.Since(began); took < (seconds-1)*time.Second || took > (seconds+1)*time.Second {
					t.Errorf("it took %v, want about %d s", took, seconds)
				}
			})
		})
	}
}

// Answers to requests are not throttled: the arena sets their pace.
func TestAnswersAreNotThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		began := time.Now()
		for range 3 * a.limits.Unasked { // unasked, all but a third of them would have to wait
			done := choose(t.Context(), seat, p)
			receive[protocol.Request](b)
			b.send(move("1", 1, "N"))
			wantMove(t, done, rules.North)
		}
		wantElapsed(t, began, 0)
	})
}

// Connections that share a throttle share its rate.
func TestSharedThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.limits.Unasked = 0
		a.shared = []*protocol.Throttle{protocol.NewThrottle(0, 1<<10)}
		b := dialPipe(t, a.pipes(t))
		b.join()
		began := time.Now()
		for range 10 {
			b.send(protocol.Error{Code: "busy", Message: strings.Repeat("x", 1<<10)})
		}
		if took := time.Since(began); took < 8*time.Second || took > 12*time.Second {
			t.Errorf("10 KiB took %v, want about 10 s", took)
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
