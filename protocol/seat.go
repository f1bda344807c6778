package protocol

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Seat is a bot's side in one game. It is a players.Player that gets its moves over the bot's
// connection, and over later connections if that one is lost.
type Seat struct {
	// Patience is the time that Choose still waits after the deadline that was sent to the bot.
	// It must be set before the first Choose.
	Patience time.Duration

	session *Session
	start   Start

	reply players.Reply // to the last request, used only by the referee's goroutine

	// Guarded by the session's lock:
	position  rules.Position
	moves     []rules.Move // played since the last request or start
	open      *openRequest // nil if no request is open
	complaint string       // the bot's last mistake since the last request
	// away is the time that the bot may still be disconnected during its limited turns; nil means
	// no such limit.
	away *clock.Countdown
	// grace is the longest time that the bot may be disconnected at a time; then it is gone.
	// absence counts that time down; if absence is nil, the grace period of the session counts.
	grace   time.Duration
	absence *clock.Countdown
}

// openRequest is a request that waits for its answer.
type openRequest struct {
	request Request
	turn    *clock.Turn
	asked   time.Time
	answer  chan Message // has room for one answer: a Move, a Resign, or an Error that gives up
}

// SetAway limits the total time that the bot may be disconnected during its timed turns in this
// game. A turn is paused meanwhile; once the budget is used up, the bot is gone. SetAway must be called
// before the first turn.
func (t *Seat) SetAway(budget time.Duration) {
	t.away = clock.NewCountdown(t.session.stalls, max(0, budget))
}

// SetGrace sets the grace period of this game: the longest time that the bot may be disconnected
// at a time; then it is gone. The games of a session may have different grace periods. Without SetGrace
// a game has the grace period of its session. SetGrace must be called before the first turn.
func (t *Seat) SetGrace(grace time.Duration) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.grace, t.absence = grace, clock.NewCountdown(t.session.stalls, grace)
	if t.session.conn == nil {
		t.absence.Reset(t.session.remaining(grace))
		t.absence.Start()
	}
}

// lose pauses the open turn, and starts the grace period. The caller holds the lock, as for comeBack and gone.
func (t *Seat) lose() {
	t.pause()
	if t.absence != nil {
		t.absence.Reset(t.session.remaining(t.grace))
		t.absence.Start()
	}
}

// comeBack ends the grace period.
func (t *Seat) comeBack() {
	if t.absence == nil {
		return
	}
	t.absence.Stop()
	if isClosed(t.absence.Over()) {
		t.absence = clock.NewCountdown(t.session.stalls, t.grace)
	}
}

// gone returns a channel that is closed if the bot does not reconnect within the grace period.
func (t *Seat) gone() <-chan struct{} {
	if t.absence == nil {
		return t.session.absence.Over()
	}
	return t.absence.Over()
}

// Choose asks for a move with the deadline of ctx, if it has one, as the clock. See Ask.
func (t *Seat) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	limit := clock.Unlimited
	if deadline, limited := ctx.Deadline(); limited {
		limit = time.Until(deadline)
	}
	turn := clock.NewTurn(t.session.stalls, limit, t.Patience)
	defer turn.End()
	r := t.Ask(ctx, p, turn)
	return r.Move, r.Err
}

// Ask requests a move from the bot and waits for the answer. The turn is paused while the bot is disconnected.
// Its error is players.ErrGone if the bot gives up, or is disconnected for longer than the grace period or
// SetAway allows. It is players.ErrResigned if the bot resigns, context.DeadlineExceeded when the turn is
// over, ctx's error if ctx is cancelled, and a *rules.NotationError if the answer is not in the notation.
//
// The lag is the time of the turn minus the thinking time that the bot reported; 0 if the bot reported none, or an
// impossible one. The round trip is the one that pings had measured on the bot's connection when the answer came.
// There is a search report only if the start message asked for reports.
func (t *Seat) Ask(ctx context.Context, p rules.Position, turn *clock.Turn) players.Reply {
	open, gone := t.request(p, turn)
	t.reply = players.Reply{}
	t.reply.Move, t.reply.Err = t.await(ctx, open, gone)
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	t.reply.Complaint = t.complaint
	return t.reply
}

