package protocol_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// run runs a client and returns what it will return.
func run(ctx context.Context, c *protocol.Client) <-chan error {
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	return done
}

// client is one whose games are all played by the given player.
func client(url string, player players.Player) *protocol.Client {
	return &protocol.Client{
		URL:       url,
		Hello:     protocol.Hello{Name: "bot", Slots: 8},
		New:       func(protocol.Start) (players.Player, error) { return player, nil },
		Margin:    50 * time.Millisecond,
		Reconnect: time.Minute,
	}
}

// thinker is a player that thinks until the test tells it its move.
type thinker struct {
	asked   chan rules.Position
	move    chan rules.Move
	stopped chan struct{} // a value each time that it was stopped
}

func newThinker() *thinker {
	return &thinker{make(chan rules.Position, 10), make(chan rules.Move, 10), make(chan struct{}, 10)}
}

func (p *thinker) Choose(ctx context.Context, asked rules.Position) (rules.Move, error) {
	p.asked <- asked
	select {
	case m := <-p.move:
		return m, nil
	case <-ctx.Done():
		p.stopped <- struct{}{}
		return rules.North, nil
	}
}

// wait waits until the arena's bot is connected.
func (a *arena) wait(t *testing.T) {
	t.Helper()
	if err := a.session.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// thinking is a client whose player was just asked for a move in game 1.
func thinking(t *testing.T) (a *arena, player *thinker, seat *protocol.Seat, done <-chan chosen) {
	t.Helper()
	a, player = newArena(), newThinker()
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.wait(t)
	p := position(t, "2,0/0,2 D 0 1")
	seat = a.sit("1", p)
	done = choose(t.Context(), seat, p)
	if got := <-player.asked; got != p {
		t.Fatalf("the player was asked for %v, want %v", got, p)
	}
	return a, player, seat, done
}

// The games go over one socket, all at once; the moves are those that the bot
// plays in this process.
func TestClientPlays(t *testing.T) {
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	a := newArena()
	c := client(a.listen(t), nil)
	c.New = func(s protocol.Start) (players.Player, error) { return spec.New(s.Seed), nil }
	finished := run(t.Context(), c)
	a.wait(t)
	var games sync.WaitGroup
	for i, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 2, Height: 4}, rules.Full} {
		games.Go(func() {
			p, number := rules.NewPosition(rules.GPCC2016, size), string(rune('A'+i))
			attacker := a.session.Sit(protocol.Start{Game: number, Role: rules.Attacker, Seed: 1}, p)
			defender := a.session.Sit(protocol.Start{Game: number + "'", Role: rules.Defender, Seed: 2}, p)
			got := play(t, p, attacker, defender)
			if want := play(t, p, spec.New(1), spec.New(2)); !slices.Equal(got, want) {
				t.Errorf("on %v over the socket\n%v, in this process\n%v", size, got, want)
			}
			attacker.Over(protocol.Over{Ending: record.Mate})
			defender.Over(protocol.Over{Ending: record.Mate})
		})
	}
	games.Wait()
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("after goodbye: %v", err)
	}
}

// play plays a game and tells both seats of its moves.
func play(t *testing.T, p rules.Position, attacker, defender players.Player) (moves []rules.Move) {
	sides := [2]players.Player{rules.Attacker: attacker, rules.Defender: defender}
	for !p.Over() {
		m, err := sides[p.SideToMove()].Choose(t.Context(), p)
		if err != nil {
			t.Errorf("at ply %d: %v", p.Ply(), err)
			return moves
		}
		moves, p = append(moves, m), p.Next(m)
		for _, side := range sides {
			if seat, ok := side.(*protocol.Seat); ok {
				seat.Played(m)
			}
		}
	}
	return moves
}

func TestClientGivesUp(t *testing.T) {
	broken := errors.New("no such model file")
	for name, newPlayer := range map[string]func(protocol.Start) (players.Player, error){
		"no player": func(protocol.Start) (players.Player, error) { return nil, broken },
		"player fails": func(protocol.Start) (players.Player, error) {
			return playerFunc(func(context.Context, rules.Position) (rules.Move, error) { return 0, broken }), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArena()
			c := client(a.listen(t), nil)
			c.New = newPlayer
			finished := run(t.Context(), c)
			t.Cleanup(func() { <-finished })
			a.wait(t)
			p := position(t, "2,0/0,2 D 0 1")
			got := <-choose(t.Context(), a.sit("1", p), p)
			if !errors.Is(got.err, players.ErrGone) || !strings.Contains(got.err.Error(), broken.Error()) {
				t.Errorf("chosen: %v, want %v with the bot's words", got.err, players.ErrGone)
			}
		})
	}
}
