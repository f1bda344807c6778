package protocol_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

func TestMoveNotInNotation(t *testing.T) {
	_, b, _, done := botWithRequest(t)
	b.send(move("1", 1, "up"))
	got := <-done
	var notation *rules.NotationError
	if !errors.As(got.err, &notation) || notation.Text != "up" {
		t.Errorf("Choose returned %v, %v; want a NotationError", got.move, got.err)
	}
}

func TestIllegalMoveIsPassedOn(t *testing.T) {
	_, b, _, done := botWithRequest(t)
	b.send(move("1", 1, "(4,4)"))
	wantMove(t, done, rules.Place(15, false)) // for the referee to judge
}

func TestAnswerTooLate(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.startGame("1", p)
	receive[protocol.Start](b)
	ctx, cancel := context.WithCancel(t.Context())
	done := choose(ctx, seat, p)
	receive[protocol.Request](b)
	cancel()
	wantError(t, done, context.Canceled)
	b.send(move("1", 1, "N"))
	b.receiveError(protocol.NotAsked)
	if complaint := seat.Complaint(); !strings.Contains(complaint, "ply 1: no request is open") {
		t.Errorf("the complaint is %q", complaint)
	}
	again := choose(t.Context(), seat, p)
	receive[protocol.Request](b)
	if complaint := seat.Complaint(); complaint != "" {
		t.Errorf("after the next request the complaint is still %q", complaint)
	}
	b.send(move("1", 1, "W"))
	wantMove(t, again, rules.West)
	seat.Over(protocol.Over{Ending: record.Time})
	receive[protocol.Over](b)
	b.send(move("1", 1, "N"))
	b.receiveError(protocol.UnknownGame)
}

// An answer for another game or ply has no effect. It is no strike as long as the
// bot has not answered more often than it was asked.
func TestAnswerForAnotherGameOrPly(t *testing.T) {
	_, b, seat, done := botWithRequest(t)
	for range 4 {
		b.send(move("2", 1, "N"))
		if e := b.receiveError(protocol.UnknownGame); e.Game != "2" || *e.Ply != 1 {
			t.Errorf("the error names game %s, ply %d; want 2, 1", e.Game, *e.Ply)
		}
		b.send(move("1", 9, "N"))
		b.receiveError(protocol.NotAsked)
	}
	if complaint := seat.Complaint(); !strings.Contains(complaint, "move for ply 9: the request is for ply 1") {
		t.Errorf("the complaint is %q", complaint)
	}
	b.send(move("1", 1, "S"))
	wantMove(t, done, rules.South)
}

// Answers without a request are strikes.
func TestUnaskedAnswersAreStrikes(t *testing.T) {
	for name, answer := range map[string]protocol.Move{
		"unknown_game": move("2", 1, "N"),
		"not_asked":    move("1", 9, "N"),
	} {
		a, b, _, _ := botWithRequest(t)
		const spare = 8 + 1 // one for each slot, and one for the request
		for range spare + 3 {
			b.send(answer)
			if e := b.receiveError(protocol.Code(name)); e.Game != answer.Game || *e.Ply != answer.Ply {
				t.Errorf("the error names game %s, ply %d", e.Game, *e.Ply)
			}
		}
		_, _, err := b.ws.ReadMessage()
		if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) || closed.Text != "three strikes: answered more often than asked" {
			t.Errorf("the bot hears %v", err)
		}
		b.ws.Close()
		if err := <-a.ended; !strings.Contains(err.Error(), "three strikes, the last: move for ") {
			t.Errorf("the connection ended with %v", err)
		}
	}
}