// await waits for the answer to a request.
func (t *Seat) await(ctx context.Context, open *openRequest, gone <-chan struct{}) (rules.Move, error) {
	turn := open.turn
	cancelled, over, drained := ctx.Done(), turn.Over(), (<-chan struct{})(nil)
	for {
		select {
		case m := <-open.answer:
			return t.accept(m, turn.Read().Used)
		case <-over:
			over, drained = nil, t.session.drained() // the answer may have arrived in the socket
		case <-drained:
			t.session.doubt(open.asked)
			return t.withdraw(open, context.DeadlineExceeded)
		case <-gone:
			return t.withdraw(open, t.absent(""))
		case <-t.awayTooLong():
			return t.withdraw(open, t.absent("it was away for too long in this game"))
		case <-cancelled:
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return t.withdraw(open, ctx.Err())
			}
			cancelled = nil // only the turn decides when the time is up
		}
	}
}

// absent returns the error for a bot that is gone, with the reason why it is disconnected. how may say more, "" says no
// more.
func (t *Seat) absent(how string) error {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	err := players.ErrGone
	for _, text := range []string{how, t.session.cause} {
		if text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
	}
	return err
}

// awayTooLong returns a channel that is closed once the bot has been away for too long in this game.
func (t *Seat) awayTooLong() <-chan struct{} {
	if t.away == nil {
		return nil
	}
	return t.away.Over()
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
	o.Game, o.Moves = t.start.Game, append([]rules.Move{}, t.moves...)
	if t.session.seats[o.Game] == t {
		delete(t.session.seats, o.Game)
	}
	if o.Winner != nil && *o.Winner != t.start.Role && o.Ending != record.Resigned {
		t.session.enter(func(a *Account) {
			a.Faults++
			a.Last = fmt.Sprintf("%s: %s", o.Ending, o.Detail)
		})
	}
	t.session.send(o)
}

// LastSearch returns the bot's report on the search behind the last answer. It returns nil if the bot sent
// none, or an invalid one, or if the start message did not ask for reports.
func (t *Seat) LastSearch() *record.SearchReport { return t.reply.Search }

// request opens a request for a move at p and sends it. gone is closed if the bot does not
// reconnect within the grace period.
func (t *Seat) request(p rules.Position, turn *clock.Turn) (open *openRequest, gone <-chan struct{}) {
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
		turn:   turn,
		asked:  time.Now(),
		answer: make(chan Message, 1),
	}
	t.position, t.open, t.moves, t.complaint = p, open, nil, ""
	turn.Hold()
	if t.session.conn == nil {
		t.pause()
	}
	t.sendRequest()
	return open, t.gone()
}

// pause stops the open turn, if there is one, while the bot is away. The caller holds the lock.
func (t *Seat) pause() {
	if t.open == nil {
		return
	}
	t.open.turn.Sent() // if the turn is held, its request will not be sent any more
	t.open.turn.Stop()
	if t.away != nil && t.open.turn.Limited() {
		t.away.Start()
	}
}

// sendRequest sends the open request with the time now left. The caller holds the lock.
func (t *Seat) sendRequest() {
	request := t.open.request
	if t.open.turn.Limited() {
		request.LeftMS = new(t.open.turn.ForBot().Milliseconds())
	}
	t.session.ask(request, t.open.turn)
}

// accept returns the move or the error that an answer stands for. took is the time from the request
// to the answer.
func (t *Seat) accept(m Message, took time.Duration) (rules.Move, error) {
	t.reply.RoundTrip = t.session.roundTrip()
	switch m := m.(type) {
	case Error:
		return 0, fmt.Errorf("%w: it gave up and said %.200q", players.ErrGone, m.Message)
	case Resign:
		return 0, players.ErrResigned
	}
	move := m.(Move)
	if move.SpentUS > 0 && move.SpentUS <= took.Microseconds() {
		t.reply.Lag = took - time.Duration(move.SpentUS)*time.Microsecond
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
	t.reply.Search = report
}

// withdraw closes the request, so that later answers come too late. It returns why as the error, unless an answer has
// just arrived: that answer still counts.
func (t *Seat) withdraw(open *openRequest, why error) (rules.Move, error) {
	t.session.mu.Lock()
	t.open = nil
	if t.away != nil {
		t.away.Stop()
	}
	t.session.mu.Unlock()
	select {
	case m := <-open.answer:
		return t.accept(m, open.turn.Read().Used)
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

// resume sends the state of the game to a new connection. The caller holds the lock.
func (t *Seat) resume() {
	t.comeBack()
	start := t.currentStart()
	start.Resumed = true
	t.session.send(start)
	t.moves = nil
	if t.open != nil {
		if t.away != nil {
			t.away.Stop()
		}
		t.open.turn.Start()
		t.open.request.Moves = []rules.Move{}
		t.sendRequest()
	}
}
