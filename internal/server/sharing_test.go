package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// wireBot is a bot that counts its games as the messages say, one after the other.
type wireBot struct {
	t      *testing.T
	name   string
	slots  int
	silent bool          // it answers no request
	dead   chan struct{} // it stands still, and answers no ping, from the first request until this is closed; nil for never
	wrong  bool          // its moves are wrong
	last   func()        // called before it sends a move that ends a game; may be nil
	socket *websocket.Conn
	done   chan struct{} // closed when its connection has ended

	mu     sync.Mutex
	starts map[string]protocol.Start // of the games in progress
	most   int                       // games at once
}

// connectWire connects a bot that plays the first move that it can.
func connectWire(t *testing.T, c *server.Client, b *wireBot, fields map[string]any) *wireBot {
	t.Helper()
	socket, answer := knock(t, c, b, fields)
	if answer["type"] != "welcome" {
		t.Fatalf("bot %q gets %v", b.name, answer)
	}
	return b.plays(t, socket)
}

// reconnectWire connects a bot again after the end of its last connection. As a client does, it tries again until the
// arena has noticed that end.
func reconnectWire(t *testing.T, c *server.Client, b *wireBot, fields map[string]any) *wireBot {
	t.Helper()
	for {
		socket, answer := knock(t, c, b, fields)
		if answer["type"] == "welcome" {
			return b.plays(t, socket)
		}
		_ = socket.Close()
		if answer["code"] != "name_in_use" {
			t.Fatalf("bot %q gets %v", b.name, answer)
		}
	}
}

