package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Seat is a bot's place in one game: a players.Player at the other end of a
// connection, or of several in turn.
type Seat struct {
	// Patience is how long Choose waits for an answer once the time is up of which
	// the bot is told. It must be set before the first Choose.
	Patience time.Duration

	session *Session
	start   Start

	// Of the last Choose; only the referee's goroutine uses them:
	lag       time.Duration
	roundTrip time.Duration
	search    *rules.SearchReport

	// Guarded by the session's lock:
	position  rules.Position
	moves     []rules.Move // since the bot was last told of the board
	asked     *question    // not yet answered
	complaint string       // what the bot did wrong since it was asked
}

// question is a request that waits for its answer.
type question struct {
	request  Request
	deadline time.Time    // zero where nothing limits the answer
	answer   chan Message // takes one: a Move, a Resign, or an Error that gives up
}

// Sit seats the bot in a game that stands at p, and tells it. Board, score, ply,
// rules and size of start are filled in.
func (s *Session) Sit(start Start, p rules.Position) *Seat {
	seat := &Seat{session: s, start: start, position: p}
	seat.start.Rules, seat.start.Size = p.Rules(), p.Size()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats[start.Game] = seat
	s.send(seat.standing())
	return seat
}

// standing is the start message as the game stands now.
func (t *Seat) standing() Start {
	start := t.start
	start.Board, start.Score, start.Ply = t.position.Tiles(), t.position.Score(), t.position.Ply()
	return start
}

// repeat tells a new connection of the game. The caller holds the lock.
func (t *Seat) repeat() {
	start := t.standing()
	start.Resumed = true
	t.session.send(start)
	t.moves = nil
	if t.asked != nil {
		t.asked.request.Moves = []rules.Move{}
		t.ask()
	}
}

// ask sends the request that waits, with the time now left.
func (t *Seat) ask() {
	request := t.asked.request
	if !t.asked.deadline.IsZero() {
		left := max(0, time.Until(t.asked.deadline).Milliseconds())
		request.LeftMS = &left
	}
	t.session.send(request)
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

// Played tells of a ply of the game, the bot's own included.
func (t *Seat) Played(m rules.Move) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.position = t.position.Next(m)
	t.moves = append(t.moves, m)
}

// Lag is the part of the last Choose that the bot, by its own word, did not
// spend thinking; 0 if it does not say, or says what can't be.
func (t *Seat) Lag() time.Duration { return t.lag }

// RoundTrip is how long a message to the bot and back took of late, by the
// arena's pings, when the last Choose was answered; 0 if it was not, or none has
// come back yet.
func (t *Seat) RoundTrip() time.Duration { return t.roundTrip }

// Complaint is the last thing that the bot did wrong since it was last asked,
// or "".
func (t *Seat) Complaint() string {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.complaint
}

// Over tells the bot that the game has ended, and gives up the seat.
func (t *Seat) Over(o Over) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	o.Game = t.start.Game
	if t.session.seats[o.Game] == t {
		delete(t.session.seats, o.Game)
	}
	t.session.send(o)
}
