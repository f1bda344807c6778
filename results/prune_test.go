package results

import (
	"errors"
	"os"
	"reflect"
	"testing"
	"time"

	"versus2048/tournament/agenda"
)

// prunable records two events with search reports and logs: three games in the first, one finished and one in
// progress in the second.
func prunable(t *testing.T) *Store {
	t.Helper()
	s := openNew(t)
	first, second := newDuel(t, s, 2), newDuel(t, s, 2)
	finish(t, first, 1, 1)
	finish(t, first, 1, 2)
	finish(t, first, 2, 1)
	finish(t, second, 1, 1)
	g := open(t, second, duelGame(1, 2))
	playOn(&g, second, 5)
	if err := second.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO logs (game, side, text) VALUES (1, 'attacker', ?), (1, 'defender', ?), (4, 'attacker', ?)`,
		packLogs([2][]byte{[]byte("one")})[0], packLogs([2][]byte{[]byte("two")})[0], packLogs([2][]byte{[]byte("three")})[0]); err != nil {
		t.Fatal(err)
	}
	return s
}

// wantVerified fails unless the database has that number of finished games, all of them good.
func wantVerified(t *testing.T, s *Store, games int) {
	t.Helper()
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != games || v.Unsummed > 0 {
		t.Errorf("%+v, error %v: want %d games", v, err, games)
	}
}

func TestEventSizes(t *testing.T) {
	s := prunable(t)
	sizes, err := s.EventSizes(t.Context())
	if err != nil || len(sizes) != 2 {
		t.Fatalf("%+v, error %v", sizes, err)
	}
	a, b := sizes[0], sizes[1]
	if a.Games != 3 || a.Unfinished != 0 || b.Games != 2 || b.Unfinished != 1 || a.Event != 1 || b.Event != 2 || a.Needed || b.Needed {
		t.Errorf("%+v", sizes)
	}
	if a.Records <= b.Records || a.Searches <= b.Searches || a.Logs <= b.Logs || b.Logs == 0 || a.Last.IsZero() {
		t.Errorf("%+v", sizes)
	}
}

// The games of voided matches count, since they go with their event.
func TestEventSizesOfVoidedMatches(t *testing.T) {
	s := openNew(t)
	_, old, _ := voidedDuel(t, s)
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO logs (game, side, text) VALUES (?, 'attacker', zeroblob(1000))`, old[0].ID); err != nil {
		t.Fatal(err)
	}
	var records int64
	row := s.read.QueryRowContext(t.Context(), `SELECT sum(length(turns) + length(times) + coalesce(length(pauses), 0)) FROM games`)
	if err := row.Scan(&records); err != nil {
		t.Fatal(err)
	}
	sizes, err := s.EventSizes(t.Context())
	if err != nil || len(sizes) != 1 || sizes[0].Games != 6 || sizes[0].Records != records || sizes[0].Logs != 1000 {
		t.Errorf("%+v, error %v: want 6 games, %d bytes of records and 1000 of logs", sizes, err, records)
	}
}

// Everything of an event goes, and nothing of another.
func TestRemoveEvent(t *testing.T) {
	s := prunable(t)
	before, err := s.Game(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveEvent(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	wantVerified(t, s, 3)
	for _, p := range eventParts {
		var rows int
		if err := s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM "+p.table+" WHERE "+p.condition, 2).Scan(&rows); err != nil || rows > 0 {
			t.Errorf("%s has %d rows of it (%v)", p.table, rows, err)
		}
	}
	if after, err := s.Game(t.Context(), 1); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("%v, error %v", after.Record, err)
	}
	var missing *NotFoundError
	if err := s.RemoveEvent(t.Context(), 2); !errors.As(err, &missing) {
		t.Errorf("once more: error %v", err)
	}
	if next := newDuel(t, s, 1); next.event != 3 {
		t.Errorf("the number %d is given again", next.event)
	}
}

// An event is kept if a table of a later version refers to it.
func TestNeededEvents(t *testing.T) {
	s := prunable(t)
	if _, err := s.write.ExecContext(t.Context(), `CREATE TABLE later (event INTEGER REFERENCES events); INSERT INTO later VALUES (1), (NULL)`); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveEvent(t.Context(), 1); !errors.Is(err, ErrNeeded) {
		t.Errorf("error %v", err)
	}
	sizes, err := s.EventSizes(t.Context())
	if err != nil || !sizes[0].Needed || sizes[1].Needed {
		t.Errorf("%+v, error %v", sizes, err)
	}
	wantVerified(t, s, 4)
}

