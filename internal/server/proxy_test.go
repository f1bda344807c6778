package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// clientHeader is how the tests' reverse proxy learns the address of a client.
const clientHeader = "X-Test-Client"

// reverseProxy starts a reverse proxy before an arena and returns how a client at an address reaches the arena through
// it. All clients share the proxy's connections.
func reverseProxy(t *testing.T, c *server.Client) (front func(client string) *server.Client) {
	t.Helper()
	target, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header.Set("X-Forwarded-For", r.In.Header.Get(clientHeader))
	}}
	return func(client string) *server.Client {
		door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set(clientHeader, client)
			proxy.ServeHTTP(w, r)
		}))
		t.Cleanup(door.Close)
		return &server.Client{URL: door.URL, Token: c.Token}
	}
}

// playThrough connects a bot that plays the first legal move until the test ends, and waits until it is admitted.
func playThrough(t *testing.T, c *server.Client, name, token string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	welcomed, ended := make(chan string, 1), make(chan error, 1)
	bot := protocol.Client{
		URL:   "ws" + strings.TrimPrefix(c.URL, "http") + "/bot",
		Hello: protocol.Hello{Name: name, Token: token, Slots: 2},
		New:   func(protocol.Start) (players.Player, error) { return legalMove{}, nil },

		Welcomed: func(string) { welcomed <- name },
	}
	go func() { ended <- bot.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	<-welcomed
}

// legalMove plays the first legal move.
type legalMove struct{}

func (legalMove) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

// One client behind a reverse proxy uses up its own room only: others behind the same proxy play on, and come in.
func TestStrangerBehindAProxyTakesNoRoomOfOthers(t *testing.T) {
	store := newStore()
	for i := range 64 {
		store.tokens[fmt.Sprint("botmallory", i)] = "mallory's"
	}
	store.tokens["operatorolga"] = "olga's"
	store.tokens["botann"], store.tokens["botbob"], store.tokens["botcarol"] = "ann's", "bob's", "carol's"
	direct := serve(t, store, func(config *server.Config) {
		config.BehindProxy = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
		config.Connections = gate.DefaultLimits()
		config.Connections.Total, config.Connections.PerAddress = 64, 4
	})
	front := reverseProxy(t, direct)
	playThrough(t, front("203.0.113.1"), "ann", "ann's")
	playThrough(t, front("203.0.113.2"), "bob", "bob's")
	event, err := direct.Start(t.Context(), tournament.Event{
		Bots: []string{"ann", "bob"}, Size: rules.Size{Width: 3, Height: 3}, Matches: 60, Concurrency: 2,
	})
	if err != nil {
		t.Fatal(err)
	}

	hostile := front("203.0.113.9")
	if n := connectMany(t, hostile, 64); n != 4 {
		t.Errorf("%d bots of one client are connected, want 4", n)
	}
	statuses := map[int]int{}
	for range 300 {
		statuses[look(t, hostile)]++
	}
	hasty := front("203.0.113.10")
	hasty.Token = "olga's"
	began := time.Now()
	for range 300 {
		statuses[look(t, hasty)]++
	}
	allowed := 66 + int(20*time.Since(began).Seconds()) // 64 at once, and 20 a second
	if statuses[http.StatusServiceUnavailable] != 300 || statuses[http.StatusTooManyRequests] < 300-allowed || statuses[http.StatusOK] == 0 {
		t.Errorf("300 requests without room and 300 at once were answered with %v", statuses)
	}
	if _, first := hello(t, front("203.0.113.3"), "carol", "carol's", nil); first["type"] != "welcome" {
		t.Errorf("another client is answered %v", first)
	}
	if last := ended(t, direct, event); last.State != server.Finished || last.Faults != nil {
		t.Errorf("the event is %s with faults %+v: %s", last.State, last.Faults, last.Message)
	}
}

// connectMany tries to connect that many bots, and returns how many were welcomed.
func connectMany(t *testing.T, c *server.Client, n int) (welcomed int) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	for i := range n {
		ws, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(c.URL, "http")+"/bot", nil)
		if err != nil {
			if response == nil || response.StatusCode != http.StatusServiceUnavailable && response.StatusCode != http.StatusTooManyRequests {
				t.Fatalf("%v: %+v", err, response)
			}
			continue
		}
		t.Cleanup(func() { ws.Close() })
		first := map[string]any{}
		if err := ws.WriteJSON(map[string]any{"type": "hello", "name": fmt.Sprint("mallory", i), "token": "mallory's"}); err != nil {
			t.Fatal(err)
		}
		if err := ws.ReadJSON(&first); err != nil {
			t.Fatal(err)
		}
		if first["type"] == "welcome" {
			welcomed++
			go func() { // it answers pings
				for {
					if _, _, err := ws.ReadMessage(); err != nil {
						return
					}
				}
			}()
		}
	}
	return welcomed
}

// look asks for the connected bots and returns the status of the answer.
func look(t *testing.T, c *server.Client) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+"/api/bots", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}
