package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/server/lobby"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/tournament"
)

// gathering serves the lobby of an event, and the page for a projector.
type gathering struct {
	pages   *pages
	arena   *server.Server
	lobby   *lobby.Lobby // nil for none
	events  *events
	boards  *boards
	watched *live.States[lobby.State]
}

func newGathering(l *lobby.Lobby, e *events, b *boards) *gathering {
	g := &gathering{pages: e.pages, arena: e.arena, lobby: l, events: e, boards: b}
	g.watched = live.NewStates(eventInterval, func(context.Context, int64, lobby.State) (lobby.State, live.Wait, error) {
		changed, now := l.Changed(), l.State()
		return now, live.Until(changed), nil
	}, func(now lobby.State) any { return now })
	return g
}

// errNoLobby means that the arena has no lobby.
var errNoLobby = notFound("There is no lobby here", "“arena host” opens one for an evening. On other arenas bots connect at any time.")

// state returns the state of the lobby, or errNoLobby.
func (g *gathering) state(*http.Request) (lobby.State, error) {
	if g.lobby == nil {
		return lobby.State{}, errNoLobby
	}
	return g.lobby.State(), nil
}

func (g *gathering) sendLive(w http.ResponseWriter, r *http.Request) error {
	if g.lobby == nil {
		return errNoLobby
	}
	to, err := live.NewStream(w, r)
	if err == nil {
		_ = g.watched.Follow(r.Context(), to, 0, live.Seen(r)) // the watcher is gone
	}
	return nil
}

// started is the answer to the start of an event.
type started struct {
	Event int64 `json:"event"`
}

// The bodies of requests to a lobby.
type (
	// beginning starts the event.
	beginning struct {
		WithoutCheck bool `json:"without_check"` // also with bots that have not passed their check
	}
	// recheck names a bot that is to be checked again.
	recheck struct {
		Bot string `json:"bot" needed:"true"`
	}
)

// begin starts the event by a request in JSON.
func (g *gathering) begin(r *http.Request) (started, error) {
	var asked beginning
	if err := readJSON(r, &asked); err != nil {
		return started{}, err
	}
	return g.start(r.Context(), asked.WithoutCheck)
}

func (g *gathering) start(ctx context.Context, withoutCheck bool) (started, error) {
	if g.lobby == nil {
		return started{}, errNoLobby
	}
	id, err := g.lobby.Start(ctx, withoutCheck)
	return started{id}, err
}

// recheck checks a bot again by a request in JSON. It answers with the state of the lobby.
func (g *gathering) recheck(r *http.Request) (lobby.State, error) {
	var asked recheck
	if err := readJSON(r, &asked); err != nil {
		return lobby.State{}, err
	}
	return g.check(asked.Bot)
}

func (g *gathering) check(bot string) (lobby.State, error) {
	if g.lobby == nil {
		return lobby.State{}, errNoLobby
	}
	if err := g.lobby.Check(bot); err != nil {
		return lobby.State{}, err
	}
	return g.lobby.State(), nil
}

// startByForm and checkByForm are for the buttons of the page.
func (g *gathering) startByForm(w http.ResponseWriter, r *http.Request) error {
	begun, err := g.start(r.Context(), isSet(r, "without_check"))
	if err == nil {
		http.Redirect(w, r, fmt.Sprintf("/events/%d", begun.Event), http.StatusSeeOther)
	}
	return err
}

func (g *gathering) checkByForm(w http.ResponseWriter, r *http.Request) error {
	_, err := g.check(r.PostFormValue("bot"))
	if err == nil {
		http.Redirect(w, r, "/lobby", http.StatusSeeOther)
	}
	return err
}

// lobbyPage is the page of a lobby, or its part on a projector.
type lobbyPage struct {
	lobby.State
	Tag     string // of this state in the lobby's stream
	Facts   []archive.Fact
	Address string // of the pages, for joiners
	Join    string // the page for joiners
	Code    drawing.QRCode
	Steer   bool // whether the visitor is an operator, who may start the event
}

// page returns the page of the lobby as a visitor sees it.
func (g *gathering) page(r *http.Request) (*lobbyPage, error) {
	now, err := g.state(r)
	if err != nil {
		return nil, err
	}
	page := &lobbyPage{State: now, Tag: live.Tag(now), Address: cmp.Or(strings.TrimSuffix(now.Plan.Address, "/"), origin(r))}
	page.Facts = archive.WithoutSeed(archive.Facts(&now.Plan.Event))
	page.Join = page.Address + "/connect"
	if now.Plan.Code != "" {
		page.Join += "?invitation=" + now.Plan.Code
	}
	page.Code, err = drawing.QR(page.Join)
	return page, err
}

func (g *gathering) show(w http.ResponseWriter, r *http.Request) error {
	page, err := g.page(r)
	if err != nil {
		return err
	}
	page.Steer = server.IsOperator(r.Context())
	return g.pages.show(w, r, "lobby", view{
		Title: "Lobby of " + page.Plan.Event.Name, About: "The bots that are here for an event of versus 2048, before it begins.",
		Section: "events", Modules: []string{"lobby.js"}, Body: page,
	})
}

// projection is the page for a projector: the lobby, or an event.
type projection struct {
	Lobby *lobbyPage // nil for an event
	Event *projected
}

// projected is an event on a projector.
type projected struct {
	eventState
	ID     int64
	Name   string
	Clock  tournament.Clock
	Tag    string // of this state in the event's stream
	Boards []boardTile
}

// project shows the event that projectedEvent returns, or the lobby before its event.
func (g *gathering) project(w http.ResponseWriter, r *http.Request) error {
	var page projection
	event, err := g.projectedEvent(r)
	if err == nil && event == 0 {
		page.Lobby, err = g.page(r)
	} else if err == nil {
		page.Event, err = g.projected(r.Context(), event)
	}
	if err != nil {
		return err
	}
	title, modules := "Lobby", []string{"lobby.js"}
	if page.Event != nil {
		title, modules = page.Event.Name, []string{"lobby.js", "boards.js"}
	}
	return g.pages.show(w, r, "projector", view{Title: title, Modules: modules, Body: page})
}

// projectedEvent returns the number of the event to show: the event that the request names, or the lobby's event, or
// the newest event that has not ended, or else the newest event that has ended since the arena started. It returns 0
// for a lobby before its event, and an error if there is no event at all.
func (g *gathering) projectedEvent(r *http.Request) (event int64, err error) {
	switch {
	case r.FormValue("event") != "":
		return numberIn(r, "event", "event")
	case g.lobby != nil:
		return g.lobby.State().Event, nil
	}
	var ended int64
	for _, p := range g.arena.Events() {
		if p.State.Ended() {
			ended = max(ended, p.Event)
		} else {
			event = max(event, p.Event)
		}
	}
	if event = cmp.Or(event, ended); event == 0 {
		return 0, notFound("No event is being played", "Name one, as in /projector?event=1.")
	}
	return event, nil
}

func (g *gathering) projected(ctx context.Context, event int64) (*projected, error) {
	x, err := g.events.archive.Event(ctx, event, g.events.archive.Patience)
	if err != nil {
		return nil, err
	}
	boards, _, err := g.boards.boardsOf(ctx, event, nil)
	if err != nil {
		return nil, err
	}
	page := &projected{eventState: g.events.stateOf(&x), ID: event, Name: x.Event.Name, Clock: x.Event.Clock}
	page.Tag, page.Boards = live.Tag(page.eventState), tilesOf(boards)
	return page, nil
}
