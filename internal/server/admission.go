package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/protocol"
)

// admission decides which requests may let a bot play, look at the arena or operate it.
type admission struct {
	roster        *roster.Roster
	tokens        Tokens
	grants        *grants
	owners        *gate.Owners
	registrar     *gate.Registrar
	proxies       gate.Proxies
	requireTokens bool   // from bots on loopback, too
	secret        string // of the operator on this machine; "" if there is none
	secretFile    string // where a command finds the secret; "" if it is in no file
	link          gate.OperatorLink
	byLink        string // stands for a token in the sessions of browsers that have used the link
	public        bool   // everybody may look
	origins       *origins
	sessions      *sessions
	programs      roster.Commands // of the arena's host
}

// refusal is the reason why a bot is not admitted.
type refusal protocol.Refusal

// admitBot decides whether a bot may play under the name it gives. A bot on loopback needs no token, unless every bot
// does: it may then use a name that is not reserved, is not a visitor's, has no token and does not look like a name
// with a token. refused is nil if the bot is admitted. registered reports whether the bot has just registered its name,
// with a token that it made itself.
func (a *admission) admitBot(r *http.Request, hello protocol.Hello) (registered bool, refused *refusal, err error) {
	if reserved := a.roster.Reservation(hello.Name); reserved != "" {
		if equal(reserved, hello.Token) {
			return false, nil, nil
		}
		return false, &refusal{protocol.NameInUse, "this name is reserved now, for a bot that the arena has started or for a visitor: take another one"}, nil
	}
	if refused = a.reserved(hello.Name); refused != nil {
		return false, refused, nil
	}
	if hello.Token == "" {
		refused, err = a.admitUnnamed(r, hello.Name)
		return false, refused, err
	}
	valid, err := a.tokens.Valid(r.Context(), string(BotRole), hello.Name, hello.Token)
	if err != nil || valid {
		return false, nil, err
	}
	refused, err = a.register(r, hello)
	return refused == nil && err == nil, refused, err
}

// reserved refuses a name that stands for a bot of the arena or of its host. It allows a spec as a name if an event
// awaits a bot of that name.
func (a *admission) reserved(name string) *refusal {
	switch {
	case roster.IsCommand(name):
		return &refusal{protocol.BadHello, fmt.Sprintf("the name %q is a command, which stands for a program of the arena's host: take another name", name)}
	case a.programs[name] != nil: // an event that has this name among its bots means the program
		return &refusal{protocol.BadHello, fmt.Sprintf("the name %q belongs to a program of the arena's host: take another name", name)}
	case roster.IsSpec(name) && !a.roster.Awaits(name):
		return &refusal{protocol.BadHello, fmt.Sprintf("the name %q is a spec, which stands for a bot that the arena starts: take another name, such as %q",
			name, a.roster.FreeName(roster.KindOf(name)))}
	}
	return nil
}

// admitUnnamed decides whether a bot without a token may use a name.
func (a *admission) admitUnnamed(r *http.Request, name string) (*refusal, error) {
	owned, err := a.tokens.Has(r.Context(), string(BotRole), name)
	if err != nil {
		return nil, err
	}
	if owned && gate.FromLoopback(r) { // a bot from elsewhere must not learn which names have a token
		return &refusal{protocol.TokenRequired, "a token was made for this name: give it with --token or VERSUS2048_TOKEN"}, nil
	}
	if owned || a.requireTokens || !gate.FromLoopback(r) {
		return &refusal{protocol.TokenRequired, "this name needs a token; " + a.registrar.Advice()}, nil
	}
	if roster.IsGuestName(name) {
		return guestName(), nil
	}
	owner, err := a.owners.Alike(r.Context(), name)
	if err != nil || owner == "" {
		return nil, err
	}
	return &refusal{protocol.NameAlike, fmt.Sprintf("the name looks like %q, which a token was made for: take another one", owner)}, nil
}

func guestName() *refusal {
	return &refusal{protocol.BadHello, "names that begin with \"" + roster.GuestPrefix + "\" are for people who play from the arena's pages: take another one"}
}

// register gives a bot the name in its hello, if its token permits a registration and the name is free.
func (a *admission) register(r *http.Request, hello protocol.Hello) (*refusal, error) {
	applicant, refused, err := a.registrar.Check(r.Context(), a.proxies.Client(r), hello.Token)
	if refused != nil || err != nil {
		return (*refusal)(refused), err
	}
	if roster.IsGuestName(hello.Name) {
		return guestName(), nil
	}
	owned, err := a.tokens.Has(r.Context(), string(BotRole), hello.Name)
	if err != nil {
		return nil, err
	}
	if owned { // also while its bot is connected: NameInUse would say that the name becomes free
		return (*refusal)(gate.NameTaken()), nil
	}
	if err := a.roster.Vacant(hello.Name); err != nil {
		return nameTaken(err), nil
	}
	refused, err = a.registrar.Register(r.Context(), hello.Name, applicant)
	return (*refusal)(refused), err
}

