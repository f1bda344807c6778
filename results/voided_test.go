package results

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// lose opens a game and ends it by a fault after some plies.
func lose(t *testing.T, j *Journal, g tournament.Game) tournament.Game {
	t.Helper()
	g = open(t, j, g)
	playOn(&g, j, 6)
	g.Record.Ending, g.Record.Detail, g.Finished = record.Time, "too late", g.Started.Add(time.Minute)
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	return g
}

// voidedDuel records a duel with a match that a fault has decided, voids it, and plays it again.
func voidedDuel(t *testing.T, s *Store) (event int64, old, again [2]tournament.Game) {
	t.Helper()
	j := newDuel(t, s, 2)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	old = [2]tournament.Game{lose(t, j, duelGame(2, 1)), finish(t, j, 2, 2)}
	if err := s.Void(t.Context(), j.event, 2, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Progress(t.Context(), j.event); err != nil || p.Finished != 2 || p.Over {
		t.Errorf("after a match was voided: %+v, error %v", p, err)
	}
	if f, err := s.Finished(t.Context()); err != nil || f != (Finished{2, 1}) {
		t.Errorf("finished are %+v, error %v", f, err)
	}
	j = s.Journal(j.event)
	again = [2]tournament.Game{finish(t, j, 2, 1), finish(t, j, 2, 2)}
	return j.event, old, again
}

// The games of a voided match stay as they are, under their numbers, and count nowhere.
func TestVoid(t *testing.T) {
	s := openNew(t)
	event, old, again := voidedDuel(t, s)
	if old[0].ID == again[0].ID || again[0].Record.Ending != record.Mate {
		t.Errorf("played again: %+v", again[0])
	}
	p, err := s.Progress(t.Context(), event)
	if err != nil || !p.Over || p.Finished != 4 {
		t.Errorf("%+v, error %v", p, err)
	}
	wantVerified(t, s, 6)
	counts := func(f Filter) (n int) {
		if err := s.Games(t.Context(), f, func(g Stored) error {
			n++
			if g.Voided.IsZero() == (g.ID == old[0].ID || g.ID == old[1].ID) {
				t.Errorf("game %d was voided: %v", g.ID, g.Voided)
			}
			if f.Scored && g.Scored != g.Voided.IsZero() {
				t.Errorf("the score of game %d, voided %v, counts: %v", g.ID, g.Voided, g.Scored)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		return n
	}
	for _, test := range []struct {
		filter Filter
		want   int
	}{
		{Filter{}, 4},
		{Filter{Event: event}, 4},
		{Filter{Event: event, Match: 2}, 2},
		{Filter{Event: event, Voided: true}, 6},
		{Filter{Event: event, Voided: true, Scored: true}, 6},
		{Filter{Bot: "ann", Voided: true}, 6},
		{Filter{Game: old[0].ID}, 1},
	} {
		if n := counts(test.filter); n != test.want {
			t.Errorf("%+v selects %d games, want %d", test.filter, n, test.want)
		}
	}
	if listed, total, err := s.List(t.Context(), Listing{}); err != nil || len(listed) != 4 || total != 4 {
		t.Errorf("listed are %d of %d games, error %v", len(listed), total, err)
	}
	explored, err := s.Explore(t.Context(), Question{Position: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})}, func(int, int) {})
	if err != nil || explored.Games != 4 {
		t.Errorf("explored are %+v, error %v", explored, err)
	}
	wantVoided(t, s, event)
	if err := s.RemoveEvent(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Finished(t.Context()); err != nil || f != (Finished{0, 2}) {
		t.Errorf("after the event was removed finished are %+v, error %v", f, err)
	}
	var left int
	if err := s.read.QueryRow(`SELECT (SELECT count(*) FROM matches) + (SELECT count(*) FROM games)`).Scan(&left); err != nil || left != 0 {
		t.Errorf("after the event was removed %d rows are left, error %v", left, err)
	}
}

// wantVoided fails the test unless match 2 of the event was voided, and no other match.
func wantVoided(t *testing.T, s *Store, event int64) {
	t.Helper()
	all, err := s.Voided(t.Context(), event)
	if err != nil || len(all) != 1 || all[0].Match != 2 || all[0].First != "ann" || len(all[0].Games) != 2 || all[0].Voided.Hour() != 12 {
		t.Errorf("voided are %+v, error %v", all, err)
	}
}

// The file of an event has the voided games, too. A file with changed voided games is refused.
func TestExportVoided(t *testing.T) {
	s := openNew(t)
	event, old, _ := voidedDuel(t, s)
	var file bytes.Buffer
	exported, err := s.Export(t.Context(), &file, event)
	if err != nil || exported.Games != 4 {
		t.Fatalf("%+v, error %v", exported, err)
	}
	text := file.String()
	other := openNew(t)
	imported, err := other.Import(t.Context(), strings.NewReader(text), 0)
	if err != nil || imported.Games != 4 {
		t.Fatalf("%+v, error %v", imported, err)
	}
	wantVoided(t, other, imported.Event)
	wantVerified(t, other, 6)
	var games []tournament.Game
	if err := other.Games(t.Context(), Filter{Event: imported.Event, Voided: true}, func(g Stored) error {
		if !g.Voided.IsZero() {
			games = append(games, g.Game)
		}
		return nil
	}); err != nil || len(games) != 2 || !reflect.DeepEqual(games[0].Record.Moves, old[0].Record.Moves) || games[0].Record.Detail != "too late" {
		t.Errorf("%+v, error %v", games, err)
	}
	var again bytes.Buffer
	if _, err := other.Export(t.Context(), &again, imported.Event); err != nil || again.String() != text {
		t.Errorf("exported again it differs, error %v", err)
	}
	for name, change := range map[string]string{
		"a time that no database keeps": strings.Replace(text, `"at":"2026`, `"at":"0000-01-01T00:00:00+23:00","x":"2026`, 1),
		"no game":                       strings.Replace(text, `"at":"2026-11-21T12:00:00Z","game":`, `"at":"2026-11-21T12:00:00Z","gone":`, 1),
	} {
		if _, err := openNew(t).Import(t.Context(), strings.NewReader(change), 0); !errors.Is(err, ErrBroken) || change == text {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Only a match that a fault has decided is voided, and only if nothing has followed from its result.
func TestVoidable(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 4)
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	lose(t, j, duelGame(2, 1))
	lose(t, j, duelGame(3, 1))
	finish(t, j, 3, 2)
	for match, want := range map[int]string{1: "neither of its games", 2: "not over", 3: "", 4: "has not begun"} {
		wantVoidable(t, s, j.event, match, want)
	}
	if err := j.SetMemberships(t.Context(), tournament.Entry{Name: "bob"}, []tournament.Membership{{Name: "bob", From: 1, To: 2}}); err != nil {
		t.Fatal(err)
	}
	wantVoidable(t, s, j.event, 3, `"bob" has left the event after match 2`)
	var unknown *NotFoundError
	if err := s.Void(t.Context(), 7, 1, time.Now()); !errors.As(err, &unknown) {
		t.Errorf("of an event that is not there: %v", err)
	}
	for _, kind := range tournament.Formats() {
		e := duel(2)
		e.Settings.Plan = tournament.Plan{Kind: kind}
		id, err := s.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		j := s.Journal(id)
		lose(t, j, duelGame(1, 1))
		finish(t, j, 1, 2)
		wantVoidable(t, s, id, 1, "")
		finish(t, j, 2, 1)
		want := ""
		if format.Adapts(e.Settings.Plan) {
			want = "the pairing of match 2, of round 2"
		}
		wantVoidable(t, s, id, 1, want)
	}
	if _, err := s.write.ExecContext(t.Context(), `ALTER TABLE games RENAME TO lost`); err != nil {
		t.Fatal(err)
	}
	var refused *NotVoidableError
	for _, err := range []error{s.Voidable(t.Context(), j.event, 1), s.Void(t.Context(), j.event, 1, time.Now())} {
		if err == nil || errors.As(err, &refused) || !strings.HasPrefix(err.Error(), "reading match 1 of event 1: ") {
			t.Errorf("without the table of games: error %v", err)
		}
	}
}

// wantVoidable fails the test unless the match can be voided, if want is "", or is refused for the reason want.
func wantVoidable(t *testing.T, s *Store, event int64, match int, want string) {
	t.Helper()
	err := s.Voidable(t.Context(), event, match)
	var refused *NotVoidableError
	if want == "" && err != nil || want != "" && (!errors.As(err, &refused) || !errors.Is(err, tournament.ErrNotVoidable) || !strings.Contains(err.Error(), want)) {
		t.Errorf("match %d of event %d: %v, want %q", match, event, err, want)
	}
}

// An older database keeps its matches when it is brought up to date.
func TestMatchesAreKept(t *testing.T) {
	s, err := Open(t.Context(), copyOf(t, "testdata/version7.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var matches, lost int
	err = s.read.QueryRow(`SELECT count(*), (SELECT count(*) FROM games WHERE match NOT IN (SELECT id FROM matches WHERE event IS NOT NULL)) FROM matches`).Scan(&matches, &lost)
	if err != nil || matches == 0 || lost != 0 {
		t.Errorf("%d matches, %d games without one, error %v", matches, lost, err)
	}
}
