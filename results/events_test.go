package results

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func TestEventRoundTrip(t *testing.T) {
	s := openNew(t)
	full := tournament.Event{
		Name:    "spring \"cup\" ☃",
		Created: time.Date(2026, 3, 1, 23, 59, 59, 999_999_999, time.FixedZone("", 3600)).UTC(),
		Rules:   rules.Solo, Size: rules.Size{Width: 2, Height: 4}, Seed: 1<<53 - 1,
		Matches:     20,
		Entries:     []tournament.Entry{{Name: "z"}, {Name: "a", Spec: "mcts:playouts=1000"}, {Name: "m", Spec: "greedy"}},
		Clock:       tournament.Clock{PerMove: 5 * time.Second, Base: 10 * time.Minute, Increment: time.Nanosecond},
		Grace:       30 * time.Second,
		Concurrency: 8,
		InProcess:   true,
	}
	searched := duel(3)
	searched.Search = true
	set := duel(3)
	set.Settings = tournament.Settings{
		Openings:     tournament.Openings{Source: "book.txt", Starts: []string{"2,0,0/0,0,0/0,0,0 D 0 1"}},
		Budget:       players.Effort{Playouts: 1000, Nodes: 1_000_000},
		Lenience:     tournament.Lenience{Margin: tournament.Millis(50 * time.Millisecond), Lag: tournament.Millis(time.Second)},
		Adjudication: tournament.Adjudication{MaxTurns: 100, MaxTile: 64, EarlyDecision: true, Resign: true},
		Strikes:      tournament.Strikes{Faults: 3, Games: tournament.VoidGames},
		Absent:       tournament.Millis(10 * time.Minute),
	}
	for _, want := range []tournament.Event{full, duel(3), searched, set} {
		var err error
		if want.ID, err = s.CreateEvent(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Event(t.Context(), want.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("event %+v (error %v), want %+v", got, err, want)
		}
	}
}

func TestCreateEventIsAtomic(t *testing.T) {
	s := openNew(t)
	e := duel(1)
	e.Entries[1].Name = e.Entries[0].Name
	if _, err := s.CreateEvent(t.Context(), e); err == nil {
		t.Error("an event with two bots of one name was recorded")
	}
	if events, err := s.Events(t.Context()); err != nil || len(events) != 0 {
		t.Errorf("events %v, error %v: want none", events, err)
	}
}

func TestEvents(t *testing.T) {
	s := openNew(t)
	first, second := newDuel(t, s, 1), newDuel(t, s, 3)
	finish(t, first, 1, 1)
	finish(t, first, 1, 2)
	finish(t, second, 1, 1)
	open(t, second, duelGame(1, 2))
	events, err := s.Events(t.Context())
	if err != nil || len(events) != 2 {
		t.Fatalf("events %+v, error %v: want 2", events, err)
	}
	for i, want := range []struct {
		finished, matches int
		over              bool
	}{{2, 1, true}, {1, 3, false}} {
		if e := events[i]; e.ID != int64(i+1) || e.Finished != want.finished || e.Total.Matches != want.matches || e.Over != want.over || len(e.Entries) != 2 {
			t.Errorf("event %d: %+v, want %+v", i+1, e, want)
		}
	}
}

// A ladder without an end is not over when no bots can be paired: bots may join it yet. A ladder
// with an end is over.
func TestLadderWithoutEndIsNotOver(t *testing.T) {
	s := openNew(t)
	ladder := func(open tournament.Entrance, matches int, bots ...tournament.Entry) tournament.Event {
		e := duel(matches)
		e.Entries, e.Settings.Plan = bots, tournament.Plan{Kind: tournament.Ladder, Open: open}
		return e
	}
	both := duel(1).Entries
	left := ladder(tournament.Closed, 0, both...)
	for _, entry := range both {
		left.Memberships = append(left.Memberships, tournament.Membership{Name: entry.Name, From: 1, To: 0})
	}
	for _, e := range []tournament.Event{ladder(tournament.OpenAll, 0), left, ladder(tournament.Closed, 1, both...)} {
		if err := format.Validate(e); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateEvent(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, s.Journal(3), 1, 1)
	finish(t, s.Journal(3), 1, 2)
	events, err := s.Events(t.Context())
	if err != nil || len(events) != 3 || events[0].Over || events[1].Over || !events[2].Over {
		t.Errorf("events %+v, error %v: want the third one to be over", events, err)
	}
}

func TestNotFound(t *testing.T) {
	s := openNew(t)
	_, eventErr := s.Event(t.Context(), 7)
	_, gameErr := s.Game(t.Context(), 8)
	for _, test := range []struct {
		err  error
		want NotFoundError
	}{{eventErr, NotFoundError{"event", 7}}, {gameErr, NotFoundError{"game", 8}}} {
		var missing *NotFoundError
		if !errors.As(test.err, &missing) || *missing != test.want {
			t.Errorf("error %v, want %v", test.err, &test.want)
		}
	}
	if !errors.Is(eventErr, tournament.ErrUnknownEvent) || errors.Is(gameErr, tournament.ErrUnknownEvent) {
		t.Errorf("only the first error is about an unknown event: %v, %v", eventErr, gameErr)
	}
}

func TestIdentities(t *testing.T) {
	s := openNew(t)
	first, second := newDuel(t, s, 1), newDuel(t, s, 1)
	ann1 := tournament.Identity{Name: "ann", Version: "1", Author: "A", Spec: "greedy"}
	ann2 := tournament.Identity{Name: "ann", Version: "2", Author: "A", Spec: "greedy"}
	bob := tournament.Identity{Name: "bob"}
	for _, said := range []struct {
		journal *Journal
		id      tournament.Identity
	}{{first, bob}, {first, ann1}, {first, ann1}, {second, ann1}, {second, bob}, {second, ann2}} {
		if err := said.journal.Identify(t.Context(), said.id); err != nil {
			t.Fatal(err)
		}
	}
	for event, want := range map[int64][]tournament.Identity{1: {bob, ann1}, 2: {bob, ann1, ann2}, 3: nil} {
		if got, err := readDescriptions(t.Context(), s.read, event); err != nil || !reflect.DeepEqual(got.all, want) {
			t.Errorf("event %d: %+v (error %v), want %+v", event, got.all, err, want)
		}
	}
	if bots, err := query(t.Context(), s.read, scanCount, `SELECT count(*) FROM bots`); err != nil || bots[0] != 3 {
		t.Errorf("%v bots, error %v: want 3", bots, err)
	}
}

func TestEventsNamed(t *testing.T) {
	s := openNew(t)
	newDuel(t, s, 1)
	other := duel(1)
	other.Name = "duel 2"
	if _, err := s.CreateEvent(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	newDuel(t, s, 3)
	events, err := s.EventsNamed(t.Context(), "duel")
	if err != nil || len(events) != 2 || events[0].ID != 1 || events[1].ID != 3 || events[1].Matches != 3 || len(events[1].Entries) != 2 {
		t.Errorf("events %+v, error %v: want 1 and 3", events, err)
	}
	if events, err := s.EventsNamed(t.Context(), "none"); err != nil || len(events) != 0 {
		t.Errorf("events %+v, error %v: want none", events, err)
	}
}

func TestExtend(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	newDuel(t, s, 2) // another event, which must not change
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	before := remaining(t, s, 1)
	for _, tc := range []struct{ to, want int }{{5, 5}, {3, 5}, {5, 5}} {
		if err := s.Extend(t.Context(), 1, tc.to); err != nil {
			t.Fatal(err)
		}
		if e, err := s.Event(t.Context(), 1); err != nil || e.Matches != tc.want {
			t.Errorf("extended to %d: %d matches, error %v, want %d", tc.to, e.Matches, err, tc.want)
		}
	}
	after := remaining(t, s, 1)
	if len(before) != 1 || len(after) != 4 || after[0] != before[0] {
		t.Errorf("remaining matches: %v, before %v", after, before)
	}
	if e, err := s.Event(t.Context(), 2); err != nil || e.Matches != 2 {
		t.Errorf("another event has %d matches now, error %v", e.Matches, err)
	}
	missing := new(NotFoundError)
	if err := s.Extend(t.Context(), 3, 5); !errors.As(err, &missing) {
		t.Errorf("extending a missing event: %v", err)
	}
}

// remaining returns the matches of an event that are still to be played.
func remaining(t *testing.T, s *Store, event int64) []tournament.Pairing {
	t.Helper()
	e, err := s.Event(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	f := format.New(e)
	if err := s.EachMatch(t.Context(), e, f.Add); err != nil {
		t.Fatal(err)
	}
	var left []tournament.Pairing
	for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
		left = append(left, p)
	}
	return left
}

// An event that could not start, or has no finished game yet, does not hide the last event with a
// finished game.
func TestLastEvent(t *testing.T) {
	s := openNew(t)
	if _, err := s.LastEvent(t.Context()); !errors.As(err, new(*NotFoundError)) {
		t.Errorf("without an event: %v", err)
	}
	last := func(want int64) {
		t.Helper()
		if e, err := s.LastEvent(t.Context()); err != nil || e.ID != want {
			t.Errorf("event %d (%v), want %d", e.ID, err, want)
		}
	}
	first, second := newDuel(t, s, 1), newDuel(t, s, 1)
	last(second.event)
	finish(t, first, 1, 1)
	last(first.event)
	open(t, second, duelGame(1, 1))
	last(first.event)
	finish(t, second, 1, 2)
	last(second.event)
}
