package server

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server/gate"
)

// Right is what a request to a route needs.
type Right string

// The rights. docs/SECURITY.md has the table of who has which.
const (
	OpenRight    Right = "open"    // nothing: what a browser needs to log in
	PlayRight    Right = "play"    // checked by admitBot, after the hello
	LookRight    Right = "look"    // reading; changes nothing
	OperateRight Right = "operate" // starting and stopping events, and with them processes
)

// Route is one entry of the HTTP interface.
type Route struct {
	Pattern string // for http.ServeMux
	Right   Right
	Serve   http.HandlerFunc // is called for the requests that have the right
	Shared  bool             // pages of other sites may show it
	Same    bool             // all who look get the same answer, apart from operators
	// Refused answers the others; why is a sentence. If Refused is nil they get it in JSON.
	Refused func(w http.ResponseWriter, r *http.Request, status int, why error)
}

// Add adds routes, such as pages. Call it before Serve.
func (s *Server) Add(routes ...Route) { s.pages = append(s.pages, routes...) }

// routes returns the arena's own routes: bots at /bot, commands below /api, and what machines ask.
func (s *Server) routes() []Route {
	return slices.Concat(s.api().routes(), s.healthRoutes(), []Route{
		{Pattern: "GET /bot", Right: PlayRight, Serve: s.serveBot},
		{Pattern: "GET /metrics", Right: OperateRight, Serve: s.metrics.Handler().ServeHTTP},
	})
}

// whileOpen ends the requests of a page when the arena shuts down: a stream would go on for ever.
func (s *Server) whileOpen(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(s.host.life, end)()
		serve(w, r.WithContext(ctx))
	}
}

func (s *Server) api() *api {
	return &api{
		admission: s.admission, roster: s.roster, host: s.host, records: s.records, read: s.Read,
		whole: s.Status, workers: s.Workers, log: s.log,
	}
}

// handler returns the arena's HTTP interface.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		serve := r.Serve
		if r.Right != PlayRight {
			serve = s.admitted(r)
		}
		mux.HandleFunc(r.Pattern, serve)
	}
	for _, r := range s.pages {
		mux.HandleFunc(r.Pattern, s.atKnownHost(s.whileOpen(s.admitted(r))))
	}
	return s.watch.Handler(s.budgeted(withOptions(mux), s.sameFor(mux)))
}

// atKnownHost serves a page to requests that name this arena, not another host. Browsers
// would let pages of that host read the answer.
func (s *Server) atKnownHost(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.admission.origins.knownHost(r) {
			serve(w, r)
			return
		}
		http.Error(w, errUnknownHost.Error(), http.StatusMisdirectedRequest)
	}
}

// admitted serves a route to the requests that have its right and refuses all others.
func (s *Server) admitted(route Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.callerOf(r, route)
		if err != nil {
			s.refuse(route, w, r, err)
			return
		}
		policy := "same-origin"
		if route.Shared {
			policy = "cross-origin"
		}
		w.Header().Set("Cross-Origin-Resource-Policy", policy)
		defer gate.From(r.Context()).Answer()()
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // streams live on
		ctx, done := s.admission.whileAdmitted(r, caller)
		defer done()
		route.Serve(w, r.WithContext(ctx))
	}
}

// callerOf returns who sends a request to a route, or why that is refused.
func (s *Server) callerOf(r *http.Request, route Route) (c caller, err error) {
	known, isKnown := r.Context().Value(callerKey{}).(caller)
	switch {
	case route.Right == OpenRight:
	case !route.Shared && isForeign(r):
		return c, errForbidden
	case isKnown:
		return known, nil
	}
	return s.admission.admit(r, route.Right)
}

// refuse answers a request that does not have the right of its route.
func (s *Server) refuse(route Route, w http.ResponseWriter, r *http.Request, err error) {
	if route.Refused != nil && (errors.Is(err, errForbidden) || errors.Is(err, ErrBadToken)) {
		route.Refused(w, r, http.StatusForbidden, err)
		return
	}
	s.api().writeError(w, r, err)
}

// everyOther is the route of a page that says that there is no such page.
const everyOther = "GET /"

// withOptions returns a handler that answers OPTIONS with the methods that a path takes. It does not say that pages of
// other sites may read an answer (CORS): none may.
func withOptions(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodOptions {
			mux.ServeHTTP(w, r)
			return
		}
		allowed := methods(mux, r)
		if len(allowed) == 0 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	})
}

// methods returns the methods with which the path of a request has a route.
func methods(mux *http.ServeMux, r *http.Request) (allowed []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		asked := r.Clone(r.Context())
		asked.Method = method
		if _, pattern := mux.Handler(asked); pattern != "" && pattern != everyOther {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
