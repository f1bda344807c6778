package results

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
)

// testdata/version4.db was written by a release with schema 4. It has a finished swiss event and an
// interrupted ladder with two games in progress. The same release exported both events and computed
// their standings.
var version4Exports = []string{"testdata/version4-event1.jsonl", "testdata/version4-event2.jsonl"}

// copyOf copies a file of testdata, for tests that write to it.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(copied, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestVersion4(t *testing.T) {
	path := copyOf(t, "testdata/version4.db")
	for _, name := range []string{"OpenReader", "Open"} {
		s, err := openers[name](t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 19 {
			t.Errorf("%s: verification %+v, error %v: want 19 games", name, v, err)
		}
		wantVersion4Standings(t, s)
		for i, path := range version4Exports {
			wantExport(t, s, int64(i+1), path)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func wantVersion4Standings(t *testing.T, s *Store) {
	t.Helper()
	text, err := os.ReadFile("testdata/version4-standings.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []tournament.Standings
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(t.Context())
	if err != nil || len(events) != len(want) || !events[0].Over || events[1].Over || events[1].Finished != 11 {
		t.Fatalf("events %+v, error %v", events, err)
	}
	for i, e := range events {
		matches := matchesOf(t, s, e.Event)
		if got := format.After(e.Event, matches).Standings(); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("standings of event %d\n%+v\nwant\n%+v", e.ID, got, want[i])
		}
	}
}

// wantExport checks that the export of the event is identical to the file.
func wantExport(t *testing.T, s *Store, event int64, path string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := s.Export(t.Context(), &got, event); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("event %d is exported other than in %s (error %v)", event, path, err)
	}
}

// The exports of that release are imported, and exported again byte for byte.
func TestVersion4Exports(t *testing.T) {
	s := openNew(t)
	for _, path := range version4Exports {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		imported, err := s.Import(t.Context(), file, 0)
		if err != nil {
			t.Fatal(path, err)
		}
		wantExport(t, s, imported.Event, path)
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 19 {
		t.Errorf("verification %+v, error %v: want 19 games", v, err)
	}
}

// testdata/version1.db was written by an arena with schema 1. It has a duel of two matches: three
// games are finished, and one is in progress after five plies.
func TestVersion1(t *testing.T) {
	s, err := Open(t.Context(), copyOf(t, "testdata/version1.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	event := duel(2)
	event.ID = 1
	if got, err := s.Event(t.Context(), 1); err != nil || !reflect.DeepEqual(got, event) {
		t.Errorf("event %+v (error %v), want %+v", got, err, event)
	}
	wantOldGames(t, s)
	resumeOld(t, s)
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 4 {
		t.Errorf("verification %+v, error %v: want 4 games", v, err)
	}
}

// testdata/version7.db was written by the last release without an agenda. It has a finished event
// and an interrupted one, which no arena continues by itself.
func TestVersion7(t *testing.T) {
	s, err := Open(t.Context(), copyOf(t, "testdata/version7.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	events, err := s.Events(t.Context())
	if err != nil || len(events) != 2 || !events[0].Over || events[1].Over {
		t.Errorf("events %+v, error %v", events, err)
	}
	if items, err := s.Agenda(t.Context()); err != nil || len(items) > 0 {
		t.Errorf("agenda %+v, error %v: want none", items, err)
	}
	if _, err := s.Note(t.Context(), agenda.Item{Event: 2, Wanted: agenda.Running}); err != nil {
		t.Error(err)
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 6 {
		t.Errorf("verification %+v, error %v: want 6 games", v, err)
	}
}

// olderDatabase returns a copy of the version 1 database with the schema of the given version.
func olderDatabase(t *testing.T, version int) (path string) {
	t.Helper()
	path = copyOf(t, "testdata/version1.db")
	steps, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	db, err := connect(path, url.Values{"mode": {"rw"}})
	if err != nil {
		t.Fatal(err)
	}
	for v := 2; v <= version; v++ {
		if err := within(t.Context(), db, nil, func(tx *sql.Tx) error { return apply(t.Context(), tx, steps[v-1], v) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Schema 10 recorded only the worker that ended a game. This worker is still on record.
func TestVersion10(t *testing.T) {
	path := olderDatabase(t, 10)
	db, err := connect(path, url.Values{"mode": {"rw"}})
	if err == nil {
		_, err = db.Exec(`INSERT INTO origins (game, task, attempt, worker) SELECT min(id), 't1', 2, 'ann' FROM games WHERE ending IS NOT NULL`)
	}
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := tournament.Origin{Worker: "ann", Task: "t1", Attempt: 2}
	if o, err := s.Origin(t.Context(), 1); err != nil || o != want {
		t.Errorf("the origin is %+v, error %v, want %+v", o, err, want)
	}
	if n, err := s.Reopen(t.Context(), 1, "ann", nil, false); err != nil || n != 1 {
		t.Errorf("%d games are taken back, error %v, want 1", n, err)
	}
}

// filesOf returns the contents of the folder's files by name.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(content)
	}
	return files
}

// Databases of all older versions are read, from a temporary copy: neither their bytes nor their
// folders change, even if they are not read-only.
func TestReadOlderVersions(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for version := 1; version <= 3; version++ {
		path := olderDatabase(t, version)
		folder := filepath.Dir(path)
		before := filesOf(t, folder)
		for _, mode := range []os.FileMode{0o700, 0o500} {
			if err := errors.Join(os.Chmod(path, mode&0o600), os.Chmod(folder, mode)); err != nil {
				t.Fatal(err)
			}
			s, err := openReading(t.Context(), path)
			if err != nil {
				t.Fatal(version, err)
			}
			wantOldGames(t, s)
			if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 3 {
				t.Errorf("version %d: verification %+v, error %v: want 3 games", version, v, err)
			}
			if events, err := s.Events(t.Context()); err != nil || len(events) != 1 || events[0].Finished != 3 {
				t.Errorf("version %d: events %+v, error %v", version, events, err)
			}
			if _, err := s.CreateEvent(t.Context(), duel(1)); err == nil {
				t.Errorf("version %d: a reader created an event", version)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if after := filesOf(t, folder); !reflect.DeepEqual(after, before) {
				t.Errorf("version %d: reading changed the folder, which now has %q", version, slices.Sorted(maps.Keys(after)))
			}
		}
		if err := os.Chmod(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if left := filesOf(t, temporary); len(left) > 0 {
		t.Errorf("left in the temporary folder: %q", slices.Sorted(maps.Keys(left)))
	}
}

// The copy has the data that another program has written to the log, but not yet to the database.
func TestReadOlderVersionInUse(t *testing.T) {
	path := olderDatabase(t, 2)
	db, err := connect(path, url.Values{"mode": {"rw"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`UPDATE events SET name = 'renamed'`); err != nil {
		t.Fatal(err)
	}
	s, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if e, err := s.Event(t.Context(), 1); err != nil || e.Name != "renamed" {
		t.Errorf("event %+v, error %v", e, err)
	}
}

// oldGame returns a game of the old database, which has no search reports.
func oldGame(id int64, match, leg, plies int) tournament.Game {
	g := duelGame(match, leg)
	playOn(&g, nil, plies)
	g.Record.Pauses = nil // which versions 1 to 3 did not record
	g.ID, g.Record.Game, g.Record.Date, g.Record.Searches = id, string('0'+rune(id)), "2026-11-21", nil
	return g
}

func wantOldGames(t *testing.T, s *Store) {
	t.Helper()
	wantStored(t, s, oldGame(1, 1, 1, -1))
	wantStored(t, s, oldGame(2, 1, 2, -1))
	wantStored(t, s, oldGame(3, 2, 1, -1))
	wantStored(t, s, oldGame(4, 2, 2, 5))
}

// resumeOld resumes the game in progress, with search reports.
func resumeOld(t *testing.T, s *Store) {
	t.Helper()
	j := s.Journal(1)
	g := open(t, j, duelGame(2, 2))
	playOn(&g, j, 6)
	flush(t, j)
	wantStored(t, s, g)
	if g.Record.Searches == nil {
		t.Error("the game was resumed without a search report")
	}
	playOn(&g, j, -1)
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	wantStored(t, s, g)
}
