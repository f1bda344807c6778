package gate

import (
	"bufio"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"time"
)

// RequestLog gives requests their ids, logs them, and passes them to a counter. All fields but Log may be zero.
type RequestLog struct {
	Log   *slog.Logger // of requests that succeeded
	Calm  *slog.Logger // of the others, which strangers can send without end; nil for Log
	Level slog.Level   // of the lines
	// From names the sender of a request, for the log; nil stands for the address of the connection.
	From func(r *http.Request) string
	// Trusted reports whether the id that a request brings may be used; nil: it never may.
	Trusted func(r *http.Request) bool
	Counter RequestCounter
}

// RequestCounter counts requests.
type RequestCounter interface {
	// RequestBegan is called when a request is going to be answered.
	RequestBegan()
	// RequestOver is called when the request has been answered. route is the pattern of the route that answered, ""
	// if there was none. status is 101 for a connection that went on as a WebSocket, and 0 if the handler panicked before
	// the answer began. begun is the time until the answer began.
	RequestOver(route string, status int, begun time.Duration)
}

// Handler returns a handler that logs and counts the requests to next. next must be the http.ServeMux with the
// routes, or pass each *http.Request to it without a copy: the ServeMux notes the route in the request.
func (w RequestLog) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id := newID(r, w.Trusted != nil && w.Trusted(r))
		r = r.WithContext(context.WithValue(r.Context(), idKey{}, id))
		rw.Header().Set(RequestIDHeader, id)
		a := &answer{ResponseWriter: rw, began: time.Now()}
		if w.Counter != nil {
			w.Counter.RequestBegan()
		}
		defer func() {
			if w.Counter != nil {
				w.Counter.RequestOver(r.Pattern, a.status, a.begun)
			}
			w.log(r, a)
		}()
		next.ServeHTTP(a, r)
		a.note(http.StatusOK) // an answer without a body
	})
}

// longestPath is the largest number of bytes of a request's path that are logged. The query is not logged: a page may
// put there a text that somebody typed.
const longestPath = 200

// log writes the line of a request.
func (w RequestLog) log(r *http.Request, a *answer) {
	log := w.Log
	if a.status >= http.StatusBadRequest && w.Calm != nil {
		log = w.Calm
	}
	if !log.Enabled(r.Context(), w.Level) {
		return
	}
	from := r.RemoteAddr
	if w.From != nil {
		from = w.From(r)
	}
	path := r.URL.Path
	log.LogAttrs(r.Context(), w.Level, "request",
		slog.String("from", from), slog.String("method", r.Method), slog.String("path", path[:min(len(path), longestPath)]),
		slog.String("route", r.Pattern), slog.Int("status", a.status), slog.Int64("bytes", a.bytes),
		slog.Duration("began", a.begun), slog.Duration("took", time.Since(a.began)))
}

// answer notes the status, the length and the beginning of an answer.
type answer struct {
	http.ResponseWriter
	began  time.Time
	begun  time.Duration // from began to the beginning of the answer
	status int           // 0 before the answer begins
	bytes  int64         // of the body
}

func (a *answer) note(status int) {
	if a.status == 0 {
		a.status, a.begun = status, time.Since(a.began)
	}
}

// WriteHeader writes the header. It notes the status, unless it is informational (1xx, but not 101).
func (a *answer) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		a.note(status)
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	a.note(http.StatusOK)
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// FlushError is for http.ResponseController.
func (a *answer) FlushError() error {
	a.note(http.StatusOK)
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Hijack takes over the connection of the request, as a WebSocket does.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(a.ResponseWriter).Hijack()
	if err == nil {
		a.note(http.StatusSwitchingProtocols)
	}
	return conn, buffers, err
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// RequestIDHeader names the id of a request in its answer, and in the requests of proxies.
const RequestIDHeader = "X-Request-Id"

// idKey is the key of a request's id in its context.
type idKey struct{}

// RequestID returns the id of the request that has this context, "" if there is none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// idLength is the number of characters of a new id. Each has five random bits.
const idLength = 16

// given matches the ids that may be taken over from a proxy. Longer ids, and ids with other characters, could fill the
// log.
var given = regexp.MustCompile(`^[0-9A-Za-z._-]{1,64}$`)

// newID returns the id of a request: the one that it brings, if that is trusted and valid, or a new one.
func newID(r *http.Request, trusted bool) string {
	if id := r.Header.Get(RequestIDHeader); trusted && given.MatchString(id) {
		return id
	}
	return rand.Text()[:idLength]
}

// LogRequestIDs returns a handler of log lines that adds the id of the request, as "request", to each line that is
// logged with a request's context.
func LogRequestIDs(h slog.Handler) slog.Handler { return named{h} }

type named struct{ slog.Handler }

func (n named) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request", id))
	}
	return n.Handler.Handle(ctx, r)
}

func (n named) WithAttrs(attrs []slog.Attr) slog.Handler { return named{n.Handler.WithAttrs(attrs)} }

func (n named) WithGroup(name string) slog.Handler { return named{n.Handler.WithGroup(name)} }
