package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/players/playertest"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// A player behind a socket passes the tests of all players.
func TestConformance(t *testing.T) {
	factory := func(text string) func(*testing.T, playertest.Setting) players.Player {
		spec, err := players.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T, g playertest.Setting) players.Player { return remotePlayer(t, spec, g) }
	}
	playertest.Run(t, playertest.Suite{
		New:        factory("random"),
		Patient:    factory("mcts:playouts=100000000"),
		TimeToMove: 10 * time.Second,
	})
}

// remotePlayer returns the Seat of a player that a Client serves over a real
// socket.
func remotePlayer(t *testing.T, spec players.Spec, g playertest.Setting) players.Player {
	t.Helper()
	a := newArena()
	client := protocol.Client{
		URL:   a.listen(t),
		Hello: protocol.Hello{Name: "bot"},
		New: func(s protocol.Start) (players.Player, error) {
			return hasty(spec.New(players.Game{Seed: s.Seed})), nil
		},
		Margin: time.Hour, // at most half of the time is taken off
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
	return a.session.StartGame(protocol.Start{Game: "1", Role: g.Side, Seed: g.Seed, Search: true}, g.Start)
}

// hasty lets a player think for a 16th of its time: the rest is for a slow machine.
func hasty(p players.Player) players.Player {
	for range 4 {
		p = players.WithMargin(p, time.Hour)
	}
	return p
}

// thinkingClient runs a client and asks its player for a move in game 1.
func thinkingClient(t *testing.T) (a *arena, player *thinker, seat *protocol.Seat, done <-chan choice) {
	t.Helper()
	a, player = newArena(), newThinker()
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	p := position(t, "2,0/0,2 D 0 1")
	seat = a.startGame("1", p)
	done = choose(t.Context(), seat, p)
	if got := <-player.asked; got != p {
		t.Fatalf("the player was asked for %v, want %v", got, p)
	}
	return a, player, seat, done
}

// thinker is a player that thinks until the test sends its move.
type thinker struct {
	asked   chan rules.Position
	move    chan rules.Move
	stopped chan struct{} // receives a value each time Choose is stopped
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

type playerFunc func(context.Context, rules.Position) (rules.Move, error)

func (f playerFunc) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	return f(ctx, p)
}

// The player continues to think while the connection is lost, and is not asked again.
func TestClientReconnects(t *testing.T) {
	a, player, _, done := thinkingClient(t)
	a.cut <- struct{}{}
	<-a.ended
	a.waitForBot(t)
	player.move <- rules.South
	wantMove(t, done, rules.South)
	if len(player.asked) > 0 {
		t.Error("the player was asked again")
	}
}

// An arena that crashed after the answer repeats its request.
func TestClientRepeatsAnswer(t *testing.T) {
	a, player, _, done := thinkingClient(t)
	player.move <- rules.South
	wantMove(t, done, rules.South)
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.StartGame(protocol.Start{Game: "1", Role: rules.Defender, Resumed: true}, p)
	wantMove(t, choose(t.Context(), seat, p), rules.South)
	if len(player.asked) > 0 {
		t.Error("the player was asked again")
	}
}

// The same game name in another event means another game.
func TestClientSameGameNameInAnotherEvent(t *testing.T) {
	a, player, _, _ := thinkingClient(t)
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.session.StartGame(protocol.Start{Game: "1", Event: "another", Role: rules.Defender, Resumed: true}, p)
	<-player.stopped
	done := choose(t.Context(), seat, p)
	<-player.asked
	player.move <- rules.East
	wantMove(t, done, rules.East)
}

func TestClientStopsThinkingWhenGameIsOver(t *testing.T) {
	_, player, seat, _ := thinkingClient(t)
	seat.Over(protocol.Over{Ending: record.Time})
	<-player.stopped
}

func TestClientStopsThinkingWhenGameEndedWhileDisconnected(t *testing.T) {
	a, player, seat, _ := thinkingClient(t)
	a.gate = make(chan struct{})
	a.cut <- struct{}{}
	<-a.ended
	seat.Over(protocol.Over{Ending: record.Time})
	close(a.gate)
	<-player.stopped
}

func TestClientRequestForAnotherPly(t *testing.T) {
	a, player, seat, _ := thinkingClient(t)
	next := position(t, "2,0/2,2 D 0 3")
	a.cut <- struct{}{} // so that the first request can be withdrawn
	done := choose(t.Context(), seat, next)
	<-player.stopped
	if got := <-player.asked; got != next {
		t.Errorf("the player was asked for %v, want %v", got, next)
	}
	player.move <- rules.West
	wantMove(t, done, rules.West)
}

// The context's deadline is the request's, less the margin.
func TestClientDeadline(t *testing.T) {
	a := newArena()
	left := make(chan time.Duration, 1)
	player := playerFunc(func(ctx context.Context, _ rules.Position) (rules.Move, error) {
		deadline, _ := ctx.Deadline()
		left <- time.Until(deadline)
		return rules.North, nil
	})
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	p := position(t, "2,0/0,2 D 0 1")
	wantMove(t, choose(ctx, a.startGame("1", p), p), rules.North)
	if got, most := <-left, time.Hour-50*time.Millisecond; got > most || got < most-time.Minute {
		t.Errorf("the player has %v for its move, want %v or a little less", got, most)
	}
}

// The limits of an event reach the client's player.
func TestClientReceivesLimits(t *testing.T) {
	a := newArena()
	heard := make(chan protocol.Start, 1)
	c := client(a.listen(t), nil)
	c.New = func(s protocol.Start) (players.Player, error) {
		heard <- s
		return playerFunc(nil), nil
	}
	finished := run(t.Context(), c)
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	want := protocol.Start{Game: "1", Role: rules.Defender, Budget: players.Effort{Playouts: 30, Nodes: 400}, MaxTurns: 5, MaxTile: 64}
	a.session.StartGame(want, position(t, "2,0/0,2 D 0 1"))
	if got := <-heard; got.Budget != want.Budget || got.MaxTurns != 5 || got.MaxTile != 64 {
		t.Errorf("received %+v, want %+v", got, want)
	}
}

// The client resigns where that is allowed, and gives up the game elsewhere.
func TestClientResigns(t *testing.T) {
	a := newArena()
	player := playerFunc(func(context.Context, rules.Position) (rules.Move, error) { return 0, players.ErrResigned })
	finished := run(t.Context(), client(a.listen(t), player))
	t.Cleanup(func() { <-finished })
	a.waitForBot(t)
	p := position(t, "2,0/0,2 D 0 1")
	for game, want := range map[string]error{"allowed": players.ErrResigned, "forbidden": players.ErrGone} {
		seat := a.session.StartGame(protocol.Start{Game: game, Role: rules.Defender, Resign: want == players.ErrResigned}, p)
		wantError(t, choose(t.Context(), seat, p), want)
	}
}

// A text that is no move is for the arena to judge. A player that is too late gives no answer.
func TestClientFails(t *testing.T) {
	for name, fail := range map[string]func(context.Context) error{
		"no move": func(context.Context) error {
			_, err := rules.ParseMove("w" + strings.Repeat("\x00", 5000))
			return fmt.Errorf("line: %w", err)
		},
		"late": func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		},
	} {
		a := newArena()
		finished := run(t.Context(), client(a.listen(t), playerFunc(func(ctx context.Context, _ rules.Position) (rules.Move, error) { return 0, fail(ctx) })))
		t.Cleanup(func() { <-finished })
		a.waitForBot(t)
		p := position(t, "2,0/0,2 D 0 1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		got := <-choose(ctx, a.startGame("1", p), p)
		cancel()
		notation := (*rules.NotationError)(nil)
		if isMove := errors.As(got.err, &notation); isMove != (name == "no move") || !isMove && !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("%s: the arena hears %v", name, got.err)
		}
	}
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
			a.waitForBot(t)
			p := position(t, "2,0/0,2 D 0 1")
			got := <-choose(t.Context(), a.startGame("1", p), p)
			if !errors.Is(got.err, players.ErrGone) || !strings.Contains(got.err.Error(), broken.Error()) {
				t.Errorf("Choose returned %v, want %v with the bot's message", got.err, players.ErrGone)
			}
		})
	}
}
