package web

import (
	"net/http"
	"strings"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/live"
)

func (s *Site) connectRoutes() []server.Route {
	return []server.Route{
		s.look("/connect", s.showConnect),
		s.look("/api/seen", s.sendSeen),
		s.operate("/connect/token", s.makeToken),
	}
}

// connectPage is the guide for those who have written a bot, with this arena's own address.
type connectPage struct {
	Host      string // such as arena.example.org:2048
	HTTP, Bot string // the addresses of the pages and of the bots
	Loopback  bool   // the visitor is on the arena's machine
	Connected []server.BotInfo
	Name      string // of the bot that is looked for, and of a token that was just made
	Token     string // shown once
	Problem   string // with the form
	Seen      seenJSON
	Refused   []refusalJSON // for an operator: the last of all bots
}

// shownRefusals is how many bots that were turned away an operator is shown.
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

// makeToken makes a token for a bot and shows it, this once.
func (s *Site) makeToken(w http.ResponseWriter, r *http.Request) error {
	page := connectPage{Name: strings.TrimSpace(r.PostFormValue("name"))}
	if err := server.CheckName(page.Name); err != nil {
		page.Problem = err.Error()
		return s.showConnectPage(w, r, http.StatusBadRequest, page)
	}
	token, err := s.store.NewToken(r.Context(), "bot", page.Name)
	if err != nil {
		return err
	}
	page.Token = token
	return s.showConnectPage(w, r, http.StatusOK, page)
}

// seenJSON is what the arena knows of a bot, since it last connected, and why it was turned away.
type seenJSON struct {
	Bot        string      `json:"bot"`
	Connected  bool        `json:"connected"`
	Games      int         `json:"games"`
	Faults     int         `json:"faults"`
	Complaints int         `json:"complaints"`
	Last       string      `json:"last,omitempty"`
	Refused    refusalJSON `json:"refused,omitzero"`
}

// refusalJSON is the last time that a bot was turned away.
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

// seen returns what the arena knows of a bot. A bot whose hello was not understood has no name: one that
// came from the visitor's machine may be the visitor's, so its refusal is shown, too.
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

// seenInterval is how often the arena looks whether a bot has done something.
const seenInterval = 500 * time.Millisecond

// sendSeen streams what the arena knows of a bot, until the visitor is gone.
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
