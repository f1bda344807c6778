package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/internal/server/lobby"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/inbrowser"
	"versus2048/internal/web/live"
	"versus2048/players/exact"
	"versus2048/results"
	"versus2048/rules/record"
)

// Config is the configuration of a site.
type Config struct {
	Arena   *server.Server // plays the games in progress
	Store   *results.Store // has the recorded events and games
	Lobby   *lobby.Lobby   // of an event that has not begun, nil for none
	Tables  []*exact.Table // of solved boards, for exact values
	Version string         // of this program, shown at the foot of each page
	Log     *slog.Logger
	// Patience is the longest time that a page waits for figures; after that it is shown without them. 0 stands for
	// archive.DefaultPatience.
	Patience time.Duration
}

// Site is the pages of one arena.
type Site struct{ routes []server.Route }

// New returns the site of an arena. It returns an error if a template is broken.
func New(c Config) (*Site, error) {
	static, err := newStatic()
	if err != nil {
		return nil, err
	}
	templates, err := parsePages(static)
	if err != nil {
		return nil, err
	}
	store := c.Store.Visiting()
	all := archive.New(store, c.Arena)
	all.Patience = cmp.Or(c.Patience, all.Patience)
	pages := &pages{c.Arena, templates, c.Version, c.Log}
	find := &finder{arena: c.Arena, store: store, values: c.Tables}
	watched := live.NewGames(find.snapshot)
	sharing := &sharing{pages, c.Arena, find, sync.OnceValues(drawing.NewArtist)}
	list := &gameLists{pages, c.Arena, store, all}
	events := &events{pages: pages, arena: c.Arena, store: store, archive: all, games: list}
	events.watched = live.NewStates(eventInterval, events.lookAtEvent, func(now *eventNews) any { return now.shown })
	boards := &boards{pages: pages, arena: c.Arena, store: store, archive: all, find: find}
	boards.watched = live.NewStates(boardsInterval, boards.boardsOf, func(now *boardsState) any { return now })
	explorer := newExplorer(pages, c.Arena, store, all, find)
	return &Site{append(static.routes(), pages.serving(slices.Concat(
		gameRoutes(&games{pages, c.Arena, store, all, find, watched, sharing.sendGIF}, newStudies(pages, c.Arena, find, c.Tables), sharing),
		listRoutes(&eventList{pages, all}, list, &bots{pages, c.Arena, store, all}, newPairs(pages, store, all), &ratings{pages, c.Arena, archive.NewLists(store.Reader)}),
		eventRoutes(events, boards, &exports{store, all, c.Log, make(chan struct{}, mostExports), c.Version}, newReports(sharing, store, all)),
		analysisRoutes(&positions{pages, c.Arena, find, c.Tables, explorer}, explorer, &opinions{pages, c.Arena, find}, &play{pages, c.Arena, c.Tables}),
		arenaRoutes(newHome(pages, c.Arena, store, all, find, watched), &connect{pages, c.Arena, store.Tokens(), c.Lobby != nil}, &documents{pages: pages}),
		previewRoutes(newPreviews(sharing, store, all)),
		lobbyRoutes(newGathering(c.Lobby, events, boards)),
		puzzleRoutes(&puzzles{pages, sync.OnceValues(exact.OwnPuzzles), time.Now}),
		operatorRoutes(&login{pages, c.Arena}, &creation{pages, c.Arena, all, store}, tokens{store.Tokens(), c.Arena.Registration()}),
	))...)}, nil
}

// Routes returns the routes of all pages, for [server.Server.Add].
func (s *Site) Routes() []server.Route { return s.routes }

