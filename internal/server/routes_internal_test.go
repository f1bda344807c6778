package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server/gate"
	"versus2048/internal/testkit"
	"versus2048/protocol"
	"versus2048/tournament"
)

// emptyStore has no events, and two tokens.
type emptyStore struct{ Store }

var errNothing = fmt.Errorf("there is nothing here: %w", tournament.ErrUnknownEvent)

func (emptyStore) Event(context.Context, int64) (tournament.Event, error) {
	return tournament.Event{}, errNothing
}

func (emptyStore) Voidable(context.Context, int64, int) error { return errNothing }

// An arena is to blame for the failures of its store, and a client for what it asks.
func TestRefused(t *testing.T) {
	for err, clients := range map[error]bool{
		errNothing: true, fmt.Errorf("match 1: %w", tournament.ErrNotVoidable): true, errors.New("the disk is broken"): false,
	} {
		if got := refused(err); !errors.Is(got, err) || errors.As(got, new(*RequestError)) != clients {
			t.Errorf("%v is a %T", err, got)
		}
	}
}

func (emptyStore) Writable(context.Context) error { return nil }

func (emptyStore) Owners(context.Context) ([]string, error) { return []string{"ann"}, nil }

func (emptyStore) Has(_ context.Context, role, name string) (bool, error) {
	return Role(role) == BotRole && name == "ann", nil
}

func (emptyStore) Valid(_ context.Context, role, name, token string) (bool, error) {
	return token == role+"'s token" && (Role(role) == OperatorRole || name == "ann" || name == ""), nil
}

// frontDoor is a way to an arena.
type frontDoor struct {
	url  string // such as http://127.0.0.1:2048
	host string // sent as the request's Host; "" for the URL's
}

// openArena serves an arena and opens three ways to it: directly, through a stock reverse proxy, which rewrites the
// host and adds no header, and through a proxy that names its clients.
func openArena(t *testing.T, requireTokens bool) (direct, stock, honest frontDoor, s *Server) {
	t.Helper()
	s = New(Config{
		Store: emptyStore{}, Tokens: emptyStore{}, RequireTokens: requireTokens, Operator: gate.OperatorFile{Secret: "the secret", Path: "/where/it.operator"},
		Grace: time.Second, Limits: protocol.DefaultLimits(), Log: slog.New(slog.DiscardHandler),
	})
	var arena testkit.Arena
	arena.Serve(t, func(ctx context.Context, l net.Listener) error { return s.Serve(ctx, l) })
	direct = frontDoor{url: arena.URL()}
	target, err := url.Parse(direct.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := func(rewrite func(*httputil.ProxyRequest)) frontDoor {
		p := httptest.NewServer(&httputil.ReverseProxy{Rewrite: rewrite})
		t.Cleanup(p.Close)
		return frontDoor{p.URL, "arena.example.org"}
	}
	stock = proxy(func(r *httputil.ProxyRequest) { r.SetURL(target) })
	honest = proxy(func(r *httputil.ProxyRequest) { r.SetURL(target); r.SetXForwarded() })
	return direct, stock, honest, s
}

// status asks for a route and returns the status of the answer.
func (d frontDoor) status(t *testing.T, pattern string, header map[string]string) int {
	t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, d.url+strings.ReplaceAll(path, "{id}", "7"), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = d.host
	request.Header.Set("Content-Type", "application/json")
	for key, value := range header {
		if request.Header.Set(key, value); key == "Host" {
			request.Host = value
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func TestEveryRouteNeedsItsRight(t *testing.T) {
	t.Parallel()
	direct, stock, honest, s := openArena(t, false)
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	with := func(header map[string]string, key, value string) map[string]string {
		header = maps.Clone(header)
		header[key] = value
		return header
	}
	for name, tc := range map[string]struct {
		from          frontDoor
		header        map[string]string
		look, operate bool
	}{
		"loopback":                          {direct, nil, true, false},
		"loopback, the secret":              {direct, bearer("the secret"), true, true},
		"loopback, a wrong secret":          {direct, bearer("a secret"), false, false},
		"loopback, an empty token":          {direct, bearer(""), true, false},
		"loopback, an operator's token":     {direct, bearer("operator's token"), true, true},
		"loopback, a bot's token":           {direct, bearer("bot's token"), false, false},
		"a stock proxy":                     {stock, nil, true, false},
		"a stock proxy, an operator":        {stock, bearer("operator's token"), true, true},
		"a proxy with X-Forwarded-For":      {honest, nil, false, false},
		"the same, claiming loopback":       {honest, map[string]string{"X-Forwarded-For": "127.0.0.1"}, false, false},
		"the same, the secret":              {honest, bearer("the secret"), false, false},
		"the same, an operator":             {honest, bearer("operator's token"), true, true},
		"a proxy with Forwarded":            {direct, map[string]string{"Forwarded": "for=203.0.113.9"}, false, false},
		"a page of another site":            {direct, map[string]string{"Origin": "https://example.org"}, false, false},
		"a page of another site, by a link": {direct, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, true, false},
		"the same, with a picture":          {direct, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, false, false},
		"the same, with a frame":            {direct, map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, false, false},
		"the arena's own page":              {direct, map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, true, false},
		"a page that knows the secret":      {direct, with(bearer("the secret"), "Origin", "https://example.org"), true, false},
		"a name that means this machine":    {direct, map[string]string{"Host": "example.org"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range s.Routes() {
				if r.Right == PlayRight {
					continue // TestWhoMayPlay
				}
				want := map[Right]bool{OpenRight: true, LookRight: tc.look, OperateRight: tc.operate}[r.Right]
				if got := tc.from.status(t, r.Pattern, tc.header); (got != http.StatusForbidden) != want {
					t.Errorf("%s needs the right to %s; the answer is %d", r.Pattern, r.Right, got)
				}
			}
		})
	}
}

func TestWhoMayPlay(t *testing.T) {
	for _, required := range []bool{false, true} {
		direct, stock, honest, s := openArena(t, required)
		for name, from := range map[string]frontDoor{"loopback": direct, "stock": stock, "honest": honest} {
			for _, r := range s.Routes() {
				if r.Right != PlayRight {
					continue
				}
				path := strings.TrimPrefix(r.Pattern, "GET ")
				want := "welcome"
				if required || name == "honest" {
					want = "token_required"
				}
				if got := from.greet(t, path, "bob", ""); got != want {
					t.Errorf("%s from %s without a token, tokens required %v: %s, want %s", path, name, required, got, want)
				}
				if got := from.greet(t, path, "ann", "bot's token"); got != "welcome" {
					t.Errorf("%s from %s with a token, tokens required %v: %s", path, name, required, got)
				}
				if got := from.greet(t, path, "ann", "operator's token"); got != "bad_token" {
					t.Errorf("%s from %s with an operator's token: %s", path, name, got)
				}
			}
		}
	}
}

// greet says hello as a bot, leaves, and returns the type or the code of the answer.
func (d frontDoor) greet(t *testing.T, path, name, token string) string {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, _, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(d.url, "http")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	answer := struct{ Type, Code string }{}
	if err := errors.Join(ws.WriteJSON(map[string]any{"type": "hello", "name": name, "token": token}), ws.ReadJSON(&answer)); err != nil {
		t.Fatal(err)
	}
	if answer.Type != "welcome" {
		return answer.Code
	}
	if err := ws.WriteJSON(map[string]any{"type": "goodbye"}); err != nil {
		t.Fatal(err)
	}
	for err == nil { // until the arena has closed the connection
		_, _, err = ws.NextReader()
	}
	return answer.Type
}
