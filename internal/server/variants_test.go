package server_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/rules"
	"versus2048/tournament"
)

var (
	tinyBoard    = rules.Size{Width: 2, Height: 2}
	onlyFull     = map[string]any{"plays": map[string]any{"size": []string{"4x4"}, "color": []string{"red"}}}
	onlyDefender = map[string]any{"plays": map[string]any{"role": []string{"defender"}}}
)

const refusesTiny = `bot "ann": it plays only size=4x4, and is asked for rules=gpcc2015 size=2x2 role=attacker,defender`

// meeting returns an event of connected bots on the smallest board.
func meeting(bots ...string) tournament.Event {
	return tournament.Event{Size: tinyBoard, Matches: 1, Concurrency: 1, Bots: bots, InProcess: true}
}

// An event does not begin with a bot that says that it does not play such games, and no bot joins one.
func TestBotsThatPlaySomeGames(t *testing.T) {
	c := serve(t, newStore(), nil)
	connectWire(t, c, &wireBot{name: "ann", slots: 4}, onlyFull)
	connectWire(t, c, &wireBot{name: "bob", slots: 4}, onlyDefender)
	_, err := c.Start(t.Context(), meeting("ann", "random"))
	refused(t, err, refusesTiny)
	_, err = c.Start(t.Context(), meeting("bob", "random"))
	refused(t, err, `bot "bob": it plays only role=defender, and is asked for rules=gpcc2015 size=2x2 role=attacker,defender`)
	if events, err := c.Events(t.Context()); err != nil || len(events) > 0 {
		t.Errorf("%d events are recorded, error %v", len(events), err)
	}
	full, solo := meeting("ann", "random"), meeting("bob", "random")
	full.Size, full.Settings.Adjudication.MaxTurns, solo.Rules = rules.Full, 3, rules.Solo
	for _, id := range startAll(t, c, full, solo) {
		if last := ended(t, c, id); last.State != server.Finished || last.Faults != nil {
			t.Errorf("%+v", last)
		}
	}
	ladder := meeting("random", "greedy")
	ladder.Matches, ladder.Settings.Plan.Kind = 0, tournament.Ladder
	id := startAll(t, c, ladder)[0]
	until(t, c, id, func(p server.Progress) bool { return p.Played > 0 })
	refused(t, c.Join(t.Context(), id, "ann"), refusesTiny)
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	bots, err := c.Bots(t.Context())
	if err != nil || bots[0].Plays.String() != "size=4x4" || bots[1].Plays.String() != "role=defender" {
		t.Errorf("%+v, %v", bots, err)
	}
}

// A bot that is away when an event is resumed may come back as one that does not play such games: then the event fails.
func TestResumedWithAnotherVersion(t *testing.T) {
	c, arena := serveArena(t, newStore(), nil)
	ann := connectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
	long := meeting("ann", "random")
	long.Matches = 1_000_000
	id := startAll(t, c, long)[0]
	until(t, c, id, func(p server.Progress) bool { return p.Played > 0 })
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	ann.disconnect()
	for seen, _ := arena.Seen("ann"); seen.Connected && t.Context().Err() == nil; seen, _ = arena.Seen("ann") {
		runtime.Gosched()
	}
	if err := c.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	reconnectWire(t, c, &wireBot{name: "ann", slots: 1}, onlyFull)
	if last := ended(t, c, id); last.State != server.Failed || last.Message != refusesTiny {
		t.Errorf("%+v", last)
	}
}

// An event in the queue waits for a version of its bot that plays such games, and its queue says so.
func TestQueueWaitsForAnotherVersion(t *testing.T) {
	t.Parallel()
	c := serveAgenda(t, newDatabase(t), nil)
	ann := connectWire(t, c, &wireBot{name: "ann", slots: 1}, onlyFull)
	id, err := c.Book(t.Context(), server.Booking{Event: meeting("ann", "random")})
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, id, func(p server.Progress) bool { return p.Queue != nil && p.Queue.Other == refusesTiny })
	ann.disconnect()
	reconnectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
	if last := ended(t, c, id); last.State != server.Finished || last.Faults != nil {
		t.Errorf("%+v", last)
	}
}