func gameRoutes(g *games, s *studies, files *sharing) []route {
	return []route{
		page("/games/{game}", g.show),
		gives("/api/games/{game}", g.game),
		gives("/api/games/{game}/plies", g.plies, "from"),
		look("/api/games/{game}/live", g.sendLive, "seen").streaming(streamed{"frame": live.Frame{}}),
		gives("/api/games/{game}/logs", g.onlyLogs),
		gives("/api/games/{game}/marks", s.onlyMarks),
		look("/parts/games/{game}/marks", showPart(s.pages, "game", "marks", s.marksView)),
		answers("POST /api/mistakes", playedJSON{}, s.mistakes),
		look("/parts/games/{game}/curves", showPart(s.pages, "game", "curves", s.curves)),
		look("/parts/games/{game}/panels", showPart(s.pages, "game", "panels", s.panels)),
		gives("/api/games/{game}/values", s.values),
		gives("/api/games/{game}/searches", s.searches, "from"),
		look("/api/games/{game}/text", files.file("txt", "text/plain; charset=utf-8", textOf)).sending("text/plain"),
		look("/api/games/{game}/record", files.file("json", "application/json", jsonOf)).giving(record.Record{}),
		shared("/games/{game}/position.svg", files.sendSVG),
		shared("/embed/games/{game}", files.showEmbedded),
	}
}

func listRoutes(e *eventList, g *gameLists, b *bots, p *pairs, l *ratings) []route {
	return []route{
		page("/events", showPage(e.pages, "events", e.show)),
		gives("/api/events/recorded", e.answer, "name", "state", "format", "variant", "bot", "offset").tagged(),
		gives("/api/events/{id}/games", g.ofEvent, "bot", "ending", "faults", "sort", "reverse", "offset", "limit").tagged(),
		look("/parts/events/{id}/games", showPart(g.pages, "event", "games", g.ofEvent)),
		gives("/api/games", g.ofAll, "bot", "ending", "event", "before", "limit"),
		page("/bots/{bot}", showPage(b.pages, "bot", b.page)),
		gives("/api/bots/{bot}", b.page).tagged(),
		look("/bots/{a}/vs/{b}", showPage(p.pages, "pair", p.page)),
		gives("/api/bots/{a}/vs/{b}", p.page, "offset").tagged(),
		look("/ratings", showPage(l.pages, "ratings", l.page)),
		gives("/api/ratings", l.page, "conditions").tagged(),
	}
}

func eventRoutes(e *events, b *boards, files *exports, told *reports) []route {
	return []route{
		page("/events/{id}", showPage(e.pages, "event", e.page)),
		look("/api/events/{id}/statistics", e.sendStatistics).giving(statisticsAnswer{}),
		look("/api/events/{id}/live", e.sendEventLive, "seen").streaming(streamed{"state": eventNews{}, "end": nil}),
		look("/events/{id}/boards", b.show),
		look("/api/events/{id}/boards", b.send, "seen").streaming(streamed{"state": boardsState{}, "end": nil}),
		look("/events/{id}/export", files.send, "format").sending("application/jsonl"),
		look("/events/{id}/report", told.send, "format"),
		operate("/events/{id}/pause", steer(e.arena.Pause)),
		operate("/events/{id}/resume", steer(e.arena.Resume)),
		operate("/events/{id}/stop", steer(e.arena.Stop)),
		operate("/events/{id}/cancel", steer(e.arena.Cancel)),
		operate("/events/{id}/skip", steer(e.arena.Skip)),
		operate("/events/{id}/join", lineup(e.arena.Join)),
		operate("/events/{id}/leave", lineup(e.arena.Leave)),
		operate("/events/{id}/replay-match", again(e.arena.ReplayMatch)),
	}
}

