package protocol

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// ErrNameInUse says that another connection of the bot is alive.
var ErrNameInUse = errors.New("the bot is connected already")

// errLeft says that the bot took its leave.
var errLeft = errors.New("the bot said goodbye")

// Session is a bot across its connections. While it has none, its games wait
// for the grace period.
type Session struct {
	grace time.Duration

	mu      sync.Mutex
	hello   Hello
	conn    *Conn            // nil while disconnected
	arrived chan struct{}    // closed while connected
	gone    chan struct{}    // closed while disconnected for longer than grace
	expiry  *time.Timer      // closes gone; nil while connected
	seats   map[string]*Seat // games in progress
}

// NewSession is a bot that is not connected yet. Its grace period begins now;
// hello stands in for what it will say of itself.
func NewSession(hello Hello, grace time.Duration) *Session {
	s := &Session{grace: grace, hello: hello, arrived: make(chan struct{}), gone: make(chan struct{}), seats: map[string]*Seat{}}
	s.expire(grace)
	return s
}

// Hello is what the bot last said of itself.
func (s *Session) Hello() Hello {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hello
}

// Connected tells whether the bot has a connection.
func (s *Session) Connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil
}

// Wait waits until the bot is connected. It returns ctx's error if that ends
// first.
func (s *Session) Wait(ctx context.Context) error {
	s.mu.Lock()
	arrived := s.arrived
	s.mu.Unlock()
	select {
	case <-arrived:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Serve lets the bot play over conn until the connection ends, and returns why
// it ended. It returns ErrNameInUse, and leaves conn alone, if the bot has
// another connection.
func (s *Session) Serve(ctx context.Context, conn *Conn, hello Hello) error {
	if err := s.attach(conn, hello); err != nil {
		return err
	}
	err := conn.run(ctx, s.handle, s.strike)
	s.detach(errors.Is(err, errLeft))
	return err
}

// attach makes conn the bot's connection and tells it where its games stand.
func (s *Session) attach(conn *Conn, hello Hello) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return ErrNameInUse
	}
	s.conn, s.hello = conn, hello
	s.expiry.Stop()
	if isClosed(s.gone) {
		s.gone = make(chan struct{})
	}
	close(s.arrived)
	games := slices.Sorted(maps.Keys(s.seats))
	s.send(Welcome{
		Name:          hello.Name,
		PingMS:        conn.limits.PingEvery.Milliseconds(),
		GraceMS:       s.grace.Milliseconds(),
		MaxFrameBytes: conn.limits.MaxFrame,
		Games:         append([]string{}, games...),
	})
	for _, game := range games {
		s.seats[game].repeat()
	}
	return nil
}

// detach leaves the bot without a connection. If it left on purpose it is gone
// at once.
func (s *Session) detach(left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = nil
	s.arrived = make(chan struct{})
	if left {
		close(s.gone)
		return
	}
	s.expire(s.grace)
}

// expire closes gone after the grace period, if no connection comes first.
func (s *Session) expire(after time.Duration) {
	gone := s.gone
	s.expiry = time.AfterFunc(after, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.conn == nil && s.gone == gone && !isClosed(gone) {
			close(gone)
		}
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// send sends to the bot if it is connected. The caller holds the lock. What a
// dropped connection has missed is repeated when the bot is back.
func (s *Session) send(m Message) {
	if s.conn != nil {
		_ = s.conn.send(m)
	}
}

// Goodbye takes leave of the bot, if it is connected, and closes the connection.
func (s *Session) Goodbye(reason string, reconnect bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.send(Goodbye{reason, reconnect})
		s.conn.end(websocket.CloseGoingAway, reason)
	}
}

// handle takes a message of the bot.
func (s *Session) handle(m Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := m.(type) {
	case Move:
		s.answered(m)
	case Goodbye:
		return fmt.Errorf("%w: %.200s", errLeft, m.Reason)
	case Error:
		s.complain("", fmt.Sprintf("the bot reports an error: %.200s", m.Message))
	default:
		s.object(Error{Code: UnknownType, Message: "a " + m.kind() + " is not for a bot to send"})
	}
	return nil
}

// strike tells the bot of a frame of bad form.
func (s *Session) strike(f *FormError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.object(Error{Code: f.Code, Message: f.Problem})
}

// object tells the bot what was wrong with a message, and notes it.
func (s *Session) object(e Error) {
	s.send(e)
	s.complain(e.Game, "the bot's last error: "+e.Message)
}

// complain notes what the bot did wrong for the game's seat, or for all seats.
func (s *Session) complain(game, text string) {
	for id, seat := range s.seats {
		if id == game || s.seats[game] == nil {
			seat.complaint = text
		}
	}
}

// answered passes a move to the seat that asked for it.
func (s *Session) answered(m Move) {
	seat := s.seats[m.Game]
	switch {
	case seat == nil:
		s.object(Error{Code: UnknownGame, Message: fmt.Sprintf("move for game %.40q, which is not in progress", m.Game), Game: m.Game, Ply: &m.Ply})
	case seat.asked == nil:
		s.object(Error{Code: NotAsked, Message: fmt.Sprintf("move for ply %d, where nothing is asked", m.Ply), Game: m.Game, Ply: &m.Ply})
	case seat.asked.request.Ply != m.Ply:
		s.object(Error{Code: NotAsked, Message: fmt.Sprintf("move for ply %d, asked is ply %d", m.Ply, seat.asked.request.Ply), Game: m.Game, Ply: &m.Ply})
	default:
		seat.asked.answer <- m // has room: asked only once
		seat.asked = nil
	}
}
