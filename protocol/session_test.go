package protocol_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players"
	"versus2048/players/clock"
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

// away plays at an arena that gives a bot one timed turn of five seconds. The bot leaves after one
// second and stays away.
func away(t *testing.T, budget time.Duration) (a *arena, open func() net.Conn, seat *protocol.Seat, turn *clock.Turn, done <-chan choice) {
	t.Helper()
	a = newArena()
	open = a.pipes(t)
	b := dialPipe(t, open)
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat = a.startGame("1", p)
	seat.SetAway(budget)
	receive[protocol.Start](b)
	turn = clock.NewTurn(nil, 5*time.Second, 0)
	answered := make(chan choice, 1)
	go func() {
		r := seat.Ask(t.Context(), p, turn)
		m, err := r.Move, r.Err
		answered <- choice{m, err}
	}()
	receive[protocol.Request](b)
	<-time.After(time.Second)
	b.ws.Close()
	<-a.ended
	return a, open, seat, turn, answered
}

// A bot that comes back has the time that it had left, however short its turn is.
func TestClockStandsStillWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, open, _, turn, done := away(t, grace)
		<-time.After(12 * time.Second)
		if left, away := a.session.Away(); !away || left != grace-12*time.Second {
			t.Errorf("away %v, %v left of %v after 12 s", away, left, grace)
		}
		b := dialPipe(t, open)
		b.join()
		receive[protocol.Start](b)
		if r := receive[protocol.Request](b); *r.LeftMS != 4000 {
			t.Errorf("%d ms left, want the 4 s that were left", *r.LeftMS)
		}
		if _, away := a.session.Away(); away {
			t.Error("away although it is back")
		}
		<-time.After(4*time.Second - time.Millisecond)
		b.send(move("1", 1, "W"))
		wantMove(t, done, rules.West)
		want := clock.Reading{Used: 5*time.Second - time.Millisecond, Stopped: 12 * time.Second}
		if got := turn.End(); got != want {
			t.Errorf("reading %+v, want %+v", got, want)
		}
	})
}

// A bot that is too late is silent until it gives a sign of life. The arena asks for one at once.
func TestSilentBot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		seat := a.startGame("1", p)
		receive[protocol.Start](b)
		<-time.After(time.Second)
		if err := seat.Ask(t.Context(), p, clock.NewTurn(nil, time.Second, 0)).Err; !errors.Is(err, context.DeadlineExceeded) || !a.session.Silent() || !a.session.Connected() {
			t.Errorf("error %v, silent %t", err, a.session.Silent())
		}
		receive[protocol.Request](b)
		go b.ws.ReadMessage() // answers pings
		synctest.Wait()
		if a.session.Silent() {
			t.Error("silent although it answers pings")
		}
		b.send(move("1", 1, "W"))
		synctest.Wait()
		if complaint := seat.Complaint(); !strings.Contains(complaint, "ply 1: no request is open") {
			t.Errorf("the late answer gets the complaint %q", complaint)
		}
	})
}

// Leaving again and again is no way to think longer: the budget is for the whole game.
func TestAwayTooLongInOneGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, open, seat, _, done := away(t, 10*time.Second)
		<-time.After(7 * time.Second)
		b := dialPipe(t, open)
		b.join()
		receive[protocol.Start](b)
		receive[protocol.Request](b)
		b.ws.Close()
		<-a.ended
		if left, _ := a.session.Away(); left != 3*time.Second {
			t.Errorf("%v left, want 3 s", left)
		}
		lost := time.Now()
		wantError(t, done, players.ErrGone)
		wantElapsed(t, lost, 3*time.Second)

		p := position(t, "2,0/0,2 D 0 1")
		if err := seat.Ask(t.Context(), p, clock.NewTurn(nil, time.Minute, 0)).Err; !errors.Is(err, players.ErrGone) {
			t.Errorf("asked again: %v, want %v", err, players.ErrGone)
		}
		wantElapsed(t, lost, 3*time.Second)
	})
}

// Without a clock there is nothing to gain by leaving: only the grace period counts.
func TestAwayWithoutClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		session := protocol.NewSession(protocol.Hello{Name: "bot"}, grace)
		p := position(t, "2,0/0,2 D 0 1")
		seat := session.StartGame(protocol.Start{Game: "1"}, p)
		seat.SetAway(time.Second)
		began := time.Now()
		if err := seat.Ask(t.Context(), p, clock.NewTurn(nil, clock.Unlimited, 0)).Err; !errors.Is(err, players.ErrGone) {
			t.Errorf("Ask returned %v, want %v", err, players.ErrGone)
		}
		wantElapsed(t, began, grace)
	})
}

// Games of different events over one connection have the grace of their own event.
func TestGraceOfOneGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena()
		b := dialPipe(t, a.pipes(t))
		b.join()
		p := position(t, "2,0/0,2 D 0 1")
		short, long := a.startGame("1", p), a.startGame("2", p)
		short.SetGrace(grace / 2)
		long.SetGrace(2 * grace)
		first, second := choose(t.Context(), short, p), choose(t.Context(), long, p)
		for range 2 {
			receive[protocol.Start](b)
		}
		for range 2 {
			receive[protocol.Request](b)
		}
		began := time.Now()
		b.ws.Close()
		wantError(t, first, players.ErrGone)
		wantElapsed(t, began, grace/2)
		if !a.session.Gone(grace/2) || a.session.Gone(grace) {
			t.Error("the bot is gone from one game, and not from the other")
		}
		late := a.startGame("3", p) // a game that begins while the bot is away
		late.SetGrace(grace)
		third := choose(t.Context(), late, p)
		wantError(t, third, players.ErrGone)
		wantElapsed(t, began, grace)
		wantError(t, second, players.ErrGone)
		wantElapsed(t, began, 2*grace)
	})
}

// A bot that says goodbye has no grace.
func TestGoodbyeDuringTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, open, _, _, done := away(t, grace)
		b := dialPipe(t, open)
		b.join()
		receive[protocol.Start](b)
		receive[protocol.Request](b)
		left := time.Now()
		b.send(protocol.Goodbye{})
		wantError(t, done, players.ErrGone)
		wantElapsed(t, left, 0)
		<-a.ended
	})
}

// stalled is a clock.Source of an arena that stands still.
type stalled struct{}

func (stalled) Running(time.Time) time.Duration { return 0 }

func (stalled) Lag() time.Duration { return 0 }

// While the arena stands still no bot can come back: the grace period waits.
func TestGraceLeavesOutStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		session := protocol.NewSession(protocol.Hello{Name: "bot"}, grace)
		session.SetClock(stalled{})
		<-time.After(10 * grace)
		if left, _ := session.Away(); left != grace {
			t.Errorf("%v left, want %v", left, grace)
		}
	})
}