// analysisRoutes returns the routes of analysis and play. Every visitor who may look may play: server.Challenge limits
// the games that visitors start.
func analysisRoutes(a *positions, e *explorer, o *opinions, p *play) []route {
	return []route{
		look("/analysis", a.show),
		gives("/api/exact", a.exact, "position", "rules", "game", "ply"),
		gives("/api/explorer", e.answer, "position", "rules", "game", "ply", "bot", "event"),
		look("/api/explorer/progress", e.sendCounting, "position", "rules", "game", "ply", "bot", "event", "explorer").streaming(streamed{"progress": counting{}, "explored": exploredJSON{}, "problem": ""}),
		look("/api/analysis/live", o.send(inData), "position", "rules", "game", "ply", "bot").streaming(streamed{"opinion": inbrowser.Opinion{}, "problem": "", "done": struct{}{}}),
		look("/parts/opinion", o.send(o.inWords)),
		needing(server.LookRight, "POST /parts/opinion", inJSON(o.visitors)),
		page("/play", p.show),
		gives("/api/kinds", kinds),
		answers("POST /api/play", challengeJSON{}, p.challenge),
		answers("POST /api/hint", hintJSON{}, p.hint),
		needing(server.LookRight, "POST /parts/hint", showPart(p.pages, "play", "hint", p.hintView)),
	}
}

func lobbyRoutes(g *gathering) []route {
	return []route{
		look("/lobby", g.show),
		look("/projector", g.project),
		gives("/api/lobby", g.state),
		look("/api/lobby/live", g.sendLive, "seen").streaming(streamed{"state": lobby.State{}, "end": nil}),
		forCommands("POST /api/lobby/start", inJSON(g.begin)).taking(beginning{}).giving(started{}),
		forCommands("POST /api/lobby/check", inJSON(g.recheck)).taking(recheck{}).giving(lobby.State{}),
		operate("/lobby/start", g.startByForm),
		operate("/lobby/check", g.checkByForm),
	}
}

func puzzleRoutes(z *puzzles) []route {
	return []route{
		page("/puzzles", z.show),
		page("/puzzles/{number}", z.page),
		gives("/api/puzzles/{number}", z.answer),
	}
}

func arenaRoutes(h *home, c *connect, d *documents) []route {
	return []route{
		page("/{$}", h.show),
		page("/rules", d.showRules),
		look("/", showNothing),
		look("/api/tv", h.sendTV, "seen").streaming(streamed{"game": change{}, "frame": live.Frame{}, "lists": nil}),
		look("/workers", h.showWorkers),
		look("/connect", c.show),
		look("/api/seen", c.sendSeen, "bot", "seen").streaming(streamed{"seen": seenJSON{}}),
		page("/docs", d.list),
		page("/docs/{file...}", d.show),
		page("/llms.txt", d.sendLLMs),
		look("/api", showAPI),
		look("/api/openapi.json", d.sendOpenAPI).giving(openAPI{}),
		look("/schemas/{name}", d.sendSchema).sending("application/schema+json"),
		needing(server.OperateRight, "GET /status", h.showArena),
		operate("/connect/token", c.makeToken),
		operate("/connect/invitation", c.invite),
		needing(server.LookRight, "POST /connect/renew", c.renew),
	}
}

func previewRoutes(v *previews) []route {
	return []route{
		shared("/preview.png", v.sendUsual),
		shared("/games/{game}/preview.png", v.sendGame),
		shared("/events/{id}/preview.png", v.sendEvent),
	}
}

func operatorRoutes(l *login, c *creation, t tokens) []route {
	return []route{
		needing(server.OpenRight, "GET /login", l.show),
		needing(server.OpenRight, "POST /login", l.logIn),
		needing(server.OpenRight, "POST /logout", l.logOut),
		needing(server.OperateRight, "GET /new", c.show),
		operate("/new", c.create),
		forCommands("GET /api/tokens", inJSON(t.list)).giving([]results.Token{}),
		forCommands("POST /api/tokens", t.sendNew).taking(tokenOwner{}).giving(tokenJSON{}),
		forCommands("POST /api/tokens/reset", t.sendReset).taking(tokenOwner{}).giving(tokenJSON{}),
		forCommands("POST /api/tokens/revoke", inJSON(t.revoke)).taking(tokenOwner{}).giving(revokedTokens{}),
		forCommands("GET /api/invitations", inJSON(t.invitations)).giving([]results.Invitation{}),
		forCommands("POST /api/invitations", t.sendInvitation).taking(gate.InvitationTerms{}).giving(invitationJSON{}),
		forCommands("POST /api/invitations/revoke", inJSON(t.uninvite)).taking(invitationNumber{}).giving(revokedInvitation{}),
	}
}

