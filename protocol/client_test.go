package protocol_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// client returns a client that uses player in all games.
func client(url string, player players.Player) *protocol.Client {
	return &protocol.Client{
		URL:       url,
		Hello:     protocol.Hello{Name: "bot", Slots: 8},
		New:       func(protocol.Start) (players.Player, error) { return player, nil },
		Margin:    50 * time.Millisecond,
		Reconnect: time.Minute,
	}
}

// run runs a client in the background and returns a channel with its error.
func run(ctx context.Context, c *protocol.Client) <-chan error {
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	return done
}

// Several games run at once over one socket. The moves are the same as in one process.
func TestClientPlays(t *testing.T) {
	spec, err := players.Parse("greedy")
	if err != nil {
		t.Fatal(err)
	}
	a := newArena()
	c := client(a.listen(t), nil)
	c.New = func(s protocol.Start) (players.Player, error) { return spec.New(players.Game{Seed: s.Seed}), nil }
	finished := run(t.Context(), c)
	a.waitForBot(t)
	var games sync.WaitGroup
	for i, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 2, Height: 4}, rules.Full} {
		games.Go(func() {
			p, number := rules.NewPosition(rules.GPCC2016, size), string(rune('A'+i))
			attacker := a.session.StartGame(protocol.Start{Game: number, Role: rules.Attacker, Seed: 1}, p)
			defender := a.session.StartGame(protocol.Start{Game: number + "'", Role: rules.Defender, Seed: 2}, p)
			got := play(t, p, attacker, defender)
			if want := play(t, p, spec.New(players.Game{Seed: 1}), spec.New(players.Game{Seed: 2})); !slices.Equal(got, want) {
				t.Errorf("on %v over the socket\n%v, in this process\n%v", size, got, want)
			}
			attacker.Over(protocol.Over{Ending: record.Mate})
			defender.Over(protocol.Over{Ending: record.Mate})
		})
	}
	games.Wait()
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("after goodbye: %v", err)
	}
}

// play plays a game and passes its moves to both seats.
func play(t *testing.T, p rules.Position, attacker, defender players.Player) (moves []rules.Move) {
	sides := [2]players.Player{rules.Attacker: attacker, rules.Defender: defender}
	for !p.Over() {
		m, err := sides[p.SideToMove()].Choose(t.Context(), p)
		if err != nil {
			t.Errorf("at ply %d: %v", p.Ply(), err)
			return moves
		}
		moves, p = append(moves, m), p.Next(m)
		for _, side := range sides {
			if seat, ok := side.(*protocol.Seat); ok {
				seat.Played(m)
			}
		}
	}
	return moves
}

func TestClientInterrupted(t *testing.T) {
	a, player := newArena(), newThinker()
	ctx, cancel := context.WithCancel(t.Context())
	finished := run(ctx, client(a.listen(t), player))
	a.waitForBot(t)
	p := position(t, "2,0/0,2 D 0 1")
	done := choose(t.Context(), a.startGame("1", p), p)
	<-player.asked
	cancel()
	if err := <-finished; !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
	wantError(t, done, players.ErrGone)
	if err := <-a.ended; !strings.Contains(err.Error(), "goodbye") {
		t.Errorf("the connection ended with %v, want a goodbye", err)
	}
}

// A bot may be started before its arena.
func TestClientStartedBeforeArena(t *testing.T) {
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	tried := make(chan struct{}, 100)
	c := client("ws://"+address, nil)
	c.Log = logTo(func(message string) {
		if strings.HasPrefix(message, "no arena") {
			tried <- struct{}{}
		}
	})
	finished := run(t.Context(), c)
	<-tried
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	a := newArena()
	server := &http.Server{Handler: a}
	t.Cleanup(func() { server.Close() })
	go server.Serve(listener) // until closed
	a.waitForBot(t)
	if !a.session.Goodbye("that's all", false) {
		t.Error("Goodbye says that the bot was not connected")
	}
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v, want nil after a goodbye", err)
	}
	<-a.ended
	if a.session.Goodbye("once more", false) {
		t.Error("Goodbye says that a bot was connected which has left")
	}
}

// logTo returns a logger that passes each message to receive.
func logTo(receive func(message string)) *slog.Logger { return slog.New(logHandler(receive)) }

type logHandler func(string)

func (logHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h logHandler) Handle(_ context.Context, r slog.Record) error {
	h(r.Message)
	return nil
}

func (h logHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h logHandler) WithGroup(string) slog.Handler      { return h }

func TestClientArenaUnreachable(t *testing.T) {
	server := httptest.NewServer(newArena())
	url := "ws" + strings.TrimPrefix(server.URL, "http")
	server.Close()
	c := client(url, nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), url) {
		t.Errorf("Run returned %v, want an error that names %s", err, url)
	}
}

