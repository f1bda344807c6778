package protocol_test

import (
	"context"
	"testing"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

func TestResign(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.enter()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.Sit(protocol.Start{Game: "1", Role: rules.Defender, Resign: true}, p)
	if start := hear[protocol.Start](b); !start.Resign {
		t.Errorf("the bot is not told that it may resign: %+v", start)
	}
	done := choose(t.Context(), seat, p)
	hear[protocol.Request](b)
	b.say(protocol.Resign{Game: "1", Ply: 3})
	b.hearError(protocol.NotAsked)
	b.say(protocol.Resign{Game: "2", Ply: 1})
	b.hearError(protocol.UnknownGame)
	b.say(protocol.Resign{Game: "1", Ply: 1})
	wantError(t, done, players.ErrResigned)
}

// Where nobody may resign, the request stays open, and nothing is a strike.
func TestResignWhereNobodyMay(t *testing.T) {
	a := newArena()
	b := dial(t, a.listen(t))
	b.enter()
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.sit("1", p), p)
	hear[protocol.Start](b)
	hear[protocol.Request](b)
	for range 4 {
		b.say(protocol.Resign{Game: "1", Ply: 1})
		b.hearError(protocol.NoResign)
	}
	b.say(move("1", 1, "N"))
	wantMove(t, done, rules.North)
}

// Our client passes on that its player resigns; elsewhere it gives the game up.
func TestClientResigns(t *testing.T) {
	a := newArena()
	player := playerFunc(func(context.Context, rules.Position) (rules.Move, error) { return 0, players.ErrResigned })
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.wait(t)
	p := position(t, "2,0/0,2 D 0 1")
	for game, want := range map[string]error{"allowed": players.ErrResigned, "forbidden": players.ErrGone} {
		seat := a.session.Sit(protocol.Start{Game: game, Role: rules.Defender, Resign: want == players.ErrResigned}, p)
		wantError(t, choose(t.Context(), seat, p), want)
	}
}

// What an event fixes reaches the client's player.
func TestClientHearsOfTheBudget(t *testing.T) {
	a := newArena()
	heard := make(chan protocol.Start, 1)
	c := client(a.listen(t), nil)
	c.New = func(s protocol.Start) (players.Player, error) {
		heard <- s
		return playerFunc(nil), nil
	}
	finished := run(t.Context(), c)
	t.Cleanup(func() { <-finished })
	a.wait(t)
	want := protocol.Start{Game: "1", Role: rules.Defender, Budget: players.Effort{Playouts: 30, Nodes: 400}, MaxTurns: 5, MaxTile: 64}
	a.session.Sit(want, position(t, "2,0/0,2 D 0 1"))
	if got := <-heard; got.Budget != want.Budget || got.MaxTurns != 5 || got.MaxTile != 64 {
		t.Errorf("heard %+v, want %+v", got, want)
	}
}
