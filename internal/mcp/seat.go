package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
)

// seat is a connection to the arena under one name, for one game at a time.
type seat struct {
	name string
	stop context.CancelFunc

	admitted chan bool     // receives whether the name has just become the bot's own
	ended    chan struct{} // closed when the connection has ended for good
	failure  error         // the reason of the end; valid once ended is closed, nil if the arena said goodbye

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change of the fields below
	game     *game         // the one in progress, nil if there is none
	finished []Finished    // games that the assistant has not been told about
}

// sit connects to the arena and waits until the arena has admitted the client, at most for patience. run runs the
// client. The seat ends with life. registered reports whether the name has just become the bot's own.
func sit(ctx, life context.Context, patience time.Duration, client protocol.Client, run func(context.Context, protocol.Client) error) (s *seat, registered bool, err error) {
	s = &seat{name: client.Hello.Name, admitted: make(chan bool, 1), ended: make(chan struct{}), changed: make(chan struct{})}
	life, s.stop = context.WithCancel(life)
	client.New = s.begin
	client.Admitted = func(registered bool) {
		select {
		case s.admitted <- registered:
		default: // after a reconnect
		}
	}
	go func() {
		defer close(s.ended)
		s.failure = run(life, client)
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case registered = <-s.admitted:
		return s, registered, nil
	case <-s.ended:
		err = s.failure
		if err == nil {
			err = errors.New("the arena said goodbye at once")
		}
	case <-late.C:
		err = fmt.Errorf("the arena at %s has not admitted %q within %v", client.URL, s.name, patience)
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.leave()
	return nil, false, err
}

// leave says goodbye to the arena and waits until the connection has ended. The arena counts a game in progress as
// lost.
func (s *seat) leave() {
	s.stop()
	<-s.ended
}

// left reports whether the connection has ended.
func (s *seat) left() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// change changes the state of the seat, and wakes everybody that waits for a change.
func (s *seat) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// begin starts a game. It implements protocol.Client.New.
func (s *seat) begin(start protocol.Start) (players.Player, error) {
	// The first request shows the side to move. Until then it is the opponent, if that is possible.
	p, err := rules.PositionFrom(start.Rules, start.Board, start.Role.Other(), start.Score, start.Ply)
	if err != nil {
		p, err = rules.PositionFrom(start.Rules, start.Board, start.Role, start.Score, start.Ply)
	}
	if err != nil {
		return nil, err
	}
	g := &game{seat: s, start: start, position: p}
	s.change(func() { s.game = g })
	return g, nil
}

// news returns the finished games that the assistant has not been told about, and the game in progress. ready is false
// if the assistant is not to move and no game has finished. changed is closed at the next change.
func (s *seat) news() (n News, ready bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = News{Status: NothingYet, Finished: s.finished}
	s.finished = nil
	if s.game != nil {
		state := s.game.state()
		n.State = &state
	}
	switch {
	case n.State != nil && n.State.YourTurn:
		n.Status = YourTurn
	case len(n.Finished) > 0:
		n.Status = GameOver
	}
	return n, n.Status != NothingYet, s.changed
}

// await waits until there is news for the assistant, or until the timeout. progress is called every few seconds.
func (s *seat) await(ctx context.Context, timeout time.Duration, progress func(waited time.Duration)) (News, error) {
	began := time.Now()
	limit, beat := time.NewTimer(timeout), time.NewTicker(progressEvery)
	defer limit.Stop()
	defer beat.Stop()
	progress(0)
	for {
		over := s.left() // asked before news: games that ended before the connection did are told first
		n, ready, changed := s.news()
		if ready {
			return n, nil
		}
		if over {
			return n, s.gone()
		}
		select {
		case <-changed:
		case <-s.ended:
		case <-beat.C:
			progress(time.Since(began))
		case <-limit.C:
			return n, nil
		case <-ctx.Done():
			return n, ctx.Err()
		}
	}
}

// progressEvery is the time between two messages to a waiting assistant, which tell it that the server is still there.
const progressEvery = 5 * time.Second

// gone returns an error with the reason why the connection has ended.
func (s *seat) gone() error {
	if errors.Is(s.failure, context.Canceled) {
		return fmt.Errorf("%q has left the arena: join or challenge to play again", s.name)
	}
	if s.failure == nil {
		return fmt.Errorf("the arena has said goodbye to %q and has no more games for it: join or challenge to play again", s.name)
	}
	return fmt.Errorf("the connection of %q has ended: %w: join or challenge to play again", s.name, s.failure)
}

// answer checks the assistant's move and gives it to the game that waits for it.
func (s *seat) answer(text string) (played rules.Move, err error) {
	err = s.take(func(g *game) (rules.Move, error) {
		played, err = g.check(text)
		return played, err
	})
	return played, err
}

// resign gives up the game that waits for the assistant's move.
func (s *seat) resign() error {
	return s.take(func(g *game) (rules.Move, error) {
		if !g.start.Resign {
			return 0, fmt.Errorf("game %s does not allow resigning: play on", g.start.Game)
		}
		return 0, players.ErrResigned
	})
}

// take ends the assistant's turn with the result of choose: a move, or players.ErrResigned. Any other error leaves the
// turn as it is.
func (s *seat) take(choose func(*game) (rules.Move, error)) (err error) {
	s.change(func() {
		switch {
		case s.left():
			err = s.gone()
		case s.game == nil:
			err = errors.New("no game is in progress: call wait_for_turn")
		case s.game.turn == nil:
			err = fmt.Errorf("it is not your turn in game %s: call wait_for_turn", s.game.start.Game)
		default:
			var move rules.Move
			if move, err = choose(s.game); err == nil || errors.Is(err, players.ErrResigned) {
				s.game.answer(move, err)
				err = nil
			}
		}
	})
	return err
}

// finish records the end of a game.
func (s *seat) finish(g *game, f Finished) {
	s.change(func() {
		s.finished = append(s.finished, f)
		if s.game == g { // the next one may have begun
			s.game = nil
		}
	})
}

// legal returns the legal moves of a position in the notation.
func legal(p rules.Position) []string {
	moves := []string{}
	for _, m := range p.AppendMoves(nil) {
		moves = append(moves, m.String())
	}
	return moves
}
