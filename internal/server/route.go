package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"versus2048/internal/server/gate"
)

// Right is the right that a route requires.
type Right string

// The rights. The table in docs/SECURITY.md shows which callers have them.
const (
	OpenRight    Right = "open"    // everybody has it; a browser needs these routes to log in
	PlayRight    Right = "play"    // checked by admitBot, after the hello
	LookRight    Right = "look"    // reading; changes nothing
	OperateRight Right = "operate" // starting and stopping events, and with them processes
)

// Form has the types of the bodies that programs send to a route and get from it. docs/schemas/openapi.json is written
// from them. A value stands for its type. The zero value is for pages.
type Form struct {
	Body   any            // of requests, in JSON; nil for none
	Answer any            // in JSON: the answer, or each line of a stream of lines
	Events map[string]any // the data of a stream's events, by their names
	Media  string         // the media type of an answer that is not application/json
}

// The media types of streams.
const (
	linesMedia  = "application/x-ndjson"
	EventsMedia = "text/event-stream"
)

// operation is a handler with the types of its bodies and answers.
type operation struct {
	handler
	Form
}

// giving returns the operation of a handler that answers with a value of the type of answer.
func giving(answer any, h handler) operation { return operation{h, Form{Answer: answer}} }

// changed is the answer to the start or a change of an event.
type changed struct {
	Event int64 `json:"event"` // its number
}

// The bodies of changes of an event.
type (
	// extension gives an event more matches.
	extension struct {
		Matches int `json:"matches" needed:"true"` // of each pairing
	}
	// matchNumber names a match to be played again.
	matchNumber struct {
		Match int `json:"match" needed:"true"` // its number
	}
	// botName names a bot that joins or leaves.
	botName struct {
		Bot string `json:"bot" needed:"true"` // its name, SPEC or NAME=SPEC
	}
)

// Route is one entry of the HTTP interface.
type Route struct {
	Pattern string // for http.ServeMux
	Right   Right
	Serve   http.HandlerFunc // is called for requests that have the right
	Shared  bool             // pages of other sites may show it
	Same    bool             // all visitors get the same answer, but operators may get another
	// Parameters are the parameters that its address may have. A GET below /api and a route with Parameters refuse
	// requests with other parameters. Any other route ignores all parameters: links from other sites to a page may have
	// some of their own.
	Parameters []string
	// Refused answers requests without the right; why is a sentence. If Refused is nil, the answer is that sentence
	// in JSON.
	Refused func(w http.ResponseWriter, r *http.Request, status int, why error)
	Form
}

// Add adds routes, such as pages. Call it before Serve.
func (s *Server) Add(routes ...Route) { s.pages = append(s.pages, routes...) }

// Routes returns the arena's own routes: bots at /bot, commands below /api, and the routes for monitoring.
func (s *Server) Routes() []Route {
	return slices.Concat(s.api().routes(), s.healthRoutes(), []Route{
		{Pattern: "GET /bot", Right: PlayRight, Serve: s.serveBot},
		{Pattern: "GET /metrics", Right: OperateRight, Serve: s.host.metrics.Handler().ServeHTTP, Form: Form{Media: "text/plain"}},
	})
}

// whileOpen ends the requests of a page when the arena shuts down; otherwise a stream would go on for ever.
func (s *Server) whileOpen(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(s.host.runs.life, end)()
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
	for _, r := range s.Routes() {
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

// atKnownHost serves a page to requests that name this arena as the host. If it served another host name too, browsers
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
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // streams last longer
		ctx, done := s.admission.whileAdmitted(r, caller)
		defer done()
		if err := route.checkParameters(r); err != nil {
			s.api().writeError(w, r, err)
			return
		}
		route.Serve(w, r.WithContext(ctx))
	}
}

// checkParameters returns an error if the address of a request has a parameter that the route does not take.
func (route *Route) checkParameters(r *http.Request) error {
	if route.Parameters == nil && !strings.HasPrefix(route.Pattern, http.MethodGet+" /api/") {
		return nil
	}
	for name := range r.URL.Query() {
		switch {
		case slices.Contains(route.Parameters, name):
		case len(route.Parameters) == 0:
			return &RequestError{fmt.Errorf("there is no parameter %.40q: this address takes none", name)}
		default:
			return &RequestError{fmt.Errorf("there is no parameter %.40q: this address takes %s", name, strings.Join(route.Parameters, ", "))}
		}
	}
	return nil
}

// callerOf returns the sender of a request to a route, or an error if the request is refused.
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

// everyOther is the route of the page for unknown addresses.
const everyOther = "GET /"

// withOptions returns a handler that answers OPTIONS with the methods that a path takes. The answer does not allow
// pages of other sites to read answers (CORS): none may.
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

// methods returns the methods that have a route for the path of a request.
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
