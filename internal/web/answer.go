package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/analysis"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/live"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/tournament"
)

// parsePages parses all pages.
func parsePages(static *static) (templates.Pages, error) {
	return templates.Parse(template.FuncMap{
		"static":       static.url,
		"points":       drawing.PointsText,
		"outcome":      func(s *tournament.Standings) string { return live.EventOutcome(s, nil, false) },
		"limits":       drawing.LimitsText,
		"span":         templates.Span,
		"milliseconds": func(m server.Millis) string { return templates.Milliseconds(time.Duration(m)) },
		"state":        live.EventState,
	}, templates.Names()...)
}

// pages answers requests with pages, and with descriptions of errors.
type pages struct {
	arena     *server.Server
	templates templates.Pages
	version   string
	log       *slog.Logger
}

// view is the data of a page's template.
type view struct {
	status   int  // of the answer; 0 for 200
	refresh  bool // the browser is to ask again after a second
	Title    string
	About    string   // the subject of the page, for search engines and messengers; "" for the usual description
	Picture  string   // the preview picture for links to the page on other sites; "" for the usual one
	Origin   string   // the scheme and the host of this arena's addresses
	Section  string   // the current entry of the navigation
	Modules  []string // of JavaScript that the page loads
	Operator bool
	Busy     bool              // events are played, which have priority over visitors
	Waiting  int               // searches of visitors that wait for their turn
	Troubles []trouble.Trouble // for operators only
	Version  string
	Path     string // of the request, for the way back from the login
	Body     any
}

// statusOf returns the status of a page with a form: 400 if the contents of the form had a problem, and 200 if
// problem is "".
func statusOf(problem string) int {
	if problem != "" {
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// show answers with a page.
func (p *pages) show(w http.ResponseWriter, r *http.Request, page string, v view) error {
	if v.refresh {
		w.Header().Set("Refresh", "1")
	}
	v.Operator, v.Version, v.Path = server.IsOperator(r.Context()), p.version, backTo(r)
	v.About, v.Picture, v.Origin = cmp.Or(v.About, description), cmp.Or(v.Picture, "/preview.png"), origin(r)
	v.Busy, v.Waiting = p.arena.Busy()
	if v.Operator {
		v.Troubles = p.arena.Troubles()
	}
	made, err := p.templates.Make(page, "frame", v)
	if err != nil {
		return err
	}
	return send(w, r, cmp.Or(v.status, http.StatusOK), "text/html; charset=utf-8", made)
}

// framed returns the view of a page that needs no arena.
func framed(v analysis.View) view {
	return view{Title: v.Title, Section: v.Section, Modules: v.Modules, Body: v.Body}
}

// showPart returns the handler that answers with a part of a page. value returns the data of the part.
func showPart[T any](p *pages, page, part string, value func(*http.Request) (T, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		body, err := value(r)
		if err != nil {
			return err
		}
		made, err := p.templates.Make(page, part, body)
		if err != nil {
			return err
		}
		return send(w, r, http.StatusOK, "text/html; charset=utf-8", made)
	}
}

// showPage returns the handler that answers with a page. value returns the data of the page. If the browser has the
// same page already, it gets status 304 instead.
func showPage[T interface{ view() view }](p *pages, page string, value func(*http.Request) (T, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		body, err := value(r)
		if err != nil {
			return err
		}
		return p.show(tagged{w}, r, page, body.view())
	}
}

// inJSON returns the handler that answers with a value in JSON.
func inJSON[T any](value func(*http.Request) (T, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		answer, err := value(r)
		if err != nil {
			return err
		}
		return sendJSON(w, r, answer)
	}
}

// sendJSON answers with a value in JSON.
func sendJSON(w http.ResponseWriter, r *http.Request, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, "application/json", body)
}

// shortest is the length in bytes of the shortest answer that is compressed.
const shortest = 1 << 10

// send answers with a body. It compresses a body of at least shortest bytes if the browser takes gzip.
func send(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Add("Vary", "Accept-Encoding")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache")
	}
	if t, ok := w.(tagged); ok && t.has(status, body, r.Header.Get("If-None-Match")) {
		return nil
	}
	if len(body) >= shortest && takes(r, "gzip") {
		body = compressed(body)
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
	return nil
}

// tagged is an answer with an ETag, the checksum of its body.
type tagged struct{ http.ResponseWriter }

// has sets the ETag of a body. It answers with status 304 and returns true if the browser has that body already: known
// are the tags of the bodies that the browser has. A body with another status than 200 is always sent.
func (t tagged) has(status int, body []byte, known string) bool {
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	t.Header().Set("ETag", tag)
	if status != http.StatusOK || !strings.Contains(known, tag) {
		return false
	}
	t.Header().Del("Content-Type")
	t.WriteHeader(http.StatusNotModified)
	return true
}

// takes reports whether the browser lists an encoding, gzip or br, in Accept-Encoding. It ignores weights: an encoding
// with q=0 counts, too.
func takes(r *http.Request, encoding string) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), encoding)
}

