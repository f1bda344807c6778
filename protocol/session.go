package protocol

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// ErrNameInUse says that another connection of the bot is alive.
var ErrNameInUse = errors.New("the bot is connected already")

// Session is a bot across its connections. While it has none, its games wait
// for the grace period.
type Session struct {
	mu      sync.Mutex
	grace   time.Duration
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

// SetGrace changes the grace period, from the bot's next loss on.
func (s *Session) SetGrace(grace time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grace = grace
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
	return conn.run(ctx, s)
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
	games := slices.AppendSeq([]string{}, maps.Keys(s.seats)) // not nil: JSON's [], not null
	slices.Sort(games)
	s.send(Welcome{
		Name:          hello.Name,
		PingMS:        conn.limits.PingEvery.Milliseconds(),
		GraceMS:       s.grace.Milliseconds(),
		MaxFrameBytes: conn.limits.MaxFrame,
		Games:         games,
	})
	for _, game := range games {
		s.seats[game].repeat()
	}
	return nil
}

// lost leaves the bot without a connection. If it left on purpose it is gone at
// once.
func (s *Session) lost(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = nil
	s.arrived = make(chan struct{})
	if errors.Is(why, errLeft) {
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

// roundTrip is that of the bot's connection, 0 without one.
func (s *Session) roundTrip() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return 0
	}
	return s.conn.pings.roundTrip()
}

// send sends to the bot if it is connected. The caller holds the lock. What a
// dropped connection has missed is repeated when the bot is back.
func (s *Session) send(m Message) {
	if s.conn != nil {
		_ = s.conn.send(m)
	}
}

// Goodbye takes leave of the bot, if it is connected, and closes the connection.
// reconnect asks it to try again later.
func (s *Session) Goodbye(reason string, reconnect bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.send(Goodbye{reason, reconnect})
		s.conn.end(websocket.CloseGoingAway, "goodbye")
	}
}