// An open ladder goes on without the bots that do not play such games, also when they come back as such.
func TestOpenLadderOfSomeGames(t *testing.T) {
	t.Parallel()
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Grace = time.Minute })
	connectWire(t, c, &wireBot{name: "ann", slots: 1}, onlyFull)
	connectWire(t, c, &wireBot{name: "bob", slots: 1}, nil)
	cyd := connectWire(t, c, &wireBot{name: "cyd", slots: 1}, nil)
	id := startAll(t, c, openLadder(tournament.OpenAll))[0]
	before := awaitPlaces(t, c, id, nil, "bob", "cyd")
	cyd.disconnect()
	reconnectWire(t, c, &wireBot{name: "cyd", slots: 1}, onlyFull)
	awaitPresent(t, store, id, "bob")
	connectWire(t, c, &wireBot{name: "dan", slots: 1}, nil)
	awaitPlaces(t, c, id, before, "bob", "dan")
	if e, err := store.Event(t.Context(), id); err != nil || slices.ContainsFunc(e.Entries, func(entry tournament.Entry) bool { return entry.Name == "ann" }) {
		t.Errorf("%+v, %v", e.Entries, err)
	}
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// Visitors play on record against a spec under its own name, unless the page that asks vouches for another one.
func TestVisitorsNameNoBotOnRecord(t *testing.T) {
	_, arena := serveArena(t, newStore(), nil)
	challenge := server.Challenge{Opponent: "ann=random", Size: tinyBoard, Role: rules.Defender, Recorded: true}
	ask := func() error {
		_, err := arena.Challenge(httptest.NewRequest(http.MethodPost, "/api/play", nil), challenge)
		return err
	}
	refused(t, ask(), `opponent "ann=random": on record a bot that the arena starts has the name of its spec: ask for random`)
	challenge.Named = true
	if err := ask(); err != nil {
		t.Error(err)
	}
	challenge.Recorded, challenge.Named = false, false
	if err := ask(); err != nil {
		t.Error(err)
	}
}

// Visitors neither play against a bot nor ask it for a hint in games that it does not play.
func TestVisitorsAskForWhatABotPlays(t *testing.T) {
	c, arena := serveArena(t, newStore(), nil)
	connectWire(t, c, &wireBot{name: "bob", slots: 4}, onlyDefender)
	request := func() *http.Request { return httptest.NewRequest(http.MethodPost, "/api/play", nil) }
	challenge := server.Challenge{Opponent: "bob", Size: tinyBoard, Role: rules.Defender}
	_, err := arena.Challenge(request(), challenge)
	refused(t, err, `bot "bob": it plays only role=defender, and is asked for rules=gpcc2015 size=2x2 role=attacker`)
	challenge.Role = rules.Attacker
	if _, err := arena.Challenge(request(), challenge); err != nil {
		t.Error(err)
	}
	challenge.Recorded = true
	_, err = arena.Challenge(request(), challenge)
	refused(t, err, "role=attacker,defender")
	p := rules.NewPosition(rules.GPCC2015, tinyBoard)
	_, _, err = arena.Hint(request(), "bob", p)
	refused(t, err, "role=attacker")
	if _, _, err := arena.Hint(request(), "bob", p.Next(p.AppendMoves(nil)[0])); err != nil {
		t.Error(err)
	}
}

// An event with a program of the host that does not play such games fails before its first game.
func TestProgramsThatPlaySomeGames(t *testing.T) {
	c := serve(t, newStore(), func(config *server.Config) {
		config.Programs = roster.Commands{"ann": {"sh", "-c", "echo plays size=4x4 color=red; echo ready; cat >/dev/null"}}
	})
	id, err := c.Start(t.Context(), meeting("ann", "random"))
	if err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, id); last.State != server.Failed || last.Message != refusesTiny || last.Done > 0 {
		t.Errorf("%+v", last)
	}
}