// knock sends a bot's hello on a new connection and returns the answer.
func knock(t *testing.T, c *server.Client, b *wireBot, fields map[string]any) (*websocket.Conn, map[string]any) {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	socket, _, err := dialer.Dial("ws"+strings.TrimPrefix(c.URL, "http")+"/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	hello := map[string]any{"type": "hello", "name": b.name, "slots": b.slots}
	for key, value := range fields {
		hello[key] = value
	}
	answer := map[string]any{}
	if err := socket.WriteJSON(hello); err != nil {
		t.Fatal(err)
	}
	if err := socket.ReadJSON(&answer); err != nil {
		t.Fatalf("bot %q gets no answer: %v", b.name, err)
	}
	return socket, answer
}

// plays lets a bot that was welcomed play until the test ends.
func (b *wireBot) plays(t *testing.T, socket *websocket.Conn) *wireBot {
	b.t, b.socket, b.done, b.starts = t, socket, make(chan struct{}), map[string]protocol.Start{}
	go b.play()
	t.Cleanup(b.disconnect)
	return b
}

// disconnect ends the connection without a word.
func (b *wireBot) disconnect() {
	_ = b.socket.Close()
	<-b.done
}

// play answers until the connection ends.
func (b *wireBot) play() {
	defer close(b.done)
	for {
		_, frame, err := b.socket.ReadMessage()
		if err != nil {
			return
		}
		var kind struct{ Type, Game string }
		if err := json.Unmarshal(frame, &kind); err != nil {
			b.t.Error(err)
			return
		}
		switch kind.Type {
		case "start":
			b.begin(frame)
		case "request":
			b.answer(frame)
		case "over":
			b.mu.Lock()
			delete(b.starts, kind.Game)
			b.mu.Unlock()
		}
	}
}

func (b *wireBot) begin(frame []byte) {
	var start protocol.Start
	if err := json.Unmarshal(frame, &start); err != nil {
		b.t.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.starts[start.Game] = start
	b.most = max(b.most, len(b.starts))
}

func (b *wireBot) answer(frame []byte) {
	var ask protocol.Request
	if err := json.Unmarshal(frame, &ask); err != nil {
		b.t.Error(err)
		return
	}
	b.mu.Lock()
	start := b.starts[ask.Game]
	b.mu.Unlock()
	p, err := rules.PositionFrom(start.Rules, ask.Board, start.Role, ask.Score, ask.Ply)
	if err != nil {
		b.t.Error(err)
		return
	}
	if b.silent {
		return
	}
	if b.dead != nil {
		<-b.dead
	}
	first := p.AppendMoves(nil)[0]
	if next, err := p.Play(first); err == nil && next.Over() && b.last != nil {
		b.last()
	}
	move := first.String()
	if b.wrong {
		move = "wrong"
	}
	_ = b.socket.WriteJSON(map[string]any{"type": "move", "game": ask.Game, "ply": ask.Ply, "move": move})
}

// between returns an event of bots that connect by themselves.
func between(name string, matches int, bots ...string) tournament.Event {
	return tournament.Event{Name: name, Bots: bots, Size: rules.Size{Width: 2, Height: 2}, Matches: matches, Concurrency: 8}
}

func startAll(t *testing.T, c *server.Client, events ...tournament.Event) (ids []int64) {
	t.Helper()
	for _, e := range events {
		id, err := c.Start(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// Bots play in several events at once, with as many games in all as they offer, and all events end.
func TestBotPlaysInSeveralEvents(t *testing.T) {
	c := serve(t, newStore(), nil)
	bots := []*wireBot{{name: "ann", slots: 1}, {name: "bob", slots: 2}, {name: "cyd", slots: 3}}
	for _, b := range bots {
		connectWire(t, c, b, nil)
	}
	ids := startAll(
		t, c, between("one", 3, "ann", "bob"), between("two", 3, "bob", "cyd"),
		between("three", 2, "cyd", "ann"), between("four", 2, "ann", "bob", "cyd"),
	)
	for _, id := range ids {
		if last := ended(t, c, id); last.State != server.Finished || last.Faults != nil {
			t.Errorf("event %d is %s: %s, faults %+v", id, last.State, last.Message, last.Faults)
		}
	}
	for _, b := range bots {
		if b.most > b.slots {
			t.Errorf("%s offers %d games at once and has had %d", b.name, b.slots, b.most)
		}
	}
}

// The list of bots names all events of a bot, and a bot that is left by one event plays on in the other.
func TestEventsOfABot(t *testing.T) {
	c := serve(t, newStore(), nil)
	connectWire(t, c, &wireBot{name: "ann", slots: 2, silent: true}, nil)
	connectWire(t, c, &wireBot{name: "bob", slots: 2, silent: true}, nil)
	ids := startAll(t, c, between("one", 1, "ann", "bob"), between("two", 1, "ann", "bob"))
	awaitPlaying(t, c, "ann", ids)
	if err := c.Stop(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	awaitPlaying(t, c, "ann", ids[1:])
	until(t, c, ids[1], func(p server.Progress) bool { return p.Playing > 0 })
	if err := c.Stop(t.Context(), ids[1]); err != nil {
		t.Fatal(err)
	}
	awaitPlaying(t, c, "ann", nil)
}

// awaitPlaying waits until a bot plays in these events and no others.
func awaitPlaying(t *testing.T, c *server.Client, name string, want []int64) {
	t.Helper()
	for {
		bots, err := c.Bots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(bots, func(b server.BotInfo) bool { return b.Name == name })
		if i >= 0 && slices.Equal(bots[i].Events, want) && (len(want) == 0) == (bots[i].Event == 0) {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("the bots are %+v, want %s in %v", bots, name, want)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// A bot leaves all its events when its token is revoked.
func TestRevokedBotLosesInAllEvents(t *testing.T) {
	t.Parallel()
	store := newStore()
	store.tokens["botann"] = "ann's own"
	c := serve(t, store, func(config *server.Config) { config.Grace = 50 * time.Millisecond })
	connectWire(t, c, &wireBot{name: "ann", slots: 4, silent: true}, map[string]any{"token": "ann's own"})
	connectWire(t, c, &wireBot{name: "bob", slots: 4}, nil)
	ids := startAll(t, c, between("one", 1, "ann", "bob"), between("two", 1, "bob", "ann"))
	for _, id := range ids {
		until(t, c, id, func(p server.Progress) bool { return p.Playing > 0 })
	}
	store.revoke(server.BotRole, "ann")
	for _, id := range ids {
		if last := ended(t, c, id); last.State != server.Finished || last.Faults == nil || last.Faults.Games != 2 {
			t.Errorf("event %d is %s with the faults %+v", id, last.State, last.Faults)
		}
	}
}

// A bot that plays in an event is not asked about positions, however many slots are free. Any other bot with a free
// slot is.
func TestBotsOfEventsAreNotAskedAboutPositions(t *testing.T) {
	c, arena := serveArena(t, newStore(), nil)
	connectWire(t, c, &wireBot{name: "ann", slots: 9}, nil)
	connectWire(t, c, &wireBot{name: "bob", slots: 9, silent: true}, nil)
	ask := func() error {
		request := httptest.NewRequest(http.MethodPost, "/api/hint", nil)
		request.RemoteAddr = "127.0.0.1:1"
		p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
		_, _, err := arena.Hint(request, "ann", p)
		return err
	}
	challenge := func(start string) error {
		request := httptest.NewRequest(http.MethodPost, "/api/play", nil)
		request.RemoteAddr = "127.0.0.1:1"
		_, err := arena.Challenge(request, server.Challenge{Opponent: "ann", Size: rules.Size{Width: 2, Height: 2}, Start: start})
		return err
	}
	if err := ask(); err != nil {
		t.Errorf("a free bot: %v", err)
	}
	id := startAll(t, c, between("one", 1, "ann", "bob"))[0]
	until(t, c, id, func(p server.Progress) bool { return p.Playing > 0 })
	for name, err := range map[string]error{"a hint": ask(), "a position": challenge("2,0/0,2 D 0 1")} {
		if err == nil || !strings.Contains(err.Error(), "not asked about positions") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := challenge(""); err != nil {
		t.Errorf("a game from the beginning: %v", err)
	}
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}
