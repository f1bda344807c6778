package protocol_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/players/playertest"
	"versus2048/protocol"
)

// remote is a player of that spec behind a real socket: a Client serves it, and
// a Seat is what the test sees of it.
func remote(t *testing.T, spec players.Spec, g playertest.Game) players.Player {
	t.Helper()
	a := newArena()
	client := protocol.Client{
		URL:    a.listen(t),
		Hello:  protocol.Hello{Name: "bot"},
		New:    func(s protocol.Start) (players.Player, error) { return spec.New(s.Seed), nil },
		Margin: 250 * time.Millisecond,
	}
	ctx, hangUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- client.Run(ctx) }()
	t.Cleanup(func() {
		hangUp()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return a.session.Sit(protocol.Start{Game: "1", Role: g.Side, Seed: g.Seed, Search: true}, g.Start)
}

// A player behind a socket is a player like any other.
func TestConformance(t *testing.T) {
	factory := func(text string) func(*testing.T, playertest.Game) players.Player {
		spec, err := players.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T, g playertest.Game) players.Player { return remote(t, spec, g) }
	}
	playertest.Run(t, playertest.Suite{
		New:        factory("random"),
		Patient:    factory("mcts:playouts=100000000"),
		TimeToMove: 500 * time.Millisecond,
	})
}