// Registration returns the arena's mode of registration.
func (a *admission) Registration() gate.Registration { return a.registrar.Registration() }

// Reasons why a request is forbidden.
var (
	errForbidden = errors.New("only an operator may do this: give the command an operator's token (made by: arena token new --operator NAME), or run it on the arena's machine as the user who started the arena")
	// ErrBadToken is the reason if a token is wrong.
	ErrBadToken = errors.New("the token is not an operator's, or it is revoked")
)

// admit decides whether a request has a right, and returns its caller. A page of another site, open in a browser on
// this machine, can only read what is open to everybody. admit returns errForbidden, ErrBadToken, or an error of the
// store.
func (a *admission) admit(r *http.Request, need Right) (c caller, err error) {
	if a.origins.writes.Check(r) != nil || need == OperateRight && !a.origins.own(r) {
		return c, errForbidden
	}
	if need == OpenRight {
		return c, nil
	}
	if token, ok := bearer(r); ok {
		return a.admitToken(r, token)
	}
	if token, ok := a.sessions.token(r); ok && a.origins.own(r) {
		if c, err = a.admitToken(r, token); !errors.Is(err, ErrBadToken) {
			return c, err
		}
		c = caller{} // the token was revoked: the browser is a visitor's again
	}
	if need == LookRight && (a.public || gate.FromLoopback(r)) && a.origins.own(r) {
		return c, nil
	}
	return c, errForbidden
}

// bearer returns the token that a request presents.
func bearer(r *http.Request) (token string, ok bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer") // RFC 9110: in upper or lower case
}

// admitToken decides whether a token is an operator's, the secret of the operator on this machine, or the byLink of a
// session.
func (a *admission) admitToken(r *http.Request, token string) (c caller, err error) {
	if a.secret != "" && gate.FromLoopback(r) && equal(a.secret, token) {
		return caller{operator: true}, nil
	}
	if equal(a.byLink, token) && a.isPrivate(r) {
		return caller{operator: true}, nil
	}
	valid, err := a.tokens.Valid(r.Context(), string(OperatorRole), "", token)
	if err == nil && !valid {
		err = ErrBadToken
	}
	return caller{operator: err == nil, token: token}, err
}

// caller is the sender of a request.
type caller struct {
	operator bool
	token    string // proves that the caller is an operator, and can be revoked; "" if there is none
}

// callerKey is the key, in the context of a request, of a caller who is an operator and has shown a valid token.
type callerKey struct{}

// operatorKey is the key, in the context of a request, of a bool: whether an operator sent it.
type operatorKey struct{}

// IsOperator reports whether a request that was admitted to a route comes from an operator.
func IsOperator(ctx context.Context) bool {
	is, _ := ctx.Value(operatorKey{}).(bool)
	return is
}

