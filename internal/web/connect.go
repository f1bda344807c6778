package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/roster"
	"versus2048/internal/templates"
	"versus2048/internal/web/live"
	"versus2048/protocol"
	"versus2048/results"
)

// connect serves the guide for authors of bots.
type connect struct {
	pages  *pages
	arena  *server.Server
	tokens *results.Tokens
	lobby  bool // the arena has a lobby
}

// connectPage is the guide for authors of bots, with this arena's own address.
type connectPage struct {
	Host         string // such as arena.example.org:2048
	HTTP, Bot    string // the addresses of the pages and of the bots
	Loopback     bool   // the visitor is on the arena's machine
	Registration gate.Registration
	Code         string // of an invitation, the visitor's or a new one; protocol.NoCode if registration is open; "" for none
	Starters     []starter
	Lobby        bool // bots gather for an event
	Connected    []server.BotInfo
	Name         string // the bot that the visitor looks for, or the owner of the new token in Made
	Made         made
	Seen         seenJSON
	Refused      []server.Refusal // for an operator: the last refusals of all bots
}

// starter is a line of commands that writes a bot, builds it and connects it.
type starter struct{ Language, Line string }

// starters returns a line for each language that has a template of a bot. bot is the address for bots, and code is the
// code of an invitation, "" for none.
func starters(bot, code string) (all []starter) {
	if code != "" {
		code = " --invitation " + code
	}
	for _, t := range templates.All() {
		build := ""
		if t.Build != "" {
			build = t.Build + " && "
		}
		all = append(all, starter{t.Title, fmt.Sprintf("bot new %s minnie && cd minnie && %sbot exec --name minnie --url %s%s -- %s", t.Language, build, bot, code, t.Run)})
	}
	return all
}

// made is the result of a form of the guide.
type made struct {
	Form    string // the path of the form
	Problem string // the problem of the form's fields, "" if there is none
	Token   string // shown once
	Valid   time.Time
	Terms   gate.InvitationTerms // of a new invitation
}

// Says returns the problem of the form with that path, "" if there is none.
func (m made) Says(form string) string {
	if m.Form == form {
		return m.Problem
	}
	return ""
}

// shownRefusals is the largest number of refused bots that an operator sees.
const shownRefusals = 20

func (c *connect) show(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: r.FormValue("bot")}
	if code := strings.ToUpper(r.FormValue("invitation")); protocol.IsCode(code) {
		page.Code = code
	}
	return c.showPage(w, r, page)
}

func (c *connect) showPage(w http.ResponseWriter, r *http.Request, page connectPage) error {
	page.Host, page.HTTP = r.Host, origin(r)
	page.Bot = "ws" + strings.TrimPrefix(page.HTTP, "http") + "/bot"
	page.Loopback, page.Connected = gate.FromLoopback(r), c.arena.Bots()
	page.Seen, page.Registration, page.Made.Form = c.seen(r, page.Name), c.arena.Registration(), r.URL.Path
	if page.Registration == gate.RegistrationOpen {
		page.Code = protocol.NoCode
	}
	code := page.Code
	if page.Registration == gate.RegistrationClosed {
		code = ""
	}
	page.Lobby, page.Starters = c.lobby, starters(page.Bot, code)
	if server.IsOperator(r.Context()) {
		for _, refused := range c.arena.Refusals(shownRefusals) {
			page.Refused = append(page.Refused, inSeconds(refused))
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	return c.pages.show(w, r, "connect", view{status: statusOf(page.Made.Problem), Title: "Connect a bot", Section: "connect", Modules: []string{"connect.js"}, Body: page})
}

// makeToken makes a token for a bot and shows it, this one time.
func (c *connect) makeToken(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: strings.TrimSpace(r.PostFormValue("name"))}
	owned, err := c.tokens.Owners(r.Context())
	if err != nil {
		return err
	}
	if err := cmp.Or(server.CheckName(page.Name), server.CheckOwner(server.BotRole, page.Name, owned)); err != nil {
		page.Made.Problem = err.Error()
		return c.showPage(w, r, page)
	}
	token, err := c.tokens.Make(r.Context(), "bot", page.Name)
	if err != nil {
		return err
	}
	page.Made.Token = token
	return c.showPage(w, r, page)
}

// invite makes an invitation and shows its code, this one time.
func (c *connect) invite(w http.ResponseWriter, r *http.Request) error {
	page, terms := connectPage{}, gate.InvitationTerms{}
	terms.Names, _ = strconv.Atoi(r.PostFormValue("names")) // a text that is no number counts as 0, which is out of range
	terms.Days, _ = strconv.Atoi(r.PostFormValue("days"))
	err := terms.Check()
	if c.arena.Registration() != gate.RegistrationByInvitation {
		err = errNoInvitations
	}
	if err != nil {
		page.Made.Problem = err.Error()
		return c.showPage(w, r, page)
	}
	page.Code, page.Made.Terms = protocol.NewCode(), terms
	if _, err := c.tokens.Invite(r.Context(), page.Code, terms.Names, terms.Lifetime()); err != nil {
		return err
	}
	return c.showPage(w, r, page)
}

// errNoInvitations means that no bot could register with an invitation.
var errNoInvitations = errors.New("invitations are of no use here until the arena is started with --registration invite")

// renew tells the owner of a name that the name's token is valid. If the form asks for it, renew replaces the token and
// shows the new one, this one time. The old token proves the visitor's right. A client that tries many tokens has to
// wait, as after every refusal.
func (c *connect) renew(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: strings.TrimSpace(r.PostFormValue("name"))}
	token := strings.TrimSpace(r.PostFormValue("token"))
	found, valid, err := c.tokens.Find(r.Context(), "bot", page.Name, token)
	switch {
	case err != nil:
		return err
	case !valid:
		page.Made.Problem = "This is not the token of this name, or it is revoked. The arena's host makes a new one: arena token reset NAME"
	case r.PostFormValue("renew") == "":
		page.Made.Valid = found.Created
	default:
		page.Made.Token, err = c.tokens.Reset(r.Context(), "bot", page.Name)
	}
	if err != nil {
		return err
	}
	return c.showPage(w, r, page)
}