// An event that is to be played stays, and so does the first one of its series. One that is stopped goes, also if it
// is the first one of a series that is over.
func TestRemoveFromAgenda(t *testing.T) {
	s := prunable(t)
	for _, c := range []struct {
		wanted agenda.Wanted
		needed bool
	}{{agenda.Running, true}, {agenda.Paused, true}, {agenda.Stopped, false}} {
		for event := int64(1); event <= 2; event++ {
			wanted := agenda.Stopped
			if event == 2 {
				wanted = c.wanted
			}
			if _, err := s.Note(t.Context(), agenda.Item{Event: event, Place: event, Wanted: wanted, Nth: int(event), Series: 1}); err != nil {
				t.Fatal(err)
			}
		}
		sizes, err := s.EventSizes(t.Context())
		if err != nil || sizes[0].Needed != c.needed || sizes[1].Needed != c.needed {
			t.Errorf("%s: %+v, error %v", c.wanted, sizes, err)
		}
		if err := s.RemoveEvent(t.Context(), 1); errors.Is(err, ErrNeeded) != c.needed || !c.needed && err != nil {
			t.Errorf("%s: error %v", c.wanted, err)
		}
	}
	items, err := s.Agenda(t.Context())
	if want := []agenda.Item{{Event: 2, Place: 2, Wanted: agenda.Stopped, Nth: 2}}; err != nil || !reflect.DeepEqual(items, want) {
		t.Errorf("on the agenda is %+v, error %v", items, err)
	}
	if err := s.RemoveEvent(t.Context(), 2); err != nil {
		t.Error(err)
	}
}

// Without search reports and logs all else is as it was, and verifies; games in progress keep theirs.
func TestRemoveExtras(t *testing.T) {
	s := prunable(t)
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) // after all games
	for _, step := range []struct {
		what  Extra
		aged  Aged
		games int
	}{
		{Searches, Aged{Before: now.Add(-100 * 24 * time.Hour * 365)}, 0},
		{Searches, Aged{Events: []int64{}}, 0},
		{Searches, Aged{Before: now, Events: []int64{2}}, 1},
		{Searches, Aged{}, 3},
		{Searches, Aged{}, 0},
		{Logs, Aged{Events: []int64{1}}, 1},
		{Logs, Aged{}, 1},
		{Logs, Aged{}, 0},
	} {
		planned, err := s.Extras(t.Context(), step.what, step.aged)
		if err != nil {
			t.Fatal(err)
		}
		done, err := s.RemoveExtras(t.Context(), step.what, step.aged)
		if err != nil || done != planned || done.Games != step.games || (done.Bytes > 0) != (step.games > 0) {
			t.Errorf("%+v: planned %+v, done %+v, error %v", step, planned, done, err)
		}
		wantVerified(t, s, 4)
	}
	g, err := s.Game(t.Context(), 5)
	if err != nil || len(g.Record.Searches) == 0 || len(g.Record.Moves) == 0 {
		t.Errorf("the game in progress has %d search reports, error %v", len(g.Record.Searches), err)
	}
}

// A game that differs from its checksum does not get one that fits.
func TestRemoveExtrasOfBadGames(t *testing.T) {
	s := prunable(t)
	if _, err := s.write.ExecContext(t.Context(), `UPDATE games SET detail = 'changed' WHERE id = 2; UPDATE games SET checksum = NULL WHERE id = 3`); err != nil {
		t.Fatal(err)
	}
	planned, err := s.Extras(t.Context(), Searches, Aged{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.RemoveExtras(t.Context(), Searches, Aged{})
	if err != nil || done.Games != 3 || done.Bad != 1 {
		t.Errorf("%+v, error %v", done, err)
	}
	if left, err := s.Extras(t.Context(), Searches, Aged{}); err != nil || left.Bytes == 0 || done.Bytes != planned.Bytes-left.Bytes {
		t.Errorf("of %d bytes %d were removed, and %d are left (%v)", planned.Bytes, done.Bytes, left.Bytes, err)
	}
	v, err := s.Verify(t.Context(), Filter{}, func(Stored, error) {})
	if err != nil || v.Bad != 1 || v.Unsummed != 1 {
		t.Errorf("%+v, error %v", v, err)
	}
}

// A database that has shrunk is in its place, and the arena plays on.
func TestShrink(t *testing.T) {
	s := openNew(t)
	event := newDuel(t, s, 60)
	for match := 1; match <= 60; match++ {
		finish(t, event, match, 1)
	}
	size := func() int64 {
		info, err := os.Stat(s.place.path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := s.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := size()
	if err := s.RemoveEvent(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := size(); after >= before {
		t.Errorf("%d bytes, %d before", after, before)
	}
	finish(t, newDuel(t, s, 1), 1, 1)
	wantVerified(t, s, 1)
}
