package protocol

import (
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
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
	search    *record.SearchReport

	// Guarded by the session's lock:
	position  rules.Position
	moves     []rules.Move // since the bot was last told of the board
	asked     *question    // not yet answered
	complaint string       // what the bot did wrong since it was asked
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
