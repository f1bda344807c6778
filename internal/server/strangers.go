package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/server/budget"
	"versus2048/internal/server/gate"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// turns limits the work that the arena does for strangers. It gives them a share of the processors, in turns, and a
// share of the memory for bots.
type turns struct {
	entrants  *entrants
	runs      *runs
	admission *admission
	proxies   gate.Proxies
}

// Think waits until the arena may do long work for a stranger: a bot's search, the marks of a game's moves, an
// animation. It first ends the turn that the request has. The new turn is nil for an operator, who does not wait for
// strangers. Think returns ErrTooMany if the turn does not come soon, or if too many wait already, and a *RequestError
// if the arena shuts down.
func (t *turns) Think(r *http.Request) (*budget.Turn, error) {
	return t.turn(r, t.entrants.budget.Search)
}

// Read is Think for work that reads much of the database: a count, statistics.
func (t *turns) Read(r *http.Request) (*budget.Turn, error) { return t.turn(r, t.entrants.budget.Read) }

// ReadForAll is Read for work that is done once for all strangers who ask for its result.
func (t *turns) ReadForAll(ctx context.Context) (*budget.Turn, error) {
	return t.untilShutdown(ctx, netip.Prefix{}, t.entrants.budget.Read)
}

// begin waits for the turn of a stranger at an address.
type begin func(ctx context.Context, from netip.Prefix) (*budget.Turn, error)

// turn ends the turn that a request has, and calls begin to wait for a new one.
func (t *turns) turn(r *http.Request, begin begin) (*budget.Turn, error) {
	budget.Of(r.Context()).End()
	if IsOperator(r.Context()) {
		return nil, nil
	}
	ctx, end := context.WithTimeoutCause(r.Context(), budget.Patience, ErrTooMany)
	defer end()
	turn, err := t.untilShutdown(ctx, gate.Network(t.proxies.Client(r)), begin)
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), ErrTooMany) {
		return nil, fmt.Errorf("%w: the arena plays an event, which goes first, and others wait before you; try again in a moment", ErrTooMany)
	}
	return turn, err
}

// untilShutdown waits for a turn while the arena is open.
func (t *turns) untilShutdown(ctx context.Context, from netip.Prefix, begin begin) (*budget.Turn, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if t.runs.isOpen() {
		defer context.AfterFunc(t.runs.life, end)()
	}
	turn, err := begin(ctx, from)
	switch {
	case err != nil && t.runs.isOpen() && t.runs.life.Err() != nil:
		return nil, &RequestError{errShutdown}
	case errors.Is(err, budget.ErrTooMany):
		return nil, fmt.Errorf("%w: %w; try again in a moment", ErrTooMany, err)
	}
	return turn, err
}

// Busy reports whether events are played, which have priority over strangers. It also returns the number of strangers'
// searches that wait for their turn.
func (t *turns) Busy() (playing bool, waiting int) {
	waiting, _ = t.entrants.budget.Waiting(budget.Searches, netip.Prefix{})
	return t.entrants.budget.Playing(), waiting
}

// admitFor returns a function that makes a bot wait for the turn of a stranger at an address before each search.
func (en *entrants) admitFor(from netip.Prefix) func(context.Context) (time.Duration, func(), error) {
	return func(ctx context.Context) (time.Duration, func(), error) {
		turn, err := en.budget.Begin(ctx, budget.Searches, from)
		if err != nil {
			return 0, nil, err
		}
		return turn.Limit(), turn.End, nil
	}
}

// budgeted returns a handler that gives strangers their turns. same names the answer to a request, as in sameFor. same
// may be nil.
func (t *turns) budgeted(next http.Handler, same func(*http.Request) string) http.Handler {
	answering := &budget.Answering{
		Budget: t.entrants.budget,
		From:   func(r *http.Request) netip.Prefix { return gate.Network(t.proxies.Client(r)) },
		Free:   t.free,
		Same:   same,
	}
	return answering.Handler(next)
}

// sameFor returns a function that names the answer to a request. Requests with the same name get the same answer: the
// name has all parts of the request that the answer may depend on. The name is "" for a request by a method other than
// GET, with a cookie or a token, or on a route that may answer each visitor differently.
func (s *Server) sameFor(mux *http.ServeMux) func(*http.Request) string {
	same := map[string]bool{}
	for _, r := range s.pages {
		same[r.Pattern] = r.Same
	}
	return func(r *http.Request) string {
		h := r.Header
		if r.Method != http.MethodGet || h.Get("Cookie") != "" || h.Get("Authorization") != "" {
			return ""
		}
		if _, pattern := mux.Handler(r); !same[pattern] {
			return ""
		}
		parts := []string{r.Host, r.RequestURI, strconv.FormatBool(s.admission.public || gate.FromLoopback(r)), strconv.FormatBool(r.TLS != nil)}
		for _, name := range []string{"Accept", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Accept-Encoding", "If-None-Match", "X-Forwarded-Proto"} {
			parts = append(parts, h.Get(name))
		}
		return strings.Join(parts, "\n")
	}
}

// Reserve reserves memory for a search that a visitor asks for, until free is called. This memory counts towards the
// limit for the bots of events and of visitors' games. Reserve returns ErrTooMany if the arena allows no more now.
func (t *turns) Reserve(bytes uint64) (free func(), err error) {
	key := new(int)
	if _, ok := t.entrants.memory.Take(key, bytes); !ok {
		return nil, fmt.Errorf("%w: the bots that play here may need all the memory that this arena allows", ErrTooMany)
	}
	return func() { t.entrants.memory.Free(key) }, nil
}

