package main

import (
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// rawBot is a bot without our client: it reads and writes frames.
type rawBot struct {
	*websocket.Conn
	t *testing.T
}

// dial connects and says hello.
func dial(t *testing.T, url, name, token string) *rawBot {
	t.Helper()
	dialer := websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}
	ws, _, err := dialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	b := &rawBot{ws, t}
	b.send(map[string]any{"type": "hello", "name": name, "token": token, "slots": 2})
	return b
}

// send writes a message. It does not matter if the connection is closed already.
func (b *rawBot) send(message any) { _ = b.WriteJSON(message) }

// next reads messages until one has the type. It returns nil at the end of the
// connection.
func (b *rawBot) next(kind string) map[string]any {
	for {
		var m map[string]any
		if b.ReadJSON(&m) != nil {
			return nil
		}
		if m["type"] == kind {
			return m
		}
	}
}

// answer answers a request with the first legal move.
func (b *rawBot) answer(request map[string]any) {
	b.send(map[string]any{"type": "move", "game": request["game"], "ply": request["ply"], "move": legalMove(b.t, request)})
}

// legalMove returns the first legal move of the position in a request.
func legalMove(t *testing.T, request map[string]any) string {
	var tiles [][]int
	for _, row := range request["board"].([]any) {
		var cells []int
		for _, tile := range row.([]any) {
			cells = append(cells, int(tile.(float64)))
		}
		tiles = append(tiles, cells)
	}
	ply := int(request["ply"].(float64))
	p, err := rules.PositionFrom(rules.GPCC2015, tiles, rules.Side(ply%2), int(request["score"].(float64)), ply)
	if err != nil {
		t.Error(err) // not t.Fatal: bots have goroutines of their own
		return ""
	}
	return p.AppendMoves(nil)[0].String()
}

// from answers correctly before the ply. From there on it calls bad for each request.
func (b *rawBot) from(ply int, bad func(b *rawBot, request map[string]any)) {
	for r := b.next("request"); r != nil; r = b.next("request") {
		if int(r["ply"].(float64)) < ply {
			b.answer(r)
		} else {
			bad(b, r)
		}
	}
}

// with sends the correct answer with a field changed.
func with(b *rawBot, request map[string]any, field string, value any) {
	m := map[string]any{"type": "move", "game": request["game"], "ply": request["ply"], "move": legalMove(b.t, request)}
	m[field] = value
	b.send(m)
}

// faultyTurn is the time for a move in games of bots that let it pass: more than good bots need on a loaded machine.
// shortGrace is for bots that go and stay away.
const (
	faultyTurn = 5 * time.Second
	shortGrace = 300 * time.Millisecond
)

const tooLate = "no answer within 5s"

