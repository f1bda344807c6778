package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

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
	find := &finder{arena: c.Arena, store: store}
	watched := live.NewGames(find.snapshot)
	list := &gameLists{pages, c.Arena, store, all}
	explorer := newExplorer(pages, c.Arena, store, all, find)
	sharing := &sharing{pages, c.Arena, find, sync.OnceValues(drawing.NewArtist)}
	return &Site{append(static.routes(), pages.serving(slices.Concat(
		(&home{pages, c.Arena, store, all, find, watched}).routes(),
		(&games{pages, c.Arena, store, all, find, watched, c.Tables, sharing.sendGIF}).routes(),
		newStudies(pages, c.Arena, find, c.Tables).routes(),
		sharing.routes(),
		newExports(store, all, c.Log).routes(),
		(&eventList{pages, all}).routes(),
		newEvents(pages, c.Arena, store, all, list).routes(),
		list.routes(),
		newBoards(pages, c.Arena, store, all, find).routes(),
		(&bots{pages, c.Arena, store, all}).routes(),
		newPairs(pages, store, all).routes(),
		(&ratings{pages, c.Arena, lists.NewKeeper(store)}).routes(),
		(&analysis{pages, c.Arena, find, c.Tables, explorer}).routes(),
		explorer.routes(),
		(&opinions{pages, c.Arena, find}).routes(),
		(&play{pages, c.Arena, c.Tables}).routes(),
		(&creation{pages, c.Arena, all}).routes(),
		(&login{pages, c.Arena}).routes(),
		(&connect{pages, c.Arena, store}).routes(),
		tokens{store}.routes(),
		(&documents{pages: pages}).routes(),
	))...)}, nil
}

// Routes returns the routes of all pages, for [server.Server.Add].
func (s *Site) Routes() []server.Route { return s.routes }

// handler answers a request, or returns an error with a description for the visitor.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is a route with its handler.
type route struct {
	server.Route // without Serve and Refused, which pages add
	serve        handler
	forCommands  bool // the arena's own answer to requests without the right names the operator's file
}

// look returns the route of a page or an answer that changes nothing.
func look(pattern string, h handler) route {
	return route{Route: server.Route{Pattern: "GET " + pattern, Right: server.LookRight}, serve: h}
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

// operate returns the route of an operator's command.
func operate(pattern string, h handler) route {
	return needing(server.OperateRight, "POST "+pattern, h)
}

// needing returns a route that needs a right.
func needing(right server.Right, pattern string, h handler) route {
	return route{Route: server.Route{Pattern: pattern, Right: right}, serve: h}
}

// serving returns routes that answer errors with their descriptions.
func (p *pages) serving(all []route) (served []server.Route) {
	for _, one := range all {
		if !one.forCommands {
			one.Refused = p.refused(one.Right)
		}
		one.Serve = func(w http.ResponseWriter, r *http.Request) {
			guard(w.Header())
			bound(w, r, one.Right)
			if err := one.serve(w, r); err != nil {
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

// policyFor returns the Content-Security-Policy of a page that the given sites may show in a frame.
func policyFor(sites string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
		"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors " + sites
}
