package server_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// openLadder returns a ladder that connected bots join by themselves.
func openLadder(who tournament.Entrance) tournament.Event {
	e := tournament.Event{Name: "open", Size: rules.Size{Width: 2, Height: 2}, Concurrency: 4}
	e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Open: who}
	return e
}

// awaitPlaces waits until each of these bots has played some more matches than before, and returns how many each bot
// has played.
func awaitPlaces(t *testing.T, c *server.Client, event int64, before map[string]int, names ...string) map[string]int {
	t.Helper()
	var played map[string]int
	until(t, c, event, func(p server.Progress) bool {
		played = map[string]int{}
		for _, place := range p.Standings.Places {
			played[place.Name] = place.Played
		}
		return !slices.ContainsFunc(names, func(name string) bool { return played[name] < before[name]+3 })
	})
	return played
}

// present returns the event's bots that have not left, sorted by name.
func present(e *tournament.Event) (names []string) {
	for _, entry := range e.Entries {
		if e.Present(entry.Name) {
			names = append(names, entry.Name)
		}
	}
	slices.Sort(names)
	return names
}

// awaitPresent waits until these bots and no others take part.
func awaitPresent(t *testing.T, store *memoryStore, event int64, want ...string) {
	t.Helper()
	for {
		e, err := store.Event(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(present(&e), want) {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%v take part, want %v", present(&e), want)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// lost counts the games that a bot has lost by a fault.
func (s *memoryStore) lost(event int64, name string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.games[event] {
		if winner, ok := g.Record.Winner(); ok && g.Record.Ending.Fault() {
			loser := g.Record.Attacker
			if winner.String() == "attacker" {
				loser = g.Record.Defender
			}
			if loser == name {
				n++
			}
		}
	}
	return n
}

// Bots join an open ladder by themselves, leave it with the match that they were playing, and come back.
func TestOpenLadder(t *testing.T) {
	t.Parallel()
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Grace = 50 * time.Millisecond })
	connectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
	id := startAll(t, c, openLadder(tournament.OpenAll))[0]
	connectWire(t, c, &wireBot{name: "bob", slots: 1}, nil)
	cyd := connectWire(t, c, &wireBot{name: "cyd", slots: 1}, nil)
	before := awaitPlaces(t, c, id, nil, "ann", "bob", "cyd")

	cyd.disconnect()
	awaitPresent(t, store, id, "ann", "bob")
	lost := store.lost(id, "cyd")
	if lost > 2 {
		t.Errorf("a bot that left has lost %d games", lost)
	}
	before = awaitPlaces(t, c, id, before, "ann", "bob")
	if again := store.lost(id, "cyd"); again != lost {
		t.Errorf("a bot that has left has lost %d more games", again-lost)
	}

	connectWire(t, c, &wireBot{name: "cyd", slots: 1}, nil)
	awaitPlaces(t, c, id, before, "ann", "bob", "cyd")
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	checkRepaired(t, store, id)
}

// checkRepaired checks that the played matches are the pairings that follow from the record of the event.
func checkRepaired(t *testing.T, store *memoryStore, event int64) {
	t.Helper()
	e, err := store.Event(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	store.mu.Lock()
	done := tournament.Matches(store.games[event])
	store.mu.Unlock()
	told := map[int]tournament.Pairing{}
	for _, m := range done {
		told[m.Match] = m.Pairing
	}
	f := format.New(e)
	check := func() {
		for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
			if m, known := told[p.Match]; known && m != p {
				t.Fatalf("match %d was %+v, and is %+v", p.Match, m, p)
			}
		}
	}
	for _, m := range done {
		check()
		f.Add(m)
	}
	f.SetLineup(e)
	check()
}

// A bot that is away for a moment plays on, even if its next game could begin only in that moment: at the end of its
// last one.
func TestShortAbsences(t *testing.T) {
	t.Parallel()
	for _, e := range []tournament.Event{openLadder(tournament.OpenAll), between("one", 10, "ann", "bob")} { // ann ends every other game
		t.Run(e.Name, func(t *testing.T) { checkShortAbsences(t, e) })
	}
}

func checkShortAbsences(t *testing.T, e tournament.Event) {
	c, arena := serveArena(t, newStore(), nil)
	bob := &wireBot{name: "bob", slots: 1}
	gone := make(chan struct{})
	ann := &wireBot{name: "ann", slots: 1, last: func() {
		bob.disconnect()
		for seen, _ := arena.Seen("bob"); seen.Connected && t.Context().Err() == nil; seen, _ = arena.Seen("bob") {
			runtime.Gosched()
		}
		select {
		case gone <- struct{}{}:
		case <-t.Context().Done():
		}
	}}
	connectWire(t, c, ann, nil)
	connectWire(t, c, bob, nil)
	id := startAll(t, c, e)[0]
	for games := range 10 {
		<-gone
		until(t, c, id, func(p server.Progress) bool { return p.Done > games && p.Playing == 0 })
		reconnectWire(t, c, bob, nil)
	}
}

// A ladder that is resumed starts with the bots that are present.
func TestOpenLadderResumes(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Grace = 100 * time.Millisecond })
	for _, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 2}, nil)
	}
	cyd := connectWire(t, c, &wireBot{name: "cyd", slots: 2}, nil)
	id := startAll(t, c, openLadder(tournament.OpenAll))[0]
	before := awaitPlaces(t, c, id, nil, "ann", "bob", "cyd")
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	cyd.disconnect()
	if err := c.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	connectWire(t, c, &wireBot{name: "dan", slots: 1}, nil)
	before = awaitPlaces(t, c, id, before, "ann", "bob", "dan")
	awaitPresent(t, store, id, "ann", "bob", "dan")
	connectWire(t, c, &wireBot{name: "cyd", slots: 2}, nil)
	awaitPlaces(t, c, id, before, "cyd")
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	checkRepaired(t, store, id)
}