// A bot commits no strike even if every answer crosses with the end of its request.
func TestCrossingAnswersAreHonest(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.send(protocol.Hello{Name: "bot"})
	receive[protocol.Welcome](b)
	p := position(t, "2,0/0,2 D 0 1")
	for range 10 {
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		ctx, cancel := context.WithCancel(t.Context())
		done := choose(ctx, seat, p)
		receive[protocol.Request](b)
		cancel()
		wantError(t, done, context.Canceled)
		b.send(move("1", 1, "N")) // too late for the request
		b.receiveError(protocol.NotAsked)
		done = choose(t.Context(), seat, p)
		receive[protocol.Request](b)
		b.send(move("1", 1, "N"))
		wantMove(t, done, rules.North)
		seat.Over(protocol.Over{Ending: record.Time})
		receive[protocol.Over](b)
	}
	if !a.session.Connected() {
		t.Error("the bot was disconnected")
	}
}

// The answer of a bot that leaves at once counts. The loop is needed because
// select chooses at random if several channels are ready.
func TestAnswerBeforeGoodbyeCounts(t *testing.T) {
	for range 20 {
		a := newArena()
		b := dial(t, a.listen(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		ctx := hookedContext{t.Context(), func() {
			b.send(move("1", 1, "N"))
			b.send(protocol.Goodbye{})
			receive[protocol.Start](b)
			receive[protocol.Request](b)
			b.receiveClose(websocket.CloseNormalClosure)
			<-a.ended
		}}
		if m, err := seat.Choose(ctx, p); err != nil || m != rules.North {
			t.Fatalf("Choose returned %v, %v; want N", m, err)
		}
	}
}

// hookedContext calls happen after the request is sent and before Choose waits
// for the answer.
type hookedContext struct {
	context.Context
	happen func()
}

func (e hookedContext) Done() <-chan struct{} {
	e.happen()
	return e.Context.Done()
}

func TestCannotMove(t *testing.T) {
	_, b, seat, done := botWithRequest(t)
	ply := 1
	b.send(protocol.Error{Code: "out_of_coffee", Message: "so tired", Game: "1"})
	b.send(protocol.Error{Code: protocol.CannotMove, Message: "my network is gone", Game: "1", Ply: &ply})
	got := <-done
	if !errors.Is(got.err, players.ErrGone) || !strings.Contains(got.err.Error(), "my network is gone") {
		t.Errorf("Choose returned %v, want %v with the bot's message", got.err, players.ErrGone)
	}
	if complaint := seat.Complaint(); !strings.Contains(complaint, "so tired") {
		t.Errorf("the complaint is %q", complaint)
	}
}

// A bot that is gone has lost its game with the reason on record. The reason names no address of a machine.
func TestWhyGone(t *testing.T) {
	for want, leave := range map[string]func(*bot){
		`: the bot said goodbye: "had enough"`:             func(b *bot) { b.send(protocol.Goodbye{Reason: "had enough"}) },
		": it sent a message of more than max_frame_bytes": func(b *bot) { _ = b.ws.WriteMessage(websocket.TextMessage, make([]byte, 70_000)) },
		": it closed the connection with code 1000": func(b *bot) {
			_ = b.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Time{})
		},
		": its connection was lost": func(b *bot) { b.ws.Close() },
		`: three strikes, the last: a binary frame, want text`: func(b *bot) {
			for range 3 {
				b.write(websocket.BinaryMessage, "x")
			}
		},
	} {
		a, b, seat, done := botWithRequest(t)
		leave(b)
		<-a.ended
		seat.SetGrace(0) // the time is over at once
		if !strings.Contains(want, "goodbye") {
			_, err := seat.Choose(t.Context(), position(t, "2,0/0,2 D 0 1"))
			done = closedChoice(err)
		}
		if got := <-done; !errors.Is(got.err, players.ErrGone) || got.err.Error() != players.ErrGone.Error()+want {
			t.Errorf("the bot is gone: %v, want %s", got.err, want)
		}
	}
}

// closedChoice returns a choice that has failed already.
func closedChoice(err error) <-chan choice {
	done := make(chan choice, 1)
	done <- choice{err: err}
	return done
}

func TestResign(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.StartGame(protocol.Start{Game: "1", Role: rules.Defender, Resign: true}, p)
	if start := receive[protocol.Start](b); !start.Resign {
		t.Errorf("the start message does not allow resigning: %+v", start)
	}
	done := choose(t.Context(), seat, p)
	receive[protocol.Request](b)
	b.send(protocol.Resign{Game: "1", Ply: 3})
	b.receiveError(protocol.NotAsked)
	b.send(protocol.Resign{Game: "2", Ply: 1})
	b.receiveError(protocol.UnknownGame)
	b.send(protocol.Resign{Game: "1", Ply: 1})
	wantError(t, done, players.ErrResigned)
}

// If resigning is not allowed, the request stays open, and the resignation is no strike.
func TestResignNotAllowed(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.startGame("1", p), p)
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	for range 4 {
		b.send(protocol.Resign{Game: "1", Ply: 1})
		b.receiveError(protocol.NoResign)
	}
	b.send(move("1", 1, "N"))
	wantMove(t, done, rules.North)
}

func TestNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		done := choose(ctx, a.startGame("1", p), p)
		receive[protocol.Start](b)
		if r := receive[protocol.Request](b); *r.LeftMS != 3000 {
			t.Errorf("%d ms left, want 3000", *r.LeftMS)
		}
		wantError(t, done, context.DeadlineExceeded)
		wantElapsed(t, began, 3*time.Second)
	})
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, done, _ := askWithPatience(t)
		<-time.After(3999 * time.Millisecond)
		b.send(move("1", 1, "N"))
		wantMove(t, done, rules.North)
	})
	synctest.Test(t, func(t *testing.T) {
		b, _, done, _ := askWithPatience(t)
		<-time.After(4001 * time.Millisecond)
		b.send(move("1", 1, "N"))
		wantError(t, done, context.DeadlineExceeded)
	})
}

func TestPatienceEndsOnCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, done, stop := askWithPatience(t)
		began := time.Now()
		<-time.After(time.Second)
		stop()
		wantError(t, done, context.Canceled)
		wantElapsed(t, began, time.Second)
	})
}

// askWithPatience requests a move within 3 s, in a game with 1 s of patience.
func askWithPatience(t *testing.T) (b *bot, seat *protocol.Seat, done <-chan choice, stop context.CancelFunc) {
	a := newArena()
	b = dialPipe(t, a.pipes(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat = a.startGame("1", p)
	seat.Patience = time.Second
	game, stop := context.WithCancel(t.Context())
	ctx, cancel := context.WithTimeout(game, 3*time.Second)
	t.Cleanup(func() { cancel(); stop() })
	done = choose(ctx, seat, p)
	receive[protocol.Start](b)
	if r := receive[protocol.Request](b); *r.LeftMS != 3000 {
		t.Errorf("%d ms left, want 3000", *r.LeftMS)
	}
	return b, seat, done, stop
}

func TestLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		for spent, want := range map[int64]time.Duration{
			80_000:  20 * time.Millisecond,
			100_000: 0,
			100_001: 0, // longer than the arena waited
			0:       0,
			-5:      0,
			1 << 62: 0,
		} {
			done := choose(t.Context(), seat, p)
			receive[protocol.Request](b)
			<-time.After(100 * time.Millisecond)
			b.send(protocol.Move{Game: "1", Ply: 1, Move: "N", SpentUS: spent})
			<-done
			if got := seat.Lag(); got != want {
				t.Errorf("a bot that says it spent %d us: lag %v, want %v", spent, got, want)
			}
		}
	})
}

// The round trip is measured by pings. It does not depend on the bot's thinking
// time.
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
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		done := choose(t.Context(), seat, p)
		receive[protocol.Request](b)
		<-time.After(time.Second)
		b.send(protocol.Move{Game: "1", Ply: 1, Move: "N", SpentUS: 1})
		wantMove(t, done, rules.North)
		if got := seat.RoundTrip(); got != 40*time.Millisecond {
			t.Errorf("the round trip is %v, want 40ms", got)
		}
	})
}