func compressed(body []byte) []byte {
	var short bytes.Buffer
	z := gzip.NewWriter(&short)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return short.Bytes()
}

// problem is an error of a request, in words for the visitor.
type problem struct {
	status int
	title  string // such as "There is no game 17"
	advice string // a way out
	err    error  // the reason, nil if the title is enough
}

func (p *problem) Error() string { return strings.ToLower(p.title[:1]) + p.title[1:] + ": " + p.advice }

func (p *problem) Unwrap() error { return p.err }

// notFound is the problem of a request for a page or a thing that does not exist.
func notFound(title, advice string) *problem {
	return &problem{status: http.StatusNotFound, title: title, advice: advice}
}

// wrong is the problem of a request that is invalid.
func wrong(title, advice string) *problem {
	return &problem{status: http.StatusBadRequest, title: title, advice: advice}
}

// fail answers with a description of an error and a way out: as a page to people, and as JSON to programs and modules.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the visitor is gone
	}
	known := p.problemOf(r, err)
	w.Header().Add("Vary", "Accept") // a browser must not show a person the answer that it has kept for a module
	if isForPrograms(r) {
		body, _ := json.Marshal(map[string]string{"error": known.Error()}) // a map of texts can always be encoded
		_ = send(w, r, known.status, "application/json", body)
		return
	}
	v := view{status: known.status, Title: known.title, Body: map[string]any{"Title": known.title, "Advice": known.advice, "Status": known.status}}
	if err := p.show(w, r, "error", v); err != nil {
		p.log.ErrorContext(r.Context(), "an error page failed", "path", r.URL.Path, "error", err)
		http.Error(w, known.Error(), known.status)
	}
}

// isForPrograms reports whether a program or a module has sent a request, not a person.
func isForPrograms(r *http.Request) bool {
	return r.Header.Get("Accept") == "application/json" || strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/parts/")
}

// problemOf puts an error into words for the visitor. It logs an error of the arena itself.
func (p *pages) problemOf(r *http.Request, err error) *problem {
	var known *problem
	var asked *analysis.Problem
	var missing *results.NotFoundError
	var request *server.RequestError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, server.ErrTooMany):
		return &problem{status: http.StatusTooManyRequests, title: "The arena is busy", advice: err.Error(), err: err}
	case errors.As(err, &asked) && asked.Missing:
		return notFound(asked.Title, asked.Advice)
	case errors.As(err, &asked):
		return wrong(asked.Title, asked.Advice)
	case errors.As(err, &missing):
		return notFound(fmt.Sprintf("There is no %s %d", missing.What, missing.ID), "Look for it in the list of events.")
	case errors.As(err, &request):
		return wrong("This cannot be done", request.Error())
	}
	if r.Context().Err() == nil { // the visitor is still there
		p.log.ErrorContext(r.Context(), "a page failed", "path", r.URL.Path, "error", err)
	}
	known = &problem{status: http.StatusInternalServerError, title: "The arena failed to do this", err: err}
	known.advice = "Other pages may still work. The host of the arena finds the reason in its log, and damaged games by “arena verify --db FILE”."
	if server.IsOperator(r.Context()) {
		known.advice = fmt.Sprintf("The reason: %s. %s", plain.Line(err.Error()), known.advice)
	}
	if results.Damaged(err) {
		known.title = "The database is damaged"
		known.advice = "The host of the arena can run “arena verify --db FILE”, which names the damaged games, and restore a copy of the file."
	}
	return known
}

// refused returns a handler for requests of visitors who lack the right to see a page.
func (p *pages) refused(right server.Right) func(w http.ResponseWriter, r *http.Request, status int, why error) {
	title, advice := "This is not open to everybody", "Log in with an operator's token, or ask the arena's host, who can open the pages to all with “arena serve --public”."
	if right == server.OperateRight { // --public does not give this right
		title, advice = "This is for operators only", "Log in with an operator's token."
	}
	return func(w http.ResponseWriter, r *http.Request, status int, why error) {
		guard(w.Header())
		p.fail(w, r, &problem{status: status, title: title, advice: advice, err: why})
	}
}