// Only bots with a token join a ladder that is open to these, and not more than it may have.
func TestOpenLadderAdmits(t *testing.T) {
	t.Parallel()
	store := newStore()
	for _, name := range []string{"ann", "bob", "cyd"} {
		store.tokens["bot"+name] = name + "'s own"
	}
	c := serve(t, store, nil)
	e := openLadder(tournament.OpenTokens)
	e.Settings.Plan.Most = 2
	id := startAll(t, c, e)[0]
	connectWire(t, c, &wireBot{name: "zoe", slots: 1}, nil)
	for i, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, map[string]any{"token": name + "'s own"})
		awaitPresent(t, store, id, []string{"ann", "bob"}[:i+1]...)
	}
	connectWire(t, c, &wireBot{name: "cyd", slots: 1}, map[string]any{"token": "cyd's own"})
	awaitPlaces(t, c, id, nil, "ann", "bob")
	awaitPresent(t, store, id, "ann", "bob")
}

// A bot that an operator lets leave stays away until an operator lets it join.
func TestDismissedFromOpenLadder(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	store := newStore()
	c := serve(t, store, nil)
	id := startAll(t, c, openLadder(tournament.OpenAll))[0]
	for _, name := range []string{"ann", "bob", "cyd"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	before := awaitPlaces(t, c, id, nil, "ann", "bob", "cyd")
	if err := c.Leave(t.Context(), id, "cyd"); err != nil {
		t.Fatal(err)
	}
	awaitPresent(t, store, id, "ann", "bob")
	before = awaitPlaces(t, c, id, before, "ann", "bob")
	awaitPresent(t, store, id, "ann", "bob")
	if err := c.Join(t.Context(), id, "cyd"); err != nil {
		t.Fatal(err)
	}
	awaitPlaces(t, c, id, before, "cyd")
	if n := store.lost(id, "cyd"); n > 0 {
		t.Errorf("the bot has lost %d games", n)
	}
}

// A bot may be struck out because it stays away: then, too, it can come back as another version.
func TestStruckOutWhileAway(t *testing.T) {
	t.Parallel()
	store := newStore()
	c := serve(t, store, func(config *server.Config) { config.Grace = 50 * time.Millisecond })
	e := openLadder(tournament.OpenAll)
	e.Settings.Strikes.Faults = 1
	id := startAll(t, c, e)[0]
	for _, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	cyd := connectWire(t, c, &wireBot{name: "cyd", slots: 1, silent: true}, map[string]any{"version": "1"})
	until(t, c, id, func(p server.Progress) bool {
		return slices.ContainsFunc(p.Games, func(g server.GameProgress) bool { return g.Attacker == "cyd" || g.Defender == "cyd" })
	})
	cyd.disconnect()
	awaitPresent(t, store, id, "ann", "bob")
	if store.lost(id, "cyd") == 0 {
		t.Error("the bot has lost no game")
	}
	reconnectWire(t, c, &wireBot{name: "cyd", slots: 1}, map[string]any{"version": "2"})
	awaitPlaces(t, c, id, nil, "cyd")
}

// A bot with too many faults leaves, and comes back as another version.
func TestStruckOutOfOpenLadder(t *testing.T) {
	t.Parallel()
	store := newStore()
	c := serve(t, store, nil)
	e := openLadder(tournament.OpenAll)
	e.Settings.Strikes.Faults = 3
	id := startAll(t, c, e)[0]
	for _, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	bad := connectWire(t, c, &wireBot{name: "cyd", slots: 1, wrong: true}, map[string]any{"version": "1"})
	until(t, c, id, func(server.Progress) bool { return store.lost(id, "cyd") >= 3 })
	awaitPresent(t, store, id, "ann", "bob")
	if n := store.lost(id, "cyd"); n > 4 {
		t.Errorf("the bot has lost %d games before it was struck out", n)
	}
	bad.disconnect()
	same := reconnectWire(t, c, &wireBot{name: "cyd", slots: 1}, map[string]any{"version": "1"})
	before := awaitPlaces(t, c, id, nil, "ann", "bob")
	awaitPresent(t, store, id, "ann", "bob")
	same.disconnect()
	reconnectWire(t, c, &wireBot{name: "cyd", slots: 1}, map[string]any{"version": "2"})
	awaitPlaces(t, c, id, before, "cyd")
}

// A bot that strikes exclude leaves a closed ladder without an end. The others play on, also when the ladder is resumed
// without that bot. It cannot join again.
func TestExcludedFromClosedLadder(t *testing.T) {
	t.Parallel()
	store := newStore()
	c := serve(t, store, nil)
	for _, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	bad := connectWire(t, c, &wireBot{name: "cyd", slots: 1, wrong: true}, nil)
	e := ladder()
	e.Bots, e.Settings.Strikes.Faults = []string{"ann", "bob", "cyd"}, 2
	id := startAll(t, c, e)[0]
	awaitPresent(t, store, id, "ann", "bob")
	if n := store.lost(id, "cyd"); n < 2 {
		t.Errorf("it has left after %d faults", n)
	}
	before := awaitPlaces(t, c, id, nil, "ann", "bob")
	refused(t, c.Join(t.Context(), id, "cyd"), "exclude it for good")
	if err := c.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	bad.disconnect()
	if err := c.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	awaitPlaces(t, c, id, before, "ann", "bob")
	walkovers, first := map[string]int{}, 0
	until(t, c, id, func(p server.Progress) bool {
		if first == 0 {
			first = p.Done
		}
		for _, place := range p.Standings.Places {
			n := place.Played - p.Done/2
			if had, seen := walkovers[place.Name]; !seen {
				walkovers[place.Name] = n
			} else if n > had+1000 { // standings may be older than the count of games; it was hundreds a match
				t.Fatalf("%s has %d walkovers after %d games, and had %d after %d", place.Name, n, p.Done, had, first)
			}
		}
		return p.Done > first+100
	})
}
