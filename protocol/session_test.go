package protocol_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

func TestNameInUse(t *testing.T) {
	a := newArena()
	url := a.listen(t)
	first, second := dial(t, url), dial(t, url)
	first.join()
	second.send(protocol.Hello{Name: "bot"})
	if refusal := receive[protocol.Refusal](second); refusal.Code != protocol.NameInUse {
		t.Errorf("refused with %q, want %q", refusal.Code, protocol.NameInUse)
	}
	second.receiveClose(websocket.ClosePolicyViolation)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.startGame("1", p), p)
	receive[protocol.Start](first)
	receive[protocol.Request](first)
	first.send(move("1", 1, "E"))
	wantMove(t, done, rules.East)
}

func TestBotSaysGoodbye(t *testing.T) {
	a, b, seat, done := botWithRequest(t)
	b.send(protocol.Goodbye{Reason: "that's all"})
	wantError(t, done, players.ErrGone)
	b.receiveClose(websocket.CloseNormalClosure)
	b.ws.Close()
	<-a.ended
	if _, err := seat.Choose(t.Context(), position(t, "2,0/0,2 D 0 1")); !errors.Is(err, players.ErrGone) {
		t.Errorf("asked again: %v, want %v", err, players.ErrGone)
	}
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.session.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("before the bot connected: %v", err)
		}
		b := dialPipe(t, a.pipes(t))
		arrived := make(chan error)
		go func() { arrived <- a.session.Wait(t.Context()) }()
		b.join()
		if err := <-arrived; err != nil {
			t.Error(err)
		}
	})
}

func TestNeverConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		session := protocol.NewSession(protocol.Hello{Name: "bot"}, grace)
		p := position(t, "2,0/0,2 D 0 1")
		if _, err := session.StartGame(protocol.Start{Game: "1"}, p).Choose(t.Context(), p); !errors.Is(err, players.ErrGone) {
			t.Errorf("Choose returned %v, want %v", err, players.ErrGone)
		}
		wantElapsed(t, began, grace)
	})
}

func TestReconnectWithinGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		open := a.pipes(t)
		b := dialPipe(t, open)
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		for _, m := range []rules.Move{rules.North, rules.Place(4, false)} {
			p = p.Next(m)
			seat.Played(m)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		done := choose(ctx, seat, p)
		if r := receive[protocol.Request](b); r.Ply != 3 || len(r.Moves) != 2 {
			t.Errorf("the request is %+v, want ply 3 and the two moves that lead there", r)
		}
		b.ws.Close()
		<-a.ended
		if a.session.Connected() {
			t.Error("the session has not noticed the loss")
		}

		<-time.After(grace - time.Millisecond)
		b = dialPipe(t, open)
		if games := b.join().Games; !slices.Equal(games, []string{"1"}) {
			t.Errorf("games in progress: %q, want game 1", games)
		}
		if start := receive[protocol.Start](b); !start.Resumed || start.Ply != 3 {
			t.Errorf("start is %+v, want the game resumed at ply 3", start)
		}
		if r := receive[protocol.Request](b); r.Ply != 3 || *r.LeftMS != 60_000 || len(r.Moves) != 0 {
			t.Errorf("the request is %+v with %d ms left, want ply 3, no moves and all of its minute", r, *r.LeftMS)
		}
		<-time.After(time.Second) // beyond the end of the first grace period
		b.send(move("1", 3, "W"))
		wantMove(t, done, rules.West)
	})
}

func TestNoReconnectWithinGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		open := a.pipes(t)
		b := dialPipe(t, open)
		b.join()
		b.ws.Close()
		<-a.ended
		lost := time.Now()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		<-time.After(grace / 2)
		_, err := seat.Choose(t.Context(), p) // the grace period began with the loss, not with the request
		if !errors.Is(err, players.ErrGone) {
			t.Errorf("Choose returned %v, want %v", err, players.ErrGone)
		}
		wantElapsed(t, lost, grace)
		if _, err = seat.Choose(t.Context(), p); !errors.Is(err, players.ErrGone) {
			t.Errorf("asked again: %v, want %v", err, players.ErrGone)
		}
		wantElapsed(t, lost, grace)

		b = dialPipe(t, open) // the bot may still connect for later games
		b.join()
		receive[protocol.Start](b)
		done := choose(t.Context(), seat, p)
		receive[protocol.Request](b)
		b.send(move("1", 1, "W"))
		wantMove(t, done, rules.West)
	})
}