// The client tries an address of bots again, since the arena may still be starting. It gives up any other address at
// once.
func TestClientAtAnotherAddress(t *testing.T) {
	for path, code := range map[string]int{"": http.StatusOK, "/": http.StatusOK, "/robots": http.StatusNotFound} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		t.Cleanup(server.Close)
		err := client("ws"+strings.TrimPrefix(server.URL, "http")+path, nil).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "the address of bots ends in /bot") {
			t.Errorf("%q: Run returned %v, want what the address is like", path, err)
		}
	}
	a := newArena()
	var tries atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries.Add(1) == 1 {
			http.NotFound(w, r)
			return
		}
		a.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	a.refuse <- protocol.BadToken
	err := client("ws"+strings.TrimPrefix(server.URL, "http")+"/bot", nil).Run(t.Context())
	if refused := new(protocol.RefusedError); !errors.As(err, &refused) {
		t.Errorf("Run returned %v, want the refusal of the second try", err)
	}
}

func TestClientRefused(t *testing.T) {
	a := newArena()
	url := a.listen(t)
	for code, change := range map[protocol.Code]func(*protocol.Client){
		protocol.NameAlike: func(*protocol.Client) {},
		protocol.NameInUse: func(c *protocol.Client) { c.OtherNames = true },
		protocol.Busy:      func(c *protocol.Client) { c.Reconnect = 0 },
	} {
		a.refuse <- code
		c := client(url, nil)
		change(c)
		err := c.Run(t.Context())
		var refused *protocol.RefusedError
		if !errors.As(err, &refused) || refused.Code != code || refused.Message != "the test wants it" {
			t.Errorf("Run returned %v, want the refusal", err)
		}
	}
}

// A bot that was killed and started again may connect before the arena has noticed the loss.
func TestClientWaitsForItsName(t *testing.T) {
	a := newArena()
	a.refuse <- protocol.NameInUse
	a.refuse <- protocol.NameInUse
	finished := run(t.Context(), client(a.listen(t), nil))
	a.waitForBot(t)
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v", err)
	}
}

// After a loss the arena may take the client for a second bot for a while.
func TestClientRefusedAfterLoss(t *testing.T) {
	a, player, _, done := thinkingClient(t)
	a.refuse <- protocol.NameInUse
	a.refuse <- protocol.NameInUse
	a.cut <- struct{}{}
	<-a.ended
	player.move <- rules.South
	wantMove(t, done, rules.South)
	if len(a.refuse) > 0 {
		t.Error("the client did not try again after a refusal")
	}
}

func TestClientRefusedForGood(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.waitForBot(t)
	a.refuse <- protocol.BadToken
	a.cut <- struct{}{}
	err := <-finished
	if refused := new(protocol.RefusedError); !errors.As(err, &refused) || refused.Code != protocol.BadToken {
		t.Errorf("Run returned %v, want the refusal", err)
	}
}

func TestClientReconnectsAfterGoodbye(t *testing.T) {
	a := newArena()
	finished := run(t.Context(), client(a.listen(t), nil))
	a.waitForBot(t)
	a.session.Goodbye("a new version", true)
	for errors.Is(<-a.ended, protocol.ErrNameInUse) { // it was back before the arena had noticed that it left
	}
	a.waitForBot(t)
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v", err)
	}
}

func TestClientIgnoresUnknownMessages(t *testing.T) {
	weather := `{"type":"weather","sky":"grey"}`
	url, ended := scriptedArena(t, welcome, weather, weather, weather, weather, `{"type":"goodbye"}`)
	if err := client(url, nil).Run(t.Context()); err != nil {
		t.Errorf("Run returned %v", err)
	}
	if err := <-ended; !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("the client left with %v, want a normal close", err)
	}
}

// A client that speaks TLS to an arena without TLS says so.
func TestClientWithoutTLS(t *testing.T) {
	url := newArena().listen(t)
	c := client("wss"+strings.TrimPrefix(url, "ws"), nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "; if the arena speaks no TLS, use ws://") {
		t.Errorf("Run returned %v", err)
	}
}

func TestClientLeavesAfterMalformedMessages(t *testing.T) {
	url, ended := scriptedArena(t, welcome, `{"type":"request"}`, `{"type":"request"}`, `{"type":"request"}`)
	c := client(url, nil)
	c.Reconnect = 0
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "three strikes") {
		t.Errorf("Run returned %v", err)
	}
	if err := <-ended; !websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
		t.Errorf("the client left with %v, want a policy violation", err)
	}
}

// scriptedArena sends the given lines and ignores the bot's messages.
func scriptedArena(t *testing.T, lines ...string) (url string, ended <-chan error) {
	t.Helper()
	done := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{Subprotocols: []string{protocol.Subprotocol}}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			done <- err
			return
		}
		defer ws.Close()
		for _, line := range lines {
			_ = ws.WriteMessage(websocket.TextMessage, []byte(line)) // fails if the client has left
		}
		for err == nil {
			_, _, err = ws.ReadMessage()
		}
		done <- err
	}))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http"), done
}

const welcome = `{"type":"welcome","name":"bot","ping_ms":5000,"grace_ms":1,"max_frame_bytes":65536,"games":[],"motto":"hi"}`