// tokens answers the requests of arena token --server, from operators on other machines.
type tokens struct {
	recorded *results.Tokens
	mode     gate.Registration
}

// tokenOwner is the body of a request about a token: the owner of the token.
type tokenOwner struct {
	Role server.Role `json:"role"`
	Name string      `json:"name"`
}

// list returns all tokens, without their secrets.
func (t tokens) list(r *http.Request) ([]results.Token, error) {
	if err := requireTLS(r); err != nil {
		return nil, err
	}
	all, err := t.recorded.All(r.Context())
	return append([]results.Token{}, all...), err
}

// sendNew makes a token and answers with it, this one time.
func (t tokens) sendNew(w http.ResponseWriter, r *http.Request) error {
	return t.send(w, r, t.recorded.Make)
}

// sendReset is like sendNew, and makes all other tokens of the name invalid.
func (t tokens) sendReset(w http.ResponseWriter, r *http.Request) error {
	return t.send(w, r, t.recorded.Reset)
}

// send answers with a token that newToken makes.
func (t tokens) send(w http.ResponseWriter, r *http.Request, newToken func(ctx context.Context, role, name string) (string, error)) error {
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
	token, err := newToken(r.Context(), string(owner.Role), owner.Name)
	if none := (*results.NoTokenError)(nil); errors.As(err, &none) {
		return wrong("This name has no token", none.Error())
	}
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return sendJSON(w, r, tokenJSON{token})
}

// invitations returns all invitations, without their codes.
func (t tokens) invitations(r *http.Request) ([]results.Invitation, error) {
	if err := requireTLS(r); err != nil {
		return nil, err
	}
	all, err := t.recorded.Invitations(r.Context())
	return append([]results.Invitation{}, all...), err
}

// sendInvitation makes an invitation and answers with its code, this one time.
func (t tokens) sendInvitation(w http.ResponseWriter, r *http.Request) error {
	terms := gate.UsualInvitationTerms()
	if err := errors.Join(requireTLS(r), readJSON(r, &terms), terms.Check()); err != nil {
		return asProblem("This is not a request for an invitation", err)
	}
	if t.mode != gate.RegistrationByInvitation {
		return wrong("Nobody can be invited", errNoInvitations.Error())
	}
	code := protocol.NewCode()
	id, err := t.recorded.Invite(r.Context(), code, terms.Names, terms.Lifetime())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return sendJSON(w, r, invitationJSON{id, code})
}

// tokenJSON is a new token.
type tokenJSON struct {
	Token string `json:"token"`
}

// invitationJSON is a new invitation.
type invitationJSON struct {
	ID   int64  `json:"id"`
	Code string `json:"code"`
}

// invitationNumber names an invitation.
type invitationNumber struct {
	ID int64 `json:"id" needed:"true"`
}

// revokedInvitation reports whether an invitation was valid.
type revokedInvitation struct {
	Revoked bool `json:"revoked"`
}

// uninvite makes an invitation invalid, and reports whether it was valid.
func (t tokens) uninvite(r *http.Request) (answer revokedInvitation, err error) {
	var which invitationNumber
	if err := requireTLS(r); err != nil {
		return answer, err
	}
	if err := readJSON(r, &which); err != nil {
		return answer, err
	}
	answer.Revoked, err = t.recorded.RevokeInvitation(r.Context(), which.ID)
	return answer, err
}

// asProblem returns the problem in err, which has its own words for the visitor. If err has none, asProblem returns a
// problem with the title.
func asProblem(title string, err error) error {
	if own := (*problem)(nil); errors.As(err, &own) {
		return own
	}
	return wrong(title, err.Error())
}

// revokedTokens has the number of tokens that became invalid.
type revokedTokens struct {
	Revoked int64 `json:"revoked"`
}

// revoke makes all tokens of an owner invalid and returns their number.
func (t tokens) revoke(r *http.Request) (answer revokedTokens, err error) {
	owner, err := ownerIn(r)
	if err != nil {
		return answer, err
	}
	answer.Revoked, err = t.recorded.Revoke(r.Context(), string(owner.Role), owner.Name)
	return answer, err
}

// ownerIn reads the owner of the token from a request. It refuses the requests that requireTLS refuses.
func ownerIn(r *http.Request) (owner tokenOwner, err error) {
	if err := requireTLS(r); err != nil {
		return owner, err
	}
	if err := readJSON(r, &owner); err != nil {
		return owner, err
	}
	if owner.Role != server.BotRole && owner.Role != server.OperatorRole {
		return owner, wrong(fmt.Sprintf("There is no role %.40q", owner.Role), "The roles are bot and operator.")
	}
	return owner, nil
}

// requireTLS returns an error for a request that comes from another machine without TLS: others could read the token on
// its way.
func requireTLS(r *http.Request) error {
	if !gate.SaysTLS(r) && !gate.FromLoopback(r) {
		return &problem{status: http.StatusForbidden, title: "Tokens are only for requests over TLS", advice: "Use https://, or run the command on the arena's machine."}
	}
	return nil
}

// seenJSON has a bot's games and faults, and its last refusal, for the author of the bot.
type seenJSON struct {
	Bot string `json:"bot"`
	roster.Seen
	Refused server.Refusal `json:"refused,omitzero"` // the last refusal, absent if the bot was admitted later
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
	now.Seen, _ = c.arena.Seen(bot) // the zero value if there is no such bot
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