// isBot reports whether a request connects a bot. Bots do not wait for strangers.
func isBot(r *http.Request) bool {
	return r.URL.Path == "/bot" && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// pay makes a request wait for a turn if it was answered without one.
func (t *turns) pay(r *http.Request) {
	if budget.Of(r.Context()) != nil {
		return
	}
	if turn, err := t.entrants.budget.Begin(r.Context(), budget.Answers, gate.Network(t.proxies.Client(r))); err == nil {
		turn.End()
	}
}

// free reports whether a request needs no turn, because it connects a bot or comes from an operator. The context of an
// operator's request has the operator as the caller.
func (t *turns) free(r *http.Request) (ctx context.Context, free bool) {
	if isBot(r) {
		return r.Context(), true
	}
	c, err := t.admission.admit(r, OperateRight)
	if err != nil || !c.operator {
		return nil, false
	}
	return context.WithValue(r.Context(), callerKey{}, c), true
}

// Hint returns the move that a bot would play in a position, and the bot's report on the search, nil if there is none.
// A bot that the arena starts searches for a second at most. A connected bot plays a game of one move, if it has a free
// slot. Hint returns a *RequestError if the bot cannot answer, and ErrTooMany if the turn for the search does not come
// soon.
func (s *visitors) Hint(r *http.Request, bot string, p rules.Position) (rules.Move, *record.SearchReport, error) {
	if s.CanAsk(bot) {
		player, free, err := s.borrow(bot, p)
		if err != nil {
			return 0, nil, &RequestError{err}
		}
		defer free()
		ctx, end := context.WithTimeout(r.Context(), visitorMove)
		defer end()
		return hint(ctx, bot, player, p)
	}
	spec, err := s.adviser(bot, p)
	if err != nil {
		return 0, nil, &RequestError{err}
	}
	turn, err := s.turns.Think(r)
	if err != nil {
		return 0, nil, err
	}
	defer turn.End()
	free, err := s.turns.Reserve(spec.Need().Memory)
	if err != nil {
		return 0, nil, &RequestError{err}
	}
	defer free()
	ctx, end := turn.Within(r.Context(), hintTime)
	defer end()
	return hint(ctx, bot, spec.New(players.Game{Seed: RandomSeed(), Rules: p.Rules(), Size: p.Size()}), p)
}

// hint returns the move of a player, and the player's report on the search, nil if there is none.
func hint(ctx context.Context, bot string, player players.Player, p rules.Position) (rules.Move, *record.SearchReport, error) {
	move, err := player.Choose(ctx, p)
	if err == nil {
		_, err = p.Play(move)
	}
	if err != nil {
		return 0, nil, &RequestError{fmt.Errorf("bot %q has no answer: %w", bot, err)}
	}
	var report *record.SearchReport
	if searcher, ok := player.(players.Searcher); ok {
		report = searcher.LastSearch()
	}
	return move, report, nil
}

// CanAsk reports whether a visitor may ask the connected bot of that name for a hint. The name of a program of the host
// is refused, even while a bot that the arena has started uses it: only operators may have the program run.
func (s *visitors) CanAsk(bot string) bool {
	return s.roster.Connected(bot) && s.roster.Guest(bot) == nil && s.programs[bot] == nil
}

// borrow takes a connected bot for one move: it begins a game from the position. free ends the game.
func (s *visitors) borrow(bot string, p rules.Position) (player players.Player, free func(), err error) {
	switch {
	case p.Over():
		return nil, nil, errors.New("the game is over")
	case p.Rules().Chance() && p.SideToMove() == rules.Attacker:
		return nil, nil, errors.New("under these rules chance attacks")
	}
	if err := s.roster.Suits(bot, p.Rules(), p.Size(), p.SideToMove()); err != nil {
		return nil, nil, err
	}
	slot, stay, err := s.roster.Visit(bot, true)
	if err != nil {
		return nil, nil, err
	}
	seat := slot.Session.StartGame(protocol.Start{
		Game: "hint " + rand.Text(), Event: "a hint", Match: 1, Leg: 1, Role: p.SideToMove(), Opponent: "a visitor",
		Clock: protocol.Clock{MoveMS: visitorMove.Milliseconds()}, Seed: RandomSeed(), Search: true,
	}, p)
	seat.Patience = visitorLag
	seat.SetAway(0)
	return seat, func() {
		seat.Over(protocol.Over{Ending: record.Unfinished, Score: p.Score(), LargestTile: p.LargestTile(), Match: protocol.MatchScores{Number: 1}})
		s.roster.Release(bot, stay)
	}, nil
}

// adviser returns the bot that the arena starts for a visitor's hint.
func (s *visitors) adviser(text string, p rules.Position) (spec players.Spec, err error) {
	if err := s.allowed.Check(text); err != nil {
		return spec, err
	}
	spec, err = players.Parse(players.InFolder(text, s.allowed.RelativeTo()))
	if err == nil {
		err = spec.Plays(p.Rules(), p.Size())
	}
	if err == nil && p.Over() {
		err = errors.New("the game is over")
	}
	if err == nil {
		err = checkVisit(spec.Need())
	}
	return spec, err
}
