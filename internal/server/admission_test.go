package server_test

import (
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/protocol"
)

// hello connects a bot and returns the arena's first message to it.
func hello(t *testing.T, c *server.Client, name, token string, header http.Header) (*websocket.Conn, map[string]any) {
	t.Helper()
	ws, first, err := tryHello(t, c, name, token, header)
	if err != nil {
		t.Fatal(err)
	}
	return ws, first
}

// tryHello is hello for any goroutine: only the test's own may call t.Fatal.
func tryHello(t *testing.T, c *server.Client, name, token string, header http.Header) (*websocket.Conn, map[string]any, error) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, _, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(c.URL, "http")+"/bot", header)
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(func() { ws.Close() })
	if err := ws.WriteJSON(map[string]any{"type": "hello", "name": name, "token": token}); err != nil {
		return nil, nil, err
	}
	first := map[string]any{}
	err = ws.ReadJSON(&first)
	return ws, first, err
}

func TestCommandsNeedAnOperator(t *testing.T) {
	store := newStore()
	store.tokens["operatorolga"], store.tokens["botbob"] = "open sesame", "bob's own"
	c := serve(t, store, nil)
	for name, tc := range map[string]struct {
		header map[string]string
		host   string
		status int
	}{
		"from this machine":            {nil, "", http.StatusOK},
		"forwarded by a proxy":         {map[string]string{"X-Forwarded-For": "203.0.113.9"}, "", http.StatusForbidden},
		"a page of another site":       {map[string]string{"Origin": "https://example.org"}, "", http.StatusForbidden},
		"under another name (rebound)": {nil, "example.org", http.StatusForbidden},
		"an operator behind a proxy":   {map[string]string{"X-Forwarded-For": "203.0.113.9", "Authorization": "Bearer open sesame"}, "", http.StatusOK},
		"with a bot's token":           {map[string]string{"Authorization": "Bearer bob's own"}, "", http.StatusForbidden},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+"/api/bots", nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range tc.header {
			request.Header.Set(key, value)
		}
		request.Host = tc.host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != tc.status {
			t.Errorf("%s: %s: %s", name, response.Status, body)
		}
	}
}

func TestAdmission(t *testing.T) {
	store := newStore()
	store.tokens["botann"] = "ann's own"
	forwarded := http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	for name, tc := range map[string]struct {
		bot, token string
		header     http.Header
		required   bool
		code       any
	}{
		"from this machine":                 {bot: "bob"},
		"no token for a name that has one":  {bot: "ann", code: "token_required"},
		"the right token":                   {bot: "ann", token: "ann's own"},
		"a wrong token":                     {bot: "ann", token: "guess", code: "bad_token"},
		"another bot's token":               {bot: "bob", token: "ann's own", code: "bad_token"},
		"from another machine":              {bot: "bob", header: forwarded, code: "token_required"},
		"from another machine with a token": {bot: "ann", token: "ann's own", header: forwarded},
		"tokens required":                   {bot: "bob", required: true, code: "token_required"},
		"tokens required, with a token":     {bot: "ann", token: "ann's own", required: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, store, func(config *server.Config) { config.RequireTokens = tc.required })
			_, first := hello(t, c, tc.bot, tc.token, tc.header)
			if first["code"] != tc.code {
				t.Errorf("the answer is %v, want code %v", first, tc.code)
			}
		})
	}
}

// The owner of a name is told where the token goes, and from elsewhere nobody learns which names have one.
func TestRefusalWithoutToken(t *testing.T) {
	store := newStore()
	store.tokens["botann"] = "ann's own"
	c := serve(t, store, nil)
	_, first := hello(t, c, "ann", "", nil)
	if message, _ := first["message"].(string); !strings.Contains(message, "a token was made for this name: give it with --token or VERSUS2048_TOKEN") {
		t.Errorf("the answer is %v, want that the name has a token", first)
	}
	forwarded := http.Header{"X-Forwarded-For": {"203.0.113.9"}}
	_, owned := hello(t, c, "ann", "", forwarded)
	_, free := hello(t, c, "bob", "", forwarded)
	if message, _ := free["message"].(string); owned["message"] != free["message"] || !strings.Contains(message, "arena token new NAME") {
		t.Errorf("from elsewhere the answers are %v and %v, want the same one", owned, free)
	}
}

func TestRefusalsAreLogged(t *testing.T) {
	var log logText
	c := serve(t, newStore(), func(config *server.Config) { config.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	hello(t, c, "ann", "", nil)
	for code, token := range map[string]string{"name_in_use": "", "bad_token": "guess"} {
		if _, first := hello(t, c, "ann", token, nil); first["code"] != code {
			t.Errorf("the answer is %v, want %s", first, code)
		}
		if want := `msg="bot refused" bot=ann`; !log.contains(want, "code="+code) {
			t.Errorf("the log has no line with %s and code=%s", want, code)
		}
	}
}

// logText keeps the lines of a log.
type logText struct {
	mu    sync.Mutex
	lines []string
}

func (l *logText) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

// contains reports whether one line has all the parts.
func (l *logText) contains(parts ...string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.lines, func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	})
}
