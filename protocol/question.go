package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// question is a request that waits for its answer.
type question struct {
	request  Request
	deadline time.Time    // zero where nothing limits the answer
	answer   chan Message // takes one: a Move, a Resign, or an Error that gives up
}

// Choose asks the bot for its move and waits for the answer. It returns
// players.ErrGone if the bot is disconnected for longer than the grace period or
// gives up, players.ErrResigned if it resigns, ctx's error if that ends first,
// and a *rules.NotationError for an answer that is no move.
func (t *Seat) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	began := time.Now()
	asked, gone := t.put(ctx, p)
	select {
	case m := <-asked.answer:
		return t.take(m, time.Since(began))
	case <-ctx.Done():
		return t.linger(ctx, asked, gone, began)
	case <-gone:
		return t.withdraw(asked, began, players.ErrGone)
	}
}

// linger waits a little more for an answer that is late, but not where ctx was
// ended by somebody.
func (t *Seat) linger(ctx context.Context, asked *question, gone <-chan struct{}, began time.Time) (rules.Move, error) {
	if t.Patience > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		select {
		case m := <-asked.answer:
			return t.take(m, time.Since(began))
		case <-time.After(t.Patience):
		case <-gone:
			return t.withdraw(asked, began, players.ErrGone)
		}
	}
	return t.withdraw(asked, began, ctx.Err())
}

// take takes the answer to a question, which took so long.
func (t *Seat) take(m Message, took time.Duration) (rules.Move, error) {
	t.roundTrip = t.session.roundTrip()
	switch m := m.(type) {
	case Error:
		return 0, fmt.Errorf("%w: it gave up and said %.200q", players.ErrGone, m.Message)
	case Resign:
		return 0, players.ErrResigned
	}
	move := m.(Move)
	if move.SpentUS > 0 && move.SpentUS <= took.Microseconds() {
		t.lag = took - time.Duration(move.SpentUS)*time.Microsecond
	}
	if t.start.Search {
		t.readSearch(move)
	}
	return rules.ParseMove(move.Move)
}

// put puts the question for p to the bot.
func (t *Seat) put(ctx context.Context, p rules.Position) (asked *question, gone <-chan struct{}) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	asked = &question{
		request: Request{
			Game:  t.start.Game,
			Ply:   p.Ply(),
			Board: p.Tiles(),
			Score: p.Score(),
			Moves: append([]rules.Move{}, t.moves...),
		},
		answer: make(chan Message, 1),
	}
	asked.deadline, _ = ctx.Deadline()
	t.position, t.asked, t.moves, t.complaint = p, asked, nil, ""
	t.lag, t.roundTrip, t.search = 0, 0, nil
	t.ask()
	return asked, t.session.gone
}

// withdraw takes the question back, for the given reason: an answer to it now
// comes too late. One that came just before still counts.
func (t *Seat) withdraw(asked *question, began time.Time, why error) (rules.Move, error) {
	t.session.mu.Lock()
	t.asked = nil
	t.session.mu.Unlock()
	select {
	case m := <-asked.answer:
		return t.take(m, time.Since(began))
	default:
		return 0, why
	}
}