// whileAdmitted returns a context for a request. The context ends when the token that admitted the request is revoked.
// Call done when the request has been answered.
func (a *admission) whileAdmitted(r *http.Request, c caller) (ctx context.Context, done func()) {
	ctx = r.Context()
	if c.operator {
		ctx = context.WithValue(ctx, operatorKey{}, true)
	}
	if c.token == "" {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := a.grants.add(OperatorRole, "", c.token, cancel)
	return ctx, func() { forget(); cancel() }
}

// equal compares secrets in a time that does not depend on the place where they differ.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// errUnknownHost means that a request for a page names a host that is not known to be this arena's. The owner of a host
// name can make it point to this machine: then that host's pages would be of the same site as the arena's (DNS
// rebinding).
var errUnknownHost = errors.New("this arena is not known under that name: its host can name it with arena serve --origin http://NAME")

// origins distinguishes the arena's own pages from pages of other sites.
type origins struct {
	named  []string // in the configuration, such as https://arena.example.org
	hosts  []string // names of this machine, and the hosts in named
	writes *http.CrossOriginProtection
}

func newOrigins(named []string, log *slog.Logger) *origins {
	o := &origins{hosts: ownNames(), writes: new(http.CrossOriginProtection)}
	for _, name := range named {
		origin := strings.ToLower(strings.TrimSuffix(name, "/")) // as browsers write it
		address, err := url.Parse(origin)
		if err == nil {
			err = o.writes.AddTrustedOrigin(origin)
		}
		if err != nil {
			log.Warn("an origin is no address of a page, and is left out", "origin", name, "why", err)
			continue
		}
		o.named, o.hosts = append(o.named, origin), append(o.hosts, address.Hostname())
	}
	return o
}

// ownNames returns the names of this machine on its network.
func ownNames() []string {
	all := []string{"localhost"}
	name, err := os.Hostname()
	if err != nil {
		return all // other machines use the address of this one
	}
	short, _, _ := strings.Cut(strings.ToLower(name), ".")
	return append(all, strings.ToLower(name), short, short+".local")
}

// knownHost reports whether a request is meant for this arena: its host is an IP address, or one of the arena's names.
// Nobody can make an IP address point elsewhere.
func (o *origins) knownHost(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return net.ParseIP(host) != nil || slices.Contains(o.hosts, strings.ToLower(host))
}

// own reports whether a request comes from a page of this arena, or from no page at all. Browsers name the page's
// origin in every request that changes something or opens a WebSocket.
func (o *origins) own(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	if origin == "" || slices.Contains(o.named, origin) {
		return true
	}
	address, err := url.Parse(origin)
	return err == nil && address.Host != "" && address.Host == strings.ToLower(r.Host)
}

// isForeign reports whether a page of another site sends a request by itself, as the browser says: for a picture, a
// script or a frame, but not for a link that somebody has followed. A foreign request may have no Origin, and its page
// cannot read the answer, but the request could start work here.
func isForeign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// sessions are the browsers that an operator has logged in with.
type sessions struct {
	mu   sync.Mutex
	live map[string]login // by the cookie's value
}

// login is one browser.
type login struct {
	token string // an operator's
	began time.Time
}

func newSessions() *sessions { return &sessions{live: map[string]login{}} }

const (
	sessionCookie = "versus2048"
	sessionTime   = 24 * time.Hour
	mostSessions  = 1000 // a further one ends the oldest
)

// token returns the operator's token of the session that sent a request.
func (s *sessions) token(r *http.Request) (token string, ok bool) {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.live[cookie.Value]
	if ok && time.Since(l.began) > sessionTime {
		delete(s.live, cookie.Value)
		return "", false
	}
	return l.token, ok
}

// add logs in with a token and returns the value of the cookie.
func (s *sessions) add(token string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.live) >= mostSessions {
		began := func(a, b string) int { return s.live[a].began.Compare(s.live[b].began) }
		delete(s.live, slices.MinFunc(slices.Collect(maps.Keys(s.live)), began))
	}
	value := rand.Text()
	s.live[value] = login{token, time.Now()}
	return value
}

// remove ends the session of a request.
func (s *sessions) remove(r *http.Request) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.live, cookie.Value)
	}
}

// LogIn checks an operator's token, or the secret of the operator's file, and gives the browser a cookie. The browser
// is then an operator's for a day, or until it logs out, the token is revoked or the arena ends. The error describes
// the fault of the token.
func (a *admission) LogIn(w http.ResponseWriter, r *http.Request, token string) error {
	if _, err := a.admitToken(r, token); err != nil {
		return err
	}
	http.SetCookie(w, a.cookie(r, a.sessions.add(token), sessionTime))
	return nil
}

// LoginLink returns a path of the arena's pages. On this machine or over TLS, the path makes one browser an operator's,
// as LogIn does. An earlier link becomes void.
func (a *admission) LoginLink() string { return "/login?once=" + a.link.New() }

// Reasons why a link does not log in.
var (
	// ErrLinkUsed is the reason if the link was used before, is no longer the latest, or is not from this run.
	ErrLinkUsed = errors.New("this link was used already, is not the latest one, or belongs to an earlier run of the arena")
	// ErrLinkInClear is the reason if others could read the link and the cookie on their way. The link stays valid.
	ErrLinkInClear = errors.New("the link works on the arena's machine, or over TLS")
)

// LogInOnce gives a browser the cookie of LogIn for the secret of the link. The link is void from then on.
func (a *admission) LogInOnce(w http.ResponseWriter, r *http.Request, secret string) error {
	if !a.isPrivate(r) {
		return ErrLinkInClear
	}
	if !a.link.Use(secret) {
		return ErrLinkUsed
	}
	http.SetCookie(w, a.cookie(r, a.sessions.add(a.byLink), sessionTime))
	return nil
}

// isPrivate reports whether a request comes from this machine or over TLS, so that nobody on its way can read it.
func (a *admission) isPrivate(r *http.Request) bool {
	return a.proxies.OverTLS(r) || gate.FromLoopback(r)
}

// OperatorPath returns the path of the operator's file; LogIn accepts the secret in it on this machine. OperatorPath
// returns "" to a request from elsewhere.
func (a *admission) OperatorPath(r *http.Request) string {
	if !gate.FromLoopback(r) {
		return ""
	}
	return a.secretFile
}

// LogOut ends the session of a request, and deletes its cookie.
func (a *admission) LogOut(w http.ResponseWriter, r *http.Request) {
	a.sessions.remove(r)
	http.SetCookie(w, a.cookie(r, "", -time.Second))
}

// cookie returns a cookie that no script and no other site can use.
func (a *admission) cookie(r *http.Request, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{ // #nosec G124 -- Secure depends on the connection: a local arena has no TLS
		Name: sessionCookie, Value: value, Path: "/", MaxAge: int(age / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: gate.SaysTLS(r),
	}
}