func TestFaultyBots(t *testing.T) {
	testkit.Long(t)
	for name, tc := range map[string]struct {
		bad    func(b *rawBot, request map[string]any)
		ending record.Ending
		detail string
	}{
		"illegal move":        {func(b *rawBot, r map[string]any) { with(b, r, "move", "(4,4,4)") }, record.IllegalMove, "illegal move (4,4,4)"},
		"no move at all":      {func(b *rawBot, r map[string]any) { with(b, r, "move", "up") }, record.IllegalMove, `"up"`},
		"never answers":       {func(*rawBot, map[string]any) {}, record.Time, tooLate},
		"another game":        {func(b *rawBot, r map[string]any) { with(b, r, "game", "4711") }, record.Time, "4711"},
		"another ply":         {func(b *rawBot, r map[string]any) { with(b, r, "ply", 99) }, record.Time, "ply 99"},
		"junk":                {func(b *rawBot, _ map[string]any) { b.junk(3) }, record.Disconnect, "gone"},
		"a little junk":       {func(b *rawBot, r map[string]any) { b.junk(1) }, record.Time, "no JSON"},
		"a frame of 100 MB":   {func(b *rawBot, _ map[string]any) { b.flood(100 << 20) }, record.Disconnect, "gone"},
		"a binary frame":      {func(b *rawBot, _ map[string]any) { _ = b.WriteMessage(websocket.BinaryMessage, []byte{1}) }, record.Time, "binary"},
		"drops the line":      {func(b *rawBot, _ map[string]any) { b.Close() }, record.Disconnect, "gone"},
		"says goodbye":        {func(b *rawBot, _ map[string]any) { b.send(map[string]any{"type": "goodbye"}) }, record.Disconnect, "gone"},
		"answers late":        {answerLate, record.Time, tooLate},
		"an unknown message":  {func(b *rawBot, _ map[string]any) { b.send(map[string]any{"type": "resign"}) }, record.Time, "resign"},
		"connects twice":      {connectTwice, record.Mate, ""},
		"wrong token besides": {wrongToken, record.Mate, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			grace, clock := 30*time.Second, tournament.Clock{PerMove: time.Minute}
			switch tc.ending { // only the bad bot's limit is short: on a loaded machine the others might lose by it
			case record.Disconnect:
				grace = shortGrace
			case record.Time: // and some go then
				grace, clock.PerMove = shortGrace, faultyTurn
			}
			h := serveHere(t, func(c *server.Config) { c.Grace = grace })
			bad := dial(t, h.BotURL(), "bad", "")
			go bad.from(6, tc.bad)
			h.clientBot(t, "good", "random")
			h.await(t, 2)
			last := h.play(t, []string{"bad", "good", "own=greedy"}, clock)
			if last.State != server.Finished || last.Done != 6 {
				t.Fatalf("the event is %s after %d games: %s", last.State, last.Done, last.Message)
			}
			faults := 0
			for key, r := range h.games(t, last.Event) {
				bystander := r.Attacker != "bad" && r.Defender != "bad"
				if winner, fault := r.Winner(); fault && (bystander || winner == sideOf(r, "bad")) {
					t.Errorf("match %d: a fault of %s: %s", key.match, r.Ending, r.Detail)
				}
				if r.Ending == tc.ending && strings.Contains(r.Detail, tc.detail) {
					faults++
				} else if tc.ending == record.Mate {
					t.Errorf("match %d ended by %s: %s", key.match, r.Ending, r.Detail)
				}
			}
			if faults == 0 {
				t.Errorf("no game is on record with %s and %q", tc.ending, tc.detail)
			}
			h.verify(t, last.Event, 6)
		})
	}
}

func sideOf(r record.Record, name string) rules.Side {
	if r.Attacker == name {
		return rules.Attacker
	}
	return rules.Defender
}

// junk sends n frames that are not messages.
func (b *rawBot) junk(n int) {
	for range n {
		_ = b.WriteMessage(websocket.TextMessage, []byte(`{"type": "move", oops`))
	}
}

// flood sends a text frame of that size in bytes, or as much of it as is accepted.
func (b *rawBot) flood(size int) {
	w, err := b.NextWriter(websocket.TextMessage)
	for part := make([]byte, 1<<16); err == nil && size > 0; size -= len(part) {
		_, err = w.Write(part)
	}
}

// answerLate answers a request once its game is over.
func answerLate(b *rawBot, request map[string]any) {
	for over := b.next("over"); over != nil && over["game"] != request["game"]; over = b.next("over") {
	}
	b.answer(request)
}

// connectTwice tries to take the bot's name a second time, and plays on.
func connectTwice(b *rawBot, request map[string]any) {
	url := "ws://" + b.RemoteAddr().String() + "/bot"
	if refusal := dial(b.t, url, "bad", "").next("refusal"); refusal == nil || refusal["code"] != "name_in_use" {
		b.t.Errorf("the second connection gets %v", refusal)
	}
	b.answer(request)
}

// wrongToken connects another bot with a token that was never made, and plays on.
func wrongToken(b *rawBot, request map[string]any) {
	url := "ws://" + b.RemoteAddr().String() + "/bot"
	if refusal := dial(b.t, url, "liar", "made up").next("refusal"); refusal == nil || refusal["code"] != "bad_token" {
		b.t.Errorf("the wrong token gets %v", refusal)
	}
	b.answer(request)
}

