package protocol_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// took fails unless exactly that much of the bubble's time has passed.
func took(t *testing.T, since time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(since); got != want {
		t.Errorf("it took %v, want %v", got, want)
	}
}

func TestNoHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		began := time.Now()
		if refusal := hear[protocol.Refusal](b); refusal.Code != protocol.BadHello || refusal.Message != "no hello within 10s" {
			t.Errorf("refused with %q: %q", refusal.Code, refusal.Message)
		}
		took(t, began, a.limits.HelloTime)
		b.hearClose(websocket.ClosePolicyViolation)
	})
}

func TestNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.enter()
		p := position(t, "2,0/0,2 D 0 1")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		done := choose(ctx, a.sit("1", p), p)
		hear[protocol.Start](b)
		if r := hear[protocol.Request](b); *r.LeftMS != 3000 {
			t.Errorf("%d ms left, want 3000", *r.LeftMS)
		}
		wantError(t, done, context.DeadlineExceeded)
		took(t, began, 3*time.Second)
	})
}

func TestNoPong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.enter()
		began := time.Now()
		b.ws.SetPingHandler(func(string) error { return nil })
		go b.ws.ReadMessage()
		if err := <-a.ended; !strings.Contains(err.Error(), "no sign of life") {
			t.Errorf("the connection ended with %v", err)
		}
		took(t, began, a.limits.PongWait)
	})
}

func TestPongsKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.enter()
		go b.ws.ReadMessage() // answers pings
		<-time.After(time.Hour)
		if !a.session.Connected() {
			t.Error("the bot was lost though it answered")
		}
	})
}

func TestReconnectWithinGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		open := a.pipes(t)
		b := dialPipe(t, open)
		b.enter()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.sit("1", p)
		hear[protocol.Start](b)
		for _, m := range []rules.Move{rules.North, rules.Place(4, false)} {
			p = p.Next(m)
			seat.Played(m)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		done := choose(ctx, seat, p)
		if r := hear[protocol.Request](b); r.Ply != 3 || len(r.Moves) != 2 {
			t.Errorf("the request is %+v, want ply 3 and the two moves that lead there", r)
		}
		b.ws.Close()
		<-a.ended
		if a.session.Connected() {
			t.Error("the session has not noticed the loss")
		}

		<-time.After(grace - time.Millisecond)
		b = dialPipe(t, open)
		if games := b.enter().Games; !slices.Equal(games, []string{"1"}) {
			t.Errorf("games in progress: %q, want game 1", games)
		}
		if start := hear[protocol.Start](b); !start.Resumed || start.Ply != 3 {
			t.Errorf("start is %+v, want the game resumed at ply 3", start)
		}
		left := time.Minute - grace + time.Millisecond
		if r := hear[protocol.Request](b); r.Ply != 3 || *r.LeftMS != left.Milliseconds() || len(r.Moves) != 0 {
			t.Errorf("the request is %+v with %d ms left, want ply 3, no moves and %v", r, *r.LeftMS, left)
		}
		<-time.After(time.Second) // past the end of the first grace period
		b.say(move("1", 3, "W"))
		wantMove(t, done, rules.West)
	})
}

func TestNoReconnectWithinGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		open := a.pipes(t)
		b := dialPipe(t, open)
		b.enter()
		b.ws.Close()
		<-a.ended
		lost := time.Now()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.sit("1", p)
		<-time.After(grace / 2)
		_, err := seat.Choose(t.Context(), p) // grace does not begin with the request
		if !errors.Is(err, players.ErrGone) {
			t.Errorf("chosen: %v, want %v", err, players.ErrGone)
		}
		took(t, lost, grace)
		if _, err = seat.Choose(t.Context(), p); !errors.Is(err, players.ErrGone) {
			t.Errorf("asked again: %v, want %v", err, players.ErrGone)
		}
		took(t, lost, grace)

		b = dialPipe(t, open) // for the next game it is welcome
		b.enter()
		hear[protocol.Start](b)
		done := choose(t.Context(), seat, p)
		hear[protocol.Request](b)
		b.say(move("1", 1, "W"))
		wantMove(t, done, rules.West)
	})
}

func TestNeverConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		session := protocol.NewSession(protocol.Hello{Name: "bot"}, grace)
		p := position(t, "2,0/0,2 D 0 1")
		if _, err := session.Sit(protocol.Start{Game: "1"}, p).Choose(t.Context(), p); !errors.Is(err, players.ErrGone) {
			t.Errorf("chosen: %v, want %v", err, players.ErrGone)
		}
		took(t, began, grace)
	})
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.session.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting for nobody: %v", err)
		}
		b := dialPipe(t, a.pipes(t))
		arrived := make(chan error)
		go func() { arrived <- a.session.Wait(t.Context()) }()
		b.enter()
		if err := <-arrived; err != nil {
			t.Error(err)
		}
	})
}

// The pipe holds nothing: the first message that is not read keeps the writer,
// and those after it wait in the queue.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		a.limits.Queue = 4
		b := dialPipe(t, a.pipes(t))
		b.say(protocol.Hello{Name: "bot", Slots: 1})
		hear[protocol.Welcome](b)
		p := position(t, "2,0/0,2 D 0 1")
		room := 1 + 4 + 4 // the writer's, the queue's, and the slot's
		for range room {
			a.sit("1", p)
			synctest.Wait()
		}
		<-time.After(2 * a.limits.CloseWait)
		if !a.session.Connected() {
			t.Fatal("the bot was lost before its queue was full")
		}
		a.sit("1", p)
		<-a.ended
		if a.session.Connected() {
			t.Error("the bot is still there though its queue is full")
		}
	})
}

func TestLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.enter()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.sit("1", p)
		hear[protocol.Start](b)
		for spent, want := range map[int64]time.Duration{
			80_000:  20 * time.Millisecond,
			100_000: 0,
			100_001: 0, // longer than the arena waited
			0:       0,
			-5:      0,
			1 << 62: 0,
		} {
			done := choose(t.Context(), seat, p)
			hear[protocol.Request](b)
			<-time.After(100 * time.Millisecond)
			b.say(protocol.Move{Game: "1", Ply: 1, Move: "N", SpentUS: spent})
			<-done
			if got := seat.Lag(); got != want {
				t.Errorf("a bot that says it spent %d us: lag %v, want %v", spent, got, want)
			}
		}
	})
}
