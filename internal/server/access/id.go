package access

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"regexp"
)

// Header names the id of a request in its answer, and in the requests of proxies.
const Header = "X-Request-Id"

// idKey is the key of a request's id in its context.
type idKey struct{}

// ID returns the id of the request that has this context, "" if there is none.
func ID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// idLength is how many characters of a new id there are, five random bits each.
const idLength = 16

// given matches the ids that may be taken over from a proxy. Longer ids, and ids with other characters, could fill the
// log.
var given = regexp.MustCompile(`^[0-9A-Za-z._-]{1,64}$`)

// newID returns the id of a request: the one that it brings, if that is trusted and valid, or a new one.
func newID(r *http.Request, trusted bool) string {
	if id := r.Header.Get(Header); trusted && given.MatchString(id) {
		return id
	}
	return rand.Text()[:idLength]
}

// Named returns a handler of log lines that adds the id of the request, as "request", to each line that
// is logged with a request's context.
func Named(h slog.Handler) slog.Handler { return named{h} }

type named struct{ slog.Handler }

func (n named) Handle(ctx context.Context, r slog.Record) error {
	if id := ID(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request", id))
	}
	return n.Handler.Handle(ctx, r)
}

func (n named) WithAttrs(attrs []slog.Attr) slog.Handler { return named{n.Handler.WithAttrs(attrs)} }

func (n named) WithGroup(name string) slog.Handler { return named{n.Handler.WithGroup(name)} }
