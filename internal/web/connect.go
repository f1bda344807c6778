package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/live"
	"versus2048/results"
)

func (s *Site) connectRoutes() []server.Route {
	return []server.Route{
		s.look("/connect", s.showConnect),
		s.look("/api/seen", s.sendSeen),
		s.operate("/connect/token", s.makeToken),
	}
}

// connectPage is the guide for authors of bots, with this arena's own address.
type connectPage struct {
	Host      string // such as arena.example.org:2048
	HTTP, Bot string // the addresses of the pages and of the bots
	Loopback  bool   // the visitor is on the arena's machine
	Connected []server.BotInfo
	Name      string // of the bot that the visitor looks for, or of a token that was just made
	Token     string // shown once
	Problem   string // of the form
	Seen      seenJSON
	Refused   []refusalJSON // for an operator: the last refusals of all bots
}

// shownRefusals is how many refused bots an operator sees.
const shownRefusals = 20

func (s *Site) showConnect(w http.ResponseWriter, r *http.Request) error {
	return s.showConnectPage(w, r, http.StatusOK, connectPage{Name: r.FormValue("bot")})
}

func (s *Site) showConnectPage(w http.ResponseWriter, r *http.Request, status int, page connectPage) error {
	page.Host, page.HTTP = r.Host, origin(r)
	page.Bot = "ws" + strings.TrimPrefix(page.HTTP, "http") + "/bot"
	page.Loopback, page.Connected = server.FromThisMachine(r), s.arena.Bots()
	page.Seen = s.seen(r, page.Name)
	if server.IsOperator(r.Context()) {
		for _, refused := range s.arena.Refusals(shownRefusals) {
			page.Refused = append(page.Refused, newRefusalJSON(refused))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.showStatus(w, r, status, "connect", view{Title: "Connect a bot", Section: "connect", Modules: []string{"connect.js"}, Body: page})
}

// makeToken makes a token for a bot and shows it, this one time.
func (s *Site) makeToken(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: strings.TrimSpace(r.PostFormValue("name"))}
	if err := server.CheckName(page.Name); err != nil {
		page.Problem = err.Error()
		return s.showConnectPage(w, r, http.StatusBadRequest, page)
	}
	token, err := s.store.Tokens().Make(r.Context(), "bot", page.Name)
	if err != nil {
		return err
	}
	page.Token = token
	return s.showConnectPage(w, r, http.StatusOK, page)
}

// tokenRoutes are the routes of arena token --server, for operators on other machines.
func (s *Site) tokenRoutes() []server.Route {
	routes := []server.Route{
		s.route("GET /api/tokens", server.OperateRight, s.listTokens),
		s.operate("/api/tokens", s.newToken),
		s.operate("/api/tokens/revoke", s.revokeTokens),
	}
	for i := range routes {
		routes[i].Refused = nil // the arena's own answer names the operator's file to commands on this machine
	}
	return routes
}

// tokenOwner is the body of a request about a token: the owner of the token.
type tokenOwner struct {
	Role server.Role `json:"role"`
	Name string      `json:"name"`
}

// listTokens answers with all tokens, without their secrets.
func (s *Site) listTokens(w http.ResponseWriter, r *http.Request) error {
	if err := secretly(r); err != nil {
		return err
	}
	tokens, err := s.store.Tokens().All(r.Context())
	if err != nil {
		return err
	}
	return sendJSON(w, r, append([]results.Token{}, tokens...))
}

// newToken makes a token and answers with it, this one time.
func (s *Site) newToken(w http.ResponseWriter, r *http.Request) error {
	owner, err := ownerIn(r)
	if err != nil {
		return err
	}
	owned, err := s.store.Tokens().Owners(r.Context())
	if err != nil {
		return err
	}
	if err := errors.Join(server.CheckToken(owner.Role, owner.Name), server.CheckOwner(owner.Role, owner.Name, owned)); err != nil {
		return wrong("No token can have this name", err.Error())
	}
	token, err := s.store.Tokens().Make(r.Context(), string(owner.Role), owner.Name)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return sendJSON(w, r, map[string]string{"token": token})
}

// revokeTokens makes all tokens of a name invalid and answers with their number.
func (s *Site) revokeTokens(w http.ResponseWriter, r *http.Request) error {
	owner, err := ownerIn(r)
	if err != nil {
		return err
	}
	n, err := s.store.Tokens().Revoke(r.Context(), string(owner.Role), owner.Name)
	if err != nil {
		return err
	}
	return sendJSON(w, r, map[string]int64{"revoked": n})
}

// ownerIn reads the owner of the token from a request.
func ownerIn(r *http.Request) (owner tokenOwner, err error) {
	if err := secretly(r); err != nil {
		return owner, err
	}
	if err := server.DecodeBody(r.Body, &owner); err != nil {
		return owner, wrong("This is not a request for a token", err.Error())
	}
	if owner.Role != server.BotRole && owner.Role != server.OperatorRole {
		return owner, wrong(fmt.Sprintf("There is no role %.40q", owner.Role), "The roles are bot and operator.")
	}
	return owner, nil
}

// secretly returns an error unless a request comes over TLS or from this machine: others could read the token on its way.
func secretly(r *http.Request) error {
	if r.TLS == nil && r.Header.Get("X-Forwarded-Proto") != "https" && !server.FromThisMachine(r) {
		return &problem{status: http.StatusForbidden, title: "Tokens are only for requests over TLS", advice: "Use https://, or run the command on the arena's machine."}
	}
	return nil
}

// seenJSON tells the author of a bot about its actions since it last connected, and its last refusal.
type seenJSON struct {
	Bot        string      `json:"bot"`
	Connected  bool        `json:"connected"`
	Games      int         `json:"games"`
	Faults     int         `json:"faults"`
	Complaints int         `json:"complaints"`
	Last       string      `json:"last,omitempty"`
	Refused    refusalJSON `json:"refused,omitzero"`
}

// refusalJSON is the last refusal of a bot.
type refusalJSON struct {
	Bot   string    `json:"bot"` // "" if its hello was not understood
	Code  string    `json:"code"`
	Why   string    `json:"why"`
	Times int       `json:"times"`
	Last  time.Time `json:"last"`
}

func newRefusalJSON(r server.Refusal) refusalJSON {
	return refusalJSON{r.Bot, string(r.Code), r.Message, r.Times, r.Last.UTC().Truncate(time.Second)}
}

// seen returns the arena's knowledge of a bot. If a hello was not understood, the bot has no name. If it came from the
// visitor's machine it may be the visitor's, so its refusal is shown, too.
func (s *Site) seen(r *http.Request, bot string) seenJSON {
	now := seenJSON{Bot: bot}
	if seen, ok := s.arena.Seen(bot); ok {
		now = seenJSON{
			Bot: bot, Connected: seen.Connected, Games: seen.Games, Faults: seen.Faults,
			Complaints: seen.Complaints, Last: seen.Last,
		}
	}
	if refused, ok := s.arena.LastRefusal(bot, s.arena.Address(r)); ok {
		now.Refused = newRefusalJSON(refused)
	}
	return now
}

// seenInterval is the time between two looks whether a bot has done something.
const seenInterval = 500 * time.Millisecond

// sendSeen streams the arena's knowledge of a bot, until the visitor is gone.
func (s *Site) sendSeen(w http.ResponseWriter, r *http.Request) error {
	to, err := live.NewStream(w, r)
	for last := (seenJSON{Games: -1}); err == nil; {
		if now := s.seen(r, r.FormValue("bot")); now != last {
			err = to.Send(live.Event("seen", "", now))
			last = now
		}
		if err == nil {
			err = to.Rest(r.Context(), seenInterval)
		}
	}
	return nil // the visitor is gone
}
