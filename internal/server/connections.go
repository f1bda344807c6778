package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/protocol"
)

// serveBot serves one bot's connection until it ends.
func (s *Server) serveBot(w http.ResponseWriter, r *http.Request) {
	s.bots.Add(1)
	defer s.bots.Done()
	visitor := gate.From(r.Context())
	if s.admission.origins.own(r) {
		r.Header.Del("Origin") // a proxy may have rewritten the host, and gorilla compares the two
	}
	conn, hello, err := protocol.Accept(w, r, s.limits, visitor.Throttles()...)
	if err != nil {
		defer s.pay(r) // the connection may be kept
		s.host.metrics.BotRefused(string(protocol.BadHello))
		s.log.InfoContext(r.Context(), "bot turned away", "from", s.clientOf(r), "why", err)
		s.refusals.add(Refusal{Code: protocol.BadHello, Message: err.Error(), from: s.proxies.Client(r)})
		return
	}
	registered, refused, err := s.admission.admitBot(r, hello)
	if err != nil {
		s.log.ErrorContext(r.Context(), "checking a bot's token failed", "bot", hello.Name, "error", err)
		refused = &refusal{protocol.InternalError, "the arena could not check the token; try again later"}
	}
	if registered {
		s.log.InfoContext(r.Context(), "name registered", "bot", hello.Name, "from", s.clientOf(r))
		conn.Registered()
	}
	if refused == nil && !visitor.Keep(s.roster.PlacesFor(hello.Name)) {
		refused = &refusal{protocol.Busy, "the arena has no room for another bot; try again later"}
	}
	if refused == nil {
		s.host.metrics.BotAdmitted()
		s.log.InfoContext(r.Context(), "bot admitted", "bot", hello.Name, "from", s.clientOf(r), "slots", hello.Slots)
		s.refusals.admitted(hello.Name, s.proxies.Client(r))
		err = s.play(r.Context(), conn, hello)
		if refused = nameTaken(err); refused == nil {
			s.log.InfoContext(r.Context(), "bot left", "bot", hello.Name, "from", s.clientOf(r), "why", err)
		}
	}
	if refused != nil {
		s.host.metrics.BotRefused(string(refused.Code))
		s.log.WarnContext(r.Context(), "bot refused", "bot", hello.Name, "from", s.clientOf(r), "code", refused.Code)
		s.refusals.add(Refusal{Bot: hello.Name, Code: refused.Code, Message: refused.Message, from: s.proxies.Client(r)})
		conn.Refuse(refused.Code, refused.Message)
	}
}

// nameTaken returns the refusal for an error which means that a bot's name, or one that looks like it, is in use. It
// returns nil for other errors.
func nameTaken(err error) *refusal {
	alike := (*roster.AlikeError)(nil)
	switch {
	case errors.As(err, &alike):
		return &refusal{protocol.NameAlike, alike.Error() + ": take another one"}
	case errors.Is(err, protocol.ErrNameKept):
		return &refusal{protocol.NameInUse, "a bot of this name has lost its connection and may come back, from its address or with the secret from its welcome; the name is free once its grace period is over"}
	case errors.Is(err, protocol.ErrNameInUse):
		return &refusal{protocol.NameInUse, "a bot of this name is connected already; if it is yours and has died, try again until the arena has noticed"}
	}
	return nil
}

// play lets an admitted bot play until its connection ends, or its token is revoked.
func (s *Server) play(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	if hello.Token != "" {
		s.roster.Vouch(hello.Name) // a token proves more than the secret of an earlier welcome
	}
	if hello.Token != "" && s.roster.Reservation(hello.Name) == "" {
		revoked := func() { s.roster.Dismiss(hello.Name, hello.Token, "the token is revoked") }
		defer s.grants.add(BotRole, hello.Name, hello.Token, revoked)()
	}
	return s.roster.Serve(ctx, conn, hello)
}

