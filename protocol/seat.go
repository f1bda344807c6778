package protocol

import (
	"context"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// Seat is a bot's place in one game: a players.Player at the other end of a
// connection, or of several in turn.
type Seat struct {
	session *Session
	start   Start
	lag     time.Duration // of the last Choose; only the referee's goroutine uses it

	// Guarded by the session's lock:
	position  rules.Position
	moves     []rules.Move // since the last request
	asked     *question    // not yet answered
	complaint string       // what the bot did wrong since it was asked
}

// question is a request that waits for its answer.
type question struct {
	request  Request
	deadline time.Time // zero where nothing limits the answer
	answer   chan Move // takes one
}

// Sit seats the bot in a game that stands at p. Board, score, ply, rules and
// size of start are filled in.
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
	t.ask()
}

// ask sends the request that waits, if any, with the time now left.
func (t *Seat) ask() {
	if t.asked == nil {
		return
	}
	request := t.asked.request
	if !t.asked.deadline.IsZero() {
		left := max(0, time.Until(t.asked.deadline).Milliseconds())
		request.LeftMS = &left
	}
	t.session.send(request)
}

// Choose asks the bot for its move and waits for the answer. It returns
// players.ErrGone if the bot is disconnected for longer than the grace period,
// ctx's error if that ends first, and a *rules.NotationError for an answer that
// is no move.
func (t *Seat) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	began := time.Now()
	asked, gone := t.put(ctx, p)
	select {
	case m := <-asked.answer:
		t.lag = 0
		if lag := time.Since(began) - time.Duration(m.SpentUS)*time.Microsecond; m.SpentUS > 0 && lag > 0 {
			t.lag = lag
		}
		return rules.ParseMove(m.Move)
	case <-ctx.Done():
		t.withdraw()
		return 0, ctx.Err()
	case <-gone:
		t.withdraw()
		return 0, players.ErrGone
	}
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
		answer: make(chan Move, 1),
	}
	asked.deadline, _ = ctx.Deadline()
	t.position, t.asked, t.moves, t.complaint, t.lag = p, asked, nil, "", 0
	t.ask()
	return asked, t.session.gone
}

// withdraw forgets the question: an answer to it now comes too late.
func (t *Seat) withdraw() {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.asked = nil
}

// Played tells of a ply of the game, the bot's own included.
func (t *Seat) Played(m rules.Move) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.position = t.position.Next(m)
	t.moves = append(t.moves, m)
}

// Lag is the part of the last Choose that the bot, by its own word, did not
// spend thinking; 0 if it does not say.
func (t *Seat) Lag() time.Duration { return t.lag }

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
