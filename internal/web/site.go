package web

import (
	"cmp"
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/players/exact"
	"versus2048/results"
	"versus2048/results/lists"
)

// Config is the configuration of a site.
type Config struct {
	Arena   *server.Server // plays the games in progress
	Store   *results.Store // has the recorded events and games
	Tables  []*exact.Table // of solved boards, for exact values
	Version string         // of this program, shown at the foot of each page
	Log     *slog.Logger
	// Patience is how long a page waits for figures before it is shown without them; 0 for
	// archive.DefaultPatience.
	Patience time.Duration
}

// Site is the pages of one arena. Its methods may be called from several goroutines.
type Site struct {
	arena     *server.Server
	store     *results.Store
	version   string
	log       *slog.Logger
	pages     map[string]*template.Template // by the name of their files, without .html
	static    *static
	games     *live.Games
	played    playedEvents
	archive   *archive.Archive
	meetings  *archive.Figures[meetingKey, *meeting]
	lists     *lists.Keeper              // standing lists
	events    *live.States[*eventNews]   // the states of events
	boards    *live.States[*boardsState] // the games in progress of events
	tables    []*exact.Table
	explorer  *explorer
	marks     *lru.Cache[markedGame, marksJSON]
	judged    sync.Map                        // by markedGame: a channel that is closed when the game is judged
	kinds     func() []kindJSON               // of bots, made once
	documents sync.Map                        // as template.HTML by file, each made at the first request
	exports   chan struct{}                   // holds an entry for each download of an event
	artist    func() (*drawing.Artist, error) // made for the first animation
}

// New returns the site of an arena. It returns an error if a template is broken.
func New(c Config) (*Site, error) {
	c.Store = c.Store.Visiting()
	static, err := newStatic()
	if err != nil {
		return nil, err
	}
	pages, err := parsePages(static)
	if err != nil {
		return nil, err
	}
	s := &Site{arena: c.Arena, store: c.Store, version: c.Version, log: c.Log, pages: pages, static: static}
	marks, err := lru.New[markedGame, marksJSON](keptMarks)
	if err != nil {
		return nil, err
	}
	s.tables, s.explorer, s.kinds = c.Tables, newExplorer(c.Store), sync.OnceValue(newKindsJSON)
	s.games, s.marks = live.NewGames(s.snapshot), marks
	s.exports = make(chan struct{}, mostExports)
	s.artist = sync.OnceValues(drawing.NewArtist)
	s.archive, s.lists = archive.New(c.Store, c.Arena), lists.NewKeeper(c.Store)
	s.archive.Patience = cmp.Or(c.Patience, s.archive.Patience)
	s.meetings = archive.NewFigures(s.archive, mostMet, func(ctx context.Context, key meetingKey) (*meeting, error) {
		return meet(ctx, s.store, key)
	})
	s.events = live.NewStates(eventInterval, s.lookAtEvent, func(now *eventNews) any { return now.shown })
	s.boards = live.NewStates(boardsInterval, s.boardsOf, func(now *boardsState) any { return now })
	return s, nil
}

// Routes returns the routes of all pages, for [server.Server.Add].
func (s *Site) Routes() []server.Route {
	return slices.Concat(
		s.homeRoutes(),
		s.gameRoutes(),
		s.loginRoutes(),
		s.playRoutes(),
		s.documentRoutes(),
		s.connectRoutes(),
		s.tokenRoutes(),
		s.createRoutes(),
		s.analysisRoutes(),
		s.studyRoutes(),
		s.shareRoutes(),
		s.eventsRoutes(),
		s.eventRoutes(),
		s.boardsRoutes(),
		s.botRoutes(),
		s.pairRoutes(),
		s.ratingsRoutes(),
		s.static.routes(),
	)
}

// handler answers a request, or returns an error with a description for the visitor.
type handler func(w http.ResponseWriter, r *http.Request) error

// look returns the route of a page or an answer that changes nothing.
func (s *Site) look(pattern string, h handler) server.Route {
	return s.route("GET "+pattern, server.LookRight, h)
}

// page returns the route of a page that is the same for all visitors, apart from operators.
func (s *Site) page(pattern string, h handler) server.Route {
	r := s.look(pattern, h)
	r.Same = true
	return r
}

// operate returns the route of an operator's command.
func (s *Site) operate(pattern string, h handler) server.Route {
	return s.route("POST "+pattern, server.OperateRight, h)
}

func (s *Site) route(pattern string, right server.Right, h handler) server.Route {
	return server.Route{Pattern: pattern, Right: right, Refused: s.refused(right), Serve: func(w http.ResponseWriter, r *http.Request) {
		guard(w.Header())
		bound(w, r, right)
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}}
}

// guard sets the headers that keep a page from loading or running anything of other sites, and other sites from showing
// it in a frame.
func guard(h http.Header) {
	h.Set("Content-Security-Policy", policyFor("'none'"))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// policyFor returns the Content-Security-Policy of a page that the given sites may show in a frame.
func policyFor(sites string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
		"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors " + sites
}