// clientOf returns the address of the sender of a request, for the log: with its port, or with the proxy that has
// passed the request on.
func (s *Server) clientOf(r *http.Request) string {
	if client := s.proxies.Client(r); client != gate.ParseAddress(r.RemoteAddr) {
		return client.String() + " through " + r.RemoteAddr
	}
	return r.RemoteAddr
}

// Address returns the address of the machine that sent a request, through the arena's proxies as well.
func (s *Server) Address(r *http.Request) netip.Addr { return s.proxies.Client(r) }

// Bots returns the connected bots and the bots that are away from their event, by name.
func (s *Server) Bots() []BotInfo { return s.roster.List() }

// BotsChanged returns a channel that is closed when a bot comes or goes, or when an event takes or releases one.
func (s *Server) BotsChanged() <-chan struct{} { return s.host.bots.changed() }

// Away reports whether a bot that plays in an event is disconnected. It does not report visitors.
func (s *Server) Away(bot string) bool { return s.roster.Away(bot) }

// Seen returns the arena's knowledge of a bot. ok is false if there is no such bot.
func (s *Server) Seen(bot string) (seen roster.Seen, ok bool) { return s.roster.Seen(bot) }

// SeenChanged returns a channel that is closed when Seen or LastRefusal may return something else for any bot.
func (s *Server) SeenChanged() <-chan struct{} { return s.host.seen.changed() }

// BotInfo describes a bot that is connected, or away from its event.
type BotInfo = roster.BotInfo

// Limits of the list of bots that were turned away.
const (
	mostRefusals   = 100 // the last ones; a repeated one counts as one
	longestRefusal = 300 // characters of its message
)

// Refusal tells why a bot was turned away. Its texts are partly the bot's, but never have its token.
type Refusal struct {
	Bot     string        `json:"bot"` // the name it gave, "" if its hello was not understood
	Code    protocol.Code `json:"code"`
	Message string        `json:"why"`   // the text that the bot got
	Times   int           `json:"times"` // how often it was turned away for this reason
	Last    time.Time     `json:"last"`  // when it last came
	from    netip.Addr
}

// refusals has the last refusals. The pages show them to the authors of the bots.
type refusals struct {
	told *signal // of every change; may be nil
	mu   sync.Mutex
	list []Refusal // the latest last
}

func (rs *refusals) add(r Refusal) {
	if runes := []rune(r.Message); len(runes) > longestRefusal {
		r.Message = string(runes[:longestRefusal]) + "…"
	}
	r.Times, r.Last = 1, time.Now()
	defer rs.told.give()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	same := func(o Refusal) bool {
		return o.Bot == r.Bot && o.Code == r.Code && o.Message == r.Message && o.from == r.from
	}
	if i := slices.IndexFunc(rs.list, same); i >= 0 {
		r.Times += rs.list[i].Times
		rs.list = slices.Delete(rs.list, i, i+1)
	}
	if len(rs.list) == mostRefusals {
		rs.list = slices.Delete(rs.list, 0, 1)
	}
	rs.list = append(rs.list, r)
}

// admitted forgets the earlier refusals of a bot that now plays.
func (rs *refusals) admitted(bot string, from netip.Addr) {
	defer rs.told.give()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.list = slices.DeleteFunc(rs.list, func(r Refusal) bool { return r.from == from && (r.Bot == bot || r.Bot == "") })
}

// find returns the latest refusals that match, at most the given number, the latest first.
func (rs *refusals) find(most int, match func(*Refusal) bool) (found []Refusal) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for i := len(rs.list) - 1; i >= 0 && len(found) < most; i-- {
		if match(&rs.list[i]) {
			found = append(found, rs.list[i])
		}
	}
	return found
}

// LastRefusal returns the latest refusal of a bot with this name, or of an unreadable hello from this address. An empty
// name and an invalid address match nothing. ok is false if there is no such refusal.
func (s *Server) LastRefusal(bot string, from netip.Addr) (last Refusal, ok bool) {
	found := s.refusals.find(1, func(r *Refusal) bool {
		return r.Bot != "" && r.Bot == bot || r.Bot == "" && from.IsValid() && r.from == from
	})
	if len(found) == 0 {
		return last, false
	}
	return found[0], true
}

