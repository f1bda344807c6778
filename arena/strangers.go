package arena

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"versus2048/arena/budget"
	"versus2048/arena/gate"
)

// mostThoughts are the searches and counts that may wait for their turn, mostThoughtsFrom those from one other machine.
const (
	mostThoughts     = 256
	mostThoughtsFrom = 4
)

// Think waits until work may be done for a stranger that takes longer than the answer to a request: a bot's search, a
// count, statistics. The request's own turn is over with that. The turn is nil for an operator, who does not wait for
// strangers. Think returns ErrTooMany if the turn does not come soon, or too many wait already.
func (s *Server) Think(r *http.Request) (*budget.Turn, error) {
	budget.Of(r.Context()).End()
	if IsOperator(r.Context()) {
		return nil, nil
	}
	from := gate.Network(s.proxies.Client(r))
	all, own := s.budget.Waiting(budget.Searches, from)
	if all >= mostThoughts || own >= mostThoughtsFrom && !from.Addr().IsLoopback() {
		return nil, fmt.Errorf("%w: %d wait for their turn here, %d of them from your address; try again in a moment", ErrTooMany, all, own)
	}
	ctx, end := context.WithTimeoutCause(r.Context(), budget.Patience, ErrTooMany)
	defer end()
	turn, err := s.begin(ctx, from)
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), ErrTooMany) {
		return nil, fmt.Errorf("%w: the arena plays an event, which goes first, and others wait before you; try again in a moment", ErrTooMany)
	}
	return turn, err
}

// ThinkForAll waits until work may be done once for all strangers who ask for it.
func (s *Server) ThinkForAll(ctx context.Context) (*budget.Turn, error) {
	return s.begin(ctx, netip.Prefix{})
}

// Busy reports whether events are played, which go before strangers, and how many searches of strangers wait for their turn.
func (s *Server) Busy() (playing bool, waiting int) {
	waiting, _ = s.budget.Waiting(budget.Searches, netip.Prefix{})
	return s.budget.Playing(), waiting
}

// begin waits for the turn of a search, while the arena is open.
func (s *Server) begin(ctx context.Context, from netip.Prefix) (*budget.Turn, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if s.host.isOpen() {
		defer context.AfterFunc(s.host.life, end)()
	}
	turn, err := s.budget.Begin(ctx, budget.Searches, from)
	if err != nil && s.host.isOpen() && s.host.life.Err() != nil {
		return nil, &RequestError{errShutdown}
	}
	return turn, err
}

// admitFor returns what makes a bot wait that thinks for a stranger at an address.
func (h *host) admitFor(from netip.Prefix) func(context.Context) (time.Duration, func(), error) {
	return func(ctx context.Context) (time.Duration, func(), error) {
		turn, err := h.budget.Begin(ctx, budget.Searches, from)
		if err != nil {
			return 0, nil, err
		}
		return turn.Limit(), turn.End, nil
	}
}

// isPlaying reports whether games are being played that are no visitor's.
func (h *host) isPlaying() bool {
	for _, f := range h.feeds() {
		if f.isPlaying() {
			return true
		}
	}
	return false
}

// budgeted returns a handler that gives strangers their turns.
func (s *Server) budgeted(next http.Handler) http.Handler {
	return budget.Answering{
		Budget: s.budget,
		From:   func(r *http.Request) netip.Prefix { return gate.Network(s.proxies.Client(r)) },
		Free:   func(r *http.Request) bool { return isBot(r) || s.isOperator(r) },
	}.Handler(next)
}

// isBot reports whether a request connects a bot, which does not wait for strangers.
func isBot(r *http.Request) bool {
	return r.URL.Path == "/bot" && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// pay makes a request wait that had no turn, as if it had.
func (s *Server) pay(r *http.Request) {
	if turn, err := s.budget.Begin(r.Context(), budget.Answers, gate.Network(s.proxies.Client(r))); err == nil {
		turn.End()
	}
}

// isOperator reports whether a request comes with an operator's token.
func (s *Server) isOperator(r *http.Request) bool {
	c, err := s.admission.admit(r, OperateRight)
	return err == nil && c.operator
}
