package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/web/live"
	"versus2048/results"
)

// connect serves the guide for authors of bots.
type connect struct {
	pages  *pages
	arena  *server.Server
	tokens *results.Tokens
}

// connectPage is the guide for authors of bots, with this arena's own address.
type connectPage struct {
	Host      string // such as arena.example.org:2048
	HTTP, Bot string // the addresses of the pages and of the bots
	Loopback  bool   // the visitor is on the arena's machine
	Connected []server.BotInfo
	Name      string // the bot that the visitor looks for, or the owner of the new Token
	Token     string // shown once
	Problem   string // of the form
	Seen      seenJSON
	Refused   []server.Refusal // for an operator: the last refusals of all bots
}

// shownRefusals is how many refused bots an operator sees.
const shownRefusals = 20

func (c *connect) show(w http.ResponseWriter, r *http.Request) error {
	return c.showPage(w, r, connectPage{Name: r.FormValue("bot")})
}

func (c *connect) showPage(w http.ResponseWriter, r *http.Request, page connectPage) error {
	page.Host, page.HTTP = r.Host, origin(r)
	page.Bot = "ws" + strings.TrimPrefix(page.HTTP, "http") + "/bot"
	page.Loopback, page.Connected = server.FromThisMachine(r), c.arena.Bots()
	page.Seen = c.seen(r, page.Name)
	if server.IsOperator(r.Context()) {
		for _, refused := range c.arena.Refusals(shownRefusals) {
			page.Refused = append(page.Refused, inSeconds(refused))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return c.pages.show(w, r, "connect", view{status: statusOf(page.Problem), Title: "Connect a bot", Section: "connect", Modules: []string{"connect.js"}, Body: page})
}

// makeToken makes a token for a bot and shows it, this one time.
func (c *connect) makeToken(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: strings.TrimSpace(r.PostFormValue("name"))}
	if err := server.CheckName(page.Name); err != nil {
		page.Problem = err.Error()
		return c.showPage(w, r, page)
	}
	token, err := c.tokens.Make(r.Context(), "bot", page.Name)
	if err != nil {
		return err
	}
	page.Token = token
	return c.showPage(w, r, page)
}

// tokens answers the requests of arena token --server, from operators on other machines.
type tokens struct{ recorded *results.Tokens }

// tokenOwner is the body of a request about a token: the owner of the token.
type tokenOwner struct {
	Role server.Role `json:"role"`
	Name string      `json:"name"`
}

// list returns all tokens, without their secrets.
func (t tokens) list(r *http.Request) ([]results.Token, error) {
	if err := secretly(r); err != nil {
		return nil, err
	}
	all, err := t.recorded.All(r.Context())
	return append([]results.Token{}, all...), err
}

// sendNew makes a token and answers with it, this one time.
func (t tokens) sendNew(w http.ResponseWriter, r *http.Request) error {
	owner, err := ownerIn(r)
	if err != nil {
		return err
	}
	owned, err := t.recorded.Owners(r.Context())
	if err != nil {
		return err
	}
	if err := errors.Join(server.CheckToken(owner.Role, owner.Name), server.CheckOwner(owner.Role, owner.Name, owned)); err != nil {
		return wrong("No token can have this name", err.Error())
	}
	token, err := t.recorded.Make(r.Context(), string(owner.Role), owner.Name)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return sendJSON(w, r, map[string]string{"token": token})
}

// revoke makes all tokens of an owner invalid and returns their number.
func (t tokens) revoke(r *http.Request) (map[string]int64, error) {
	owner, err := ownerIn(r)
	if err != nil {
		return nil, err
	}
	n, err := t.recorded.Revoke(r.Context(), string(owner.Role), owner.Name)
	return map[string]int64{"revoked": n}, err
}

// ownerIn reads the owner of the token from a request. It refuses the requests that secretly refuses.
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

// secretly returns an error for a request that comes from another machine without TLS: others could read the token on
// its way.
func secretly(r *http.Request) error {
	if r.TLS == nil && r.Header.Get("X-Forwarded-Proto") != "https" && !server.FromThisMachine(r) {
		return &problem{status: http.StatusForbidden, title: "Tokens are only for requests over TLS", advice: "Use https://, or run the command on the arena's machine."}
	}
	return nil
}

// seenJSON tells the author of a bot about its actions since it last connected, and its last refusal.
type seenJSON struct {
	Bot string `json:"bot"`
	roster.Seen
	Refused server.Refusal `json:"refused,omitzero"`
}

// inSeconds returns a refusal with its time in whole seconds.
func inSeconds(r server.Refusal) server.Refusal {
	r.Last = r.Last.UTC().Truncate(time.Second)
	return r
}

// seen returns the arena's knowledge of a bot with its last refusal. The refusal of an unreadable hello names no bot.
// seen returns such a refusal, too, if the hello came from the visitor's machine: the bot may be the visitor's.
func (c *connect) seen(r *http.Request, bot string) seenJSON {
	now := seenJSON{Bot: bot}
	now.Seen, _ = c.arena.Seen(bot) // the zero one if there is no such bot
	if refused, ok := c.arena.LastRefusal(bot, c.arena.Address(r)); ok {
		now.Refused = inSeconds(refused)
	}
	return now
}

// seenInterval is the shortest time between two events of the stream about a bot.
const seenInterval = 500 * time.Millisecond

// sendSeen streams the arena's knowledge of a bot, until the visitor is gone.
func (c *connect) sendSeen(w http.ResponseWriter, r *http.Request) error {
	to, err := live.NewStream(w, r)
	last := seenJSON{}
	last.Games = -1 // no bot has -1 games, so the first state is always sent
	for err == nil {
		changed := c.arena.SeenChanged()
		if now := c.seen(r, r.FormValue("bot")); now != last {
			err = to.Send(live.Event("seen", "", now))
			last = now
		}
		if err == nil {
			err = to.Wait(r.Context(), changed)
		}
		if err == nil {
			err = to.Rest(r.Context(), seenInterval)
		}
	}
	return nil // the visitor is gone
}