// handler answers a request, or returns an error with a description for the visitor.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is a route with its handler.
type route struct {
	server.Route // without Serve and Refused, which pages add
	serve        handler
	commands     bool // for commands, not for browsers
}

// look returns the route of a page or an answer that changes nothing, with the parameters that its address may have.
func look(pattern string, h handler, parameters ...string) route {
	return route{Route: server.Route{Pattern: "GET " + pattern, Right: server.LookRight, Parameters: parameters}, serve: h}
}

// page returns the route of a page that is the same for all visitors, apart from operators.
func page(pattern string, h handler) route {
	r := look(pattern, h)
	r.Same = true
	return r
}

// shared returns the route of an answer that pages of other sites may show.
func shared(pattern string, h handler) route {
	r := look(pattern, h)
	r.Shared = true
	return r
}

// operate returns the route of a form for operators.
func operate(pattern string, h handler) route {
	return needing(server.OperateRight, "POST "+pattern, h)
}

// forCommands returns the route of a request that needs an operator's right and comes from commands, not from browsers.
func forCommands(pattern string, h handler) route {
	r := needing(server.OperateRight, pattern, h)
	r.commands = true
	return r
}

// needing returns a route that needs a right.
func needing(right server.Right, pattern string, h handler) route {
	return route{Route: server.Route{Pattern: pattern, Right: right}, serve: h}
}

// gives returns the route of an answer in JSON.
func gives[T any](pattern string, value func(*http.Request) (T, error), parameters ...string) route {
	return look(pattern, inJSON(value), parameters...).giving(*new(T))
}

// answers returns the route of an answer in JSON to a body in JSON, for everybody who may look.
func answers[T any](pattern string, body any, value func(*http.Request) (T, error)) route {
	return needing(server.LookRight, pattern, inJSON(value)).taking(body).giving(*new(T))
}

// streamed are the types of a stream's events, by their names.
type streamed = map[string]any

func (r route) taking(body any) route      { r.Body = body; return r }
func (r route) giving(answer any) route    { r.Answer = answer; return r }
func (r route) sending(media string) route { r.Media = media; return r }
func (r route) streaming(events streamed) route {
	r.Media, r.Events = server.EventsMedia, events
	return r
}

// tagged returns the route with an ETag. A client that has the answer already gets status 304 instead of it.
func (r route) tagged() route {
	serve := r.serve
	r.serve = func(w http.ResponseWriter, r *http.Request) error { return serve(tagged{w}, r) }
	return r
}

// serving returns routes that answer with a description of the error if their handlers fail.
func (p *pages) serving(all []route) (served []server.Route) {
	for _, one := range all {
		if !one.commands { // commands get the arena's own refusal, which names the operator's file
			one.Refused = p.refused(one.Right)
		}
		one.Serve = func(w http.ResponseWriter, r *http.Request) {
			guard(w.Header())
			err := readForm(w, r, one.Right)
			if err == nil {
				err = one.serve(w, r)
			}
			if err != nil {
				p.fail(w, r, err)
			}
		}
		served = append(served, one.Route)
	}
	return served
}

// guard sets the headers that keep a page from loading or running anything of other sites, and other sites from showing
// it in a frame.
func guard(h http.Header) {
	h.Set("Content-Security-Policy", policyFor("'none'"))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// policyFor returns the Content-Security-Policy of a page that the given sites may show in a frame. more are sources of
// scripts besides the arena.
func policyFor(sites string, more ...string) string {
	scripts := strings.Join(append([]string{"'self'"}, more...), " ")
	return "default-src 'none'; script-src " + scripts + "; style-src 'self'; img-src 'self' data: blob:; " +
		"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors " + sites
}