// Refusals returns the last refusals of all bots, at most the given number, the latest first.
func (s *Server) Refusals(most int) []Refusal {
	return s.refusals.find(most, func(*Refusal) bool { return true })
}

// Tokens looks up the tokens of bots and operators that are not revoked. results.Tokens has these methods.
type Tokens interface {
	// Has reports whether that name has a token of a [Role].
	Has(ctx context.Context, role, name string) (bool, error)
	// Valid reports whether the token belongs to that name. The name "" means any name.
	Valid(ctx context.Context, role, name, token string) (bool, error)
	// Owners returns the names of bots that have a token.
	Owners(ctx context.Context) ([]string, error)
}

// Role is the permission that a token gives.
type Role string

// The roles.
const (
	BotRole      Role = "bot"      // to play under one name
	OperatorRole Role = "operator" // to run events from another machine
)

// grants are the connections of bots and the requests of operators that a token has admitted. Each ends when its token
// is revoked.
type grants struct {
	tokens Tokens
	log    *slog.Logger
	mu     sync.Mutex
	live   map[*grant]bool
}

// grant is one connection or request.
type grant struct {
	role        Role
	name, token string
	end         func() // ends the connection
}

// add adds a connection or request that the token has admitted under that name. end ends it, and may be called more
// than once. Call forget when it has ended.
func (g *grants) add(role Role, name, token string, end func()) (forget func()) {
	added := &grant{role, name, token, end}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live[added] = true
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.live, added)
	}
}

// revocationCheck is the time between two checks of the tokens of all live connections: "arena token revoke" is another
// process, which only writes to the database.
const revocationCheck = time.Second

// watch ends the connections of revoked tokens until ctx ends.
func (g *grants) watch(ctx context.Context) {
	ticker := time.NewTicker(revocationCheck)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			g.check(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// check ends the connections of revoked tokens. If a token cannot be looked up, its connection goes on.
func (g *grants) check(ctx context.Context) {
	g.mu.Lock()
	all := slices.Collect(maps.Keys(g.live))
	g.mu.Unlock()
	for _, live := range all {
		valid, err := g.tokens.Valid(ctx, string(live.role), live.name, live.token)
		switch {
		case err != nil && ctx.Err() == nil:
			g.log.Error("checking whether a token is revoked failed", "role", live.role, "name", live.name, "error", err)
			return
		case err == nil && !valid:
			g.log.Warn("token revoked, the connection ends", "role", live.role, "name", live.name)
			live.end()
		}
	}
}

// CheckOwner returns an error if no token may be made for a bot's name, because the name looks like another one in
// owned. owned are the names of bots that have a token. Names of operators may look alike.
func CheckOwner(role Role, name string, owned []string) error {
	if role != BotRole {
		return nil
	}
	alike := func(owner string) bool { return owner != name && protocol.AlikeNames(owner, name) }
	if i := slices.IndexFunc(owned, alike); i >= 0 {
		return fmt.Errorf("name %q: it looks like %q, which has a token: take another name, or revoke that token", name, owned[i])
	}
	return nil
}

// CheckToken returns an error if no bot or operator can have a token under that name.
func CheckToken(role Role, name string) error {
	if err := protocol.CheckName(name); err != nil {
		return err
	}
	switch { // as in admission.reserved
	case role != BotRole:
		return nil
	case roster.IsCommand(name):
		return fmt.Errorf("name %q: it is a command, which stands for a program of the arena's host; take another one", name)
	case roster.IsSpec(name):
		return fmt.Errorf("name %q: it is a spec, which stands for a bot that the arena starts; take another one, such as %s-1", name, roster.KindOf(name))
	}
	return nil
}

// Token is a token that an arena knows, without its secret.
type Token struct {
	Role    Role      `json:"role"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Revoked bool      `json:"revoked"`
	// Invitation is the number of the invitation that the bot registered itself with, 0 for none.
	Invitation int64 `json:"invitation,omitempty"`
}
