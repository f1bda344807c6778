package backup_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/players"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// played records an event of that number of matches, of two games each, on the smallest board.
func played(t testing.TB, store *results.Store, name string, matches int) {
	t.Helper()
	if err := play(t.Context(), store, name, matches); err != nil {
		t.Fatal(err)
	}
}

// play does the work of played. Any goroutine may call it.
func play(ctx context.Context, store *results.Store, name string, matches int) error {
	event := tournament.Event{Name: name, Size: rules.Size{Width: 2, Height: 2}, Matches: matches, Concurrency: 1}
	var bots []tournament.Bot
	for _, text := range []string{"random", "greedy"} {
		spec, err := players.Parse(text)
		if err != nil {
			return err
		}
		event.Entries = append(event.Entries, tournament.Entry{Name: text, Spec: text})
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: text, Spec: text}, Games: 1, New: spec.New})
	}
	var err error
	if event.ID, err = store.CreateEvent(ctx, event); err != nil {
		return err
	}
	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: store.Journal(event.ID)}
	return runner.Run(ctx)
}

// opened opens a database until the end of the test.
func opened(t testing.TB, path string) *results.Store {
	t.Helper()
	store, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// database makes a closed database of an event with that number of matches, and returns its path.
func database(t testing.TB, matches int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arena.db")
	store, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	played(t, store, "event", matches)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// change changes a closed database without an arena.
func change(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// exported returns the first event of a database as arena export writes it.
func exported(t testing.TB, path string) string {
	t.Helper()
	store, err := results.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var file strings.Builder
	if _, err := store.Export(context.WithoutCancel(t.Context()), &file, 1); err != nil {
		t.Fatal(err)
	}
	return file.String()
}
