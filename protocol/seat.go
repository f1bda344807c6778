package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Seat is a bot's side in one game. It is a players.Player whose moves come over
// the bot's connection, and over later ones if that is lost.
type Seat struct {
	// Patience is how long Choose still waits for an answer after the deadline that
	// the bot was given. It must be set before the first Choose.
	Patience time.Duration

	session *Session
	start   Start

	// Results of the last Choose, used only by the referee's goroutine:
	lag       time.Duration
	roundTrip time.Duration
	search    *record.SearchReport

	// Guarded by the session's lock:
	position  rules.Position
	moves     []rules.Move // played since the last request or start
	open      *openRequest // nil if no request is open
	complaint string       // what the bot did wrong since the last request
}

// openRequest is a request that waits for its answer.
type openRequest struct {
	request  Request
	deadline time.Time    // zero if there is no limit
	answer   chan Message // has room for one: a Move, a Resign, or an Error that gives up
}

// Choose requests a move from the bot and waits for the answer. It returns
// players.ErrGone if the bot is disconnected for longer than the grace period or
// gives up, players.ErrResigned if it resigns, ctx's error if ctx ends first,
// and a *rules.NotationError if the answer is not in the notation.
func (t *Seat) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	began := time.Now()
	open, gone := t.ask(ctx, p)
	select {
	case m := <-open.answer:
		return t.accept(m, time.Since(began))
	case <-ctx.Done():
		return t.waitForLateAnswer(ctx, open, gone, began)
	case <-gone:
		return t.withdraw(open, began, players.ErrGone)
	}
}

// Played records a move in the game by either side.
func (t *Seat) Played(m rules.Move) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.position = t.position.Next(m)
	t.moves = append(t.moves, m)
}

// Over sends the result to the bot and gives up the seat.
func (t *Seat) Over(o Over) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	o.Game = t.start.Game
	if t.session.seats[o.Game] == t {
		delete(t.session.seats, o.Game)
	}
	t.session.send(o)
}

// Lag returns the part of the last Choose's time in which the bot was not
// thinking, by its own account. It returns 0 if the bot reported no thinking time,
// or an impossible one.
func (t *Seat) Lag() time.Duration { return t.lag }

// RoundTrip returns the recent round trip of the bot's connection, as measured
// by pings when the last Choose was answered. It returns 0 if there was no
// answer, or no measurement yet.
func (t *Seat) RoundTrip() time.Duration { return t.roundTrip }

// LastSearch returns the bot's report on the search behind the last Choose. It
// returns nil if the bot sent none, or an invalid one, or if the start message
// did not ask for reports.
func (t *Seat) LastSearch() *record.SearchReport { return t.search }

// Complaint returns the last thing that the bot did wrong since the last
// request, or "".
func (t *Seat) Complaint() string {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.complaint
}

// ask opens a request for a move at p and sends it. gone is closed if the bot
// stays disconnected.
func (t *Seat) ask(ctx context.Context, p rules.Position) (open *openRequest, gone <-chan struct{}) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	open = &openRequest{
		request: Request{
			Game:  t.start.Game,
			Ply:   p.Ply(),
			Board: p.Tiles(),
			Score: p.Score(),
			Moves: append([]rules.Move{}, t.moves...),
		},
		answer: make(chan Message, 1),
	}
	open.deadline, _ = ctx.Deadline()
	t.position, t.open, t.moves, t.complaint = p, open, nil, ""
	t.lag, t.roundTrip, t.search = 0, 0, nil
	t.sendRequest()
	return open, t.session.gone
}

// sendRequest sends the open request with the time now left. The caller holds
// the lock.
func (t *Seat) sendRequest() {
	request := t.open.request
	if !t.open.deadline.IsZero() {
		left := max(0, time.Until(t.open.deadline).Milliseconds())
		request.LeftMS = &left
	}
	t.session.send(request)
}

// accept returns the move or the error that an answer means. took is the time from
// the request to the answer.
func (t *Seat) accept(m Message, took time.Duration) (rules.Move, error) {
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
		t.acceptSearch(move)
	}
	return rules.ParseMove(move.Move)
}

// acceptSearch keeps the search report of a move. If the report is invalid, the
// bot gets an error and the report is ignored.
func (t *Seat) acceptSearch(m Move) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	report, err := parseSearch(m.Search, t.position)
	if err != nil {
		t.session.sendError(Error{Code: BadSearch, Message: fmt.Sprintf("%.300s", err), Game: m.Game, Ply: &m.Ply})
		return
	}
	t.search = report
}

// waitForLateAnswer waits for Patience after ctx's deadline. It does not wait if
// ctx was cancelled.
func (t *Seat) waitForLateAnswer(ctx context.Context, open *openRequest, gone <-chan struct{}, began time.Time) (rules.Move, error) {
	if t.Patience > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		select {
		case m := <-open.answer:
			return t.accept(m, time.Since(began))
		case <-time.After(t.Patience):
		case <-gone:
			return t.withdraw(open, began, players.ErrGone)
		}
	}
	return t.withdraw(open, began, ctx.Err())
}

// withdraw closes the request, so that later answers come too late, and returns
// the error why. An answer that has just arrived still counts.
func (t *Seat) withdraw(open *openRequest, began time.Time, why error) (rules.Move, error) {
	t.session.mu.Lock()
	t.open = nil
	t.session.mu.Unlock()
	select {
	case m := <-open.answer:
		return t.accept(m, time.Since(began))
	default:
		return 0, why
	}
}

// currentStart returns the start message for the game's current position.
func (t *Seat) currentStart() Start {
	start := t.start
	start.Board, start.Score, start.Ply = t.position.Tiles(), t.position.Score(), t.position.Ply()
	return start
}

// resume sends the state of the game to a new connection. The caller holds the
// lock.
func (t *Seat) resume() {
	start := t.currentStart()
	start.Resumed = true
	t.session.send(start)
	t.moves = nil
	if t.open != nil {
		t.open.request.Moves = []rules.Move{}
		t.sendRequest()
	}
}
