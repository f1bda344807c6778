package protocol_test

import (
	"context"
	"testing"
	"time"

	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// The player that was asked before the connection broke thinks on, and is not
// asked again.
func TestClientReconnects(t *testing.T) {
	a, player, _, done := thinking(t)
	a.cut <- struct{}{}
	<-a.ended
	a.wait(t)
	player.move <- rules.South
	wantMove(t, done, rules.South)
	if len(player.asked) > 0 {
		t.Error("the player was asked again")
	}
}

// An arena that crashed after the answer asks again when it is back.
func TestClientRepeatsItsAnswer(t *testing.T) {
	a, player, _, done := thinking(t)
	player.move <- rules.South
	wantMove(t, done, rules.South)
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.Sit(protocol.Start{Game: "1", Role: rules.Defender, Resumed: true}, p)
	wantMove(t, choose(t.Context(), seat, p), rules.South)
	if len(player.asked) > 0 {
		t.Error("the player was asked again")
	}
}

// A game of the same number in another event is another game.
func TestClientKnowsGamesApart(t *testing.T) {
	a, player, _, _ := thinking(t)
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.Sit(protocol.Start{Game: "1", Event: "another", Role: rules.Defender, Resumed: true}, p)
	<-player.stopped
	done := choose(t.Context(), seat, p)
	<-player.asked
	player.move <- rules.East
	wantMove(t, done, rules.East)
}

func TestClientStopsThinkingWhenTheGameIsOver(t *testing.T) {
	_, player, seat, _ := thinking(t)
	seat.Over(protocol.Over{Ending: record.Time})
	<-player.stopped
}

func TestClientStopsThinkingWhenTheGameEndedWithoutIt(t *testing.T) {
	a, player, seat, _ := thinking(t)
	a.gate = make(chan struct{})
	a.cut <- struct{}{}
	<-a.ended
	seat.Over(protocol.Over{Ending: record.Time})
	close(a.gate)
	<-player.stopped
}

func TestClientThinksAnewWhenAskedForAnotherPly(t *testing.T) {
	a, player, seat, _ := thinking(t)
	next := position(t, "2,0/2,2 D 0 3")
	a.cut <- struct{}{} // so that the first question may be taken back
	done := choose(t.Context(), seat, next)
	<-player.stopped
	if got := <-player.asked; got != next {
		t.Errorf("the player was asked for %v, want %v", got, next)
	}
	player.move <- rules.West
	wantMove(t, done, rules.West)
}

// The clock of a request is the context's deadline, less the margin.
func TestClientGivesThePlayerItsTime(t *testing.T) {
	a := newArena()
	left := make(chan time.Duration, 1)
	player := playerFunc(func(ctx context.Context, _ rules.Position) (rules.Move, error) {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		return rules.North, nil
	})
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.wait(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	p := position(t, "2,0/0,2 D 0 1")
	wantMove(t, choose(ctx, a.sit("1", p), p), rules.North)
	if got, most := <-left, time.Hour-50*time.Millisecond; got > most || got < most-time.Minute {
		t.Errorf("the player has %v for its move, want %v or a little less", got, most)
	}
}

type playerFunc func(context.Context, rules.Position) (rules.Move, error)

func (f playerFunc) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	return f(ctx, p)
}