// clientBot starts the process of one of our bots.
func (h *host) clientBot(t *testing.T, name, spec string) {
	h.bot(t, name, spec, "--quiet", "--margin", "100ms", "--reconnect", "1s")
}

// play plays one match of each pair on a small board.
func (h *host) play(t *testing.T, bots []string, clock tournament.Clock) server.Progress {
	t.Helper()
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: bots, Matches: 1, Concurrency: 2, Size: rules.Size{Width: 3, Height: 3}, Clock: clock, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// under plays an event of a raw bot, "bad", and a bot of our client, "good", over
// sockets. It returns the event's games and standings.
func under(t *testing.T, matches int, settings tournament.Settings, bad func(*rawBot)) (map[gameName]record.Record, map[string]report.Standing) {
	t.Helper()
	h := serveHere(t, func(c *server.Config) { c.Grace = 30 * time.Second })
	bot := dial(t, h.BotURL(), "bad", "")
	go bad(bot)
	h.clientBot(t, "good", "random")
	h.await(t, 2)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"bad", "good"}, Matches: matches, Concurrency: 1, Size: rules.Size{Width: 3, Height: 3},
		Clock: tournament.Clock{PerMove: time.Minute}, Settings: settings,
	})
	if err != nil {
		t.Fatal(err)
	}
	last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
	if err != nil || last.State != server.Finished {
		t.Fatalf("the event is %s: %s, %v", last.State, last.Message, err)
	}
	h.verify(t, event, last.Done)
	table, err := h.client.Crosstable(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	standings := map[string]report.Standing{}
	for _, s := range table.Standings {
		standings[s.Name] = s
	}
	return h.games(t, event), standings
}

// The games begin with the defender's slide, and the start message has all settings.
func TestOpeningsAndResigningOverSockets(t *testing.T) {
	t.Parallel()
	const opening = "0,0,0/0,2,0/2,0,0 D 0 3"
	want := tournament.Settings{
		Openings:     tournament.Openings{Starts: []string{opening}},
		Budget:       players.Effort{Playouts: 17},
		Adjudication: tournament.Adjudication{MaxTurns: 50, MaxTile: 512, Resign: true},
	}
	starts := make(chan map[string]any, 2)
	games, standings := under(t, 1, want, func(b *rawBot) {
		for range 2 {
			start := b.next("start")
			starts <- start
			for r := b.next("request"); r != nil; r = b.next("request") {
				if r["ply"].(float64) >= 9 {
					b.send(map[string]any{"type": "resign", "game": r["game"], "ply": r["ply"]})
					break
				}
				b.answer(r)
			}
		}
	})
	for range 2 {
		start := <-starts
		budget, _ := start["budget"].(map[string]any)
		if start["ply"] != 3.0 || start["resumed"] != false || start["resign"] != true || start["max_turns"] != 50.0 || start["max_tile"] != 512.0 || budget["playouts"] != 17.0 {
			t.Errorf("the bot is told %v", start)
		}
	}
	for name, r := range games {
		winner, lost := r.Winner()
		if r.Start.String() != opening || r.Ending != record.Resigned || !lost || winner == sideOf(r, "bad") {
			t.Errorf("%v: from %v, %s, won by %v", name, r.Start, r.Ending, winner)
		}
	}
	if len(games) != 2 || standings["good"].Points != 1 {
		t.Errorf("%d games, standings %+v", len(games), standings)
	}
}

// A bot that keeps failing is set aside, and the event continues to its end.
func TestStrikesOverSockets(t *testing.T) {
	t.Parallel()
	strikes := tournament.Settings{Strikes: tournament.Strikes{Faults: 3}}
	games, standings := under(t, 20, strikes, func(b *rawBot) {
		b.from(4, func(b *rawBot, r map[string]any) { with(b, r, "move", "up") })
	})
	if len(games) != 4 {
		t.Errorf("%d games are played, want the 4 up to the third fault", len(games))
	}
	if s := standings["bad"]; s.SetAside != 2 || s.Points != 0 || s.Played != 20 || standings["good"].Points != 20 {
		t.Errorf("standings %+v", standings)
	}
}
