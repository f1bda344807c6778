package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/protocol"
)

// session is a session of MCP with its seat at the arena.
type session struct {
	config *Config
	id     string // "" over standard input and output
	life   context.Context
	end    context.CancelFunc

	mu   sync.Mutex // held while a seat is taken or left
	seat *seat      // nil before the first, and after leave
}

// errNoSeat means that the assistant is not connected to the arena.
var errNoSeat = errors.New("you are not connected to the arena: join an event or challenge a bot first")

// seated returns the seat of the assistant.
func (s *session) seated() (*seat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seat == nil {
		return nil, errNoSeat
	}
	return s.seat, nil
}

// take connects the assistant to the arena under the name in hello. An assistant has one seat at a time.
func (s *session) take(ctx context.Context, hello protocol.Hello, run func(context.Context, protocol.Client) error) (registered bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seat != nil && !s.seat.left() {
		return false, fmt.Errorf("you are connected as %q already: call leave before you join or challenge again", s.seat.name)
	}
	if err := s.life.Err(); err != nil {
		return false, err
	}
	hello.Spec, hello.Version, hello.Author, hello.Slots = "mcp", s.config.Hello.Version, s.config.Hello.Author, 1
	taken, registered, err := sit(ctx, s.life, s.config.Admission, protocol.Client{
		URL: s.config.BotURL, Hello: hello, Reconnect: reconnectTime, Margin: margin, Log: s.config.Log,
		OtherNames: true, // a name that is in use is refused at once
	}, run)
	if err == nil {
		s.seat = taken
	}
	return registered, err
}

const (
	reconnectTime = time.Minute           // how long a seat tries to reach an arena again after its connection was lost
	margin        = 50 * time.Millisecond // a turn is given up this long before its deadline
)

// leave ends the seat.
func (s *session) leave() (name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seat == nil {
		return "", errNoSeat
	}
	defer func() { s.seat = nil }()
	s.seat.leave()
	return s.seat.name, nil
}

// close ends the session's seat, and everything that waits for it.
func (s *session) close() {
	s.end()
	_, _ = s.leave() // there may be none
}

// asked returns the arena's answer to a request. It returns an error if the arena takes longer than Config.Answer.
func asked[T any](ctx context.Context, c call, ask func(context.Context) (T, error)) (T, error) {
	late := fmt.Errorf("the arena at %s has not answered within %v", c.config.Arena.URL, c.config.Answer)
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Answer, late)
	defer cancel()
	answer, err := ask(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return answer, err
}

// read reads a path of the arena.
func read[T any](ctx context.Context, c call, path string) (T, error) {
	return asked(ctx, c, func(ctx context.Context) (answer T, err error) {
		err = c.config.Arena.Read(ctx, path, &answer)
		return answer, err
	})
}
