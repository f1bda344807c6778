package protocol_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
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
			attacker.Over(protocol.Over{Ending: rules.Mate})
			defender.Over(protocol.Over{Ending: rules.Mate})
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
	seat.Over(protocol.Over{Ending: rules.Time})
	<-player.stopped
}

func TestClientStopsThinkingWhenTheGameEndedWithoutIt(t *testing.T) {
	a, player, seat, _ := thinking(t)
	a.gate = make(chan struct{})
	a.cut <- struct{}{}
	<-a.ended
	seat.Over(protocol.Over{Ending: rules.Time})
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

func TestClientLeaves(t *testing.T) {
	a, player := newArena(), newThinker()
	ctx, cancel := context.WithCancel(t.Context())
	finished := run(ctx, client(a.listen(t), player))
	a.wait(t)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.sit("1", p), p)
	<-player.asked
	cancel()
	if err := <-finished; !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
	wantError(t, done, players.ErrGone)
	if err := <-a.ended; !strings.Contains(err.Error(), "goodbye") {
		t.Errorf("the connection ended with %v, want a goodbye", err)
	}
}

func TestClientRefused(t *testing.T) {
	a := newArena()
	a.refuse <- protocol.NameInUse // before it was ever admitted
	err := client(a.listen(t), nil).Run(t.Context())
	var refused *protocol.RefusedError
	if !errors.As(err, &refused) || refused.Code != protocol.NameInUse || refused.Message != "the test wants it" {
		t.Errorf("Run returned %v, want the refusal", err)
	}
}

// After a loss the arena may take the client for a second one for a while.
func TestClientRefusedAfterLoss(t *testing.T) {
	a, player, _, done := thinking(t)
	a.refuse <- protocol.NameInUse
	a.refuse <- protocol.NameInUse
	a.cut <- struct{}{}
	<-a.ended
	player.move <- rules.South
	wantMove(t, done, rules.South)
	if len(a.refuse) > 0 {
		t.Error("the client did not come back through the refusals")
	}
}

func TestClientRefusedForGood(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.wait(t)
	a.refuse <- protocol.BadToken
	a.cut <- struct{}{}
	err := <-finished
	if refused := new(protocol.RefusedError); !errors.As(err, &refused) || refused.Code != protocol.BadToken {
		t.Errorf("Run returned %v, want the refusal", err)
	}
}

func TestClientComesBackAfterGoodbye(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.wait(t)
	a.session.Goodbye("a new version", true)
	<-a.ended
	a.wait(t)
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v", err)
	}
}

func TestClientFindsNoArena(t *testing.T) {
	server := httptest.NewServer(newArena())
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	server.Close()
	c := client(url, nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), url) {
		t.Errorf("Run returned %v, want an error that names %s", err, url)
	}
}
