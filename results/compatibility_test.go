package results

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// testdata/version4.db was written by a release whose schema is 4. It has a finished swiss event and
// an interrupted ladder with two games in progress. The same release exported both events and
// computed their standings.
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
		matches, err := s.Matches(t.Context(), e.Event)
		if err != nil {
			t.Fatal(err)
		}
		if got := format.New(e.Event).Standings(matches); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("standings of event %d\n%+v\nwant\n%+v", e.ID, got, want[i])
		}
	}
}

// wantExport wants the event to be exported exactly as it is in the file.
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
		imported, err := s.Import(t.Context(), file)
		if err != nil {
			t.Fatal(path, err)
		}
		wantExport(t, s, imported.Event, path)
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 19 {
		t.Errorf("verification %+v, error %v: want 19 games", v, err)
	}
}
