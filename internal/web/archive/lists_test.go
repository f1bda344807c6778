package archive_test

import (
	"bytes"
	"fmt"
	"log"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/web/archive"
	"versus2048/players"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/standing"
)

// openNew opens a new database and closes it when the test ends.
func openNew(t testing.TB, path string) *results.Store {
	t.Helper()
	s, err := results.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// quick is an event on a small board between a bot that the arena starts and a connected bot, me.
func quick(name string, matches int) tournament.Event {
	return tournament.Event{
		Name: name, Size: rules.Size{Width: 2, Height: 2}, Matches: matches, Concurrency: 2, InProcess: true,
		Entries: []tournament.Entry{{Name: "greedy", Spec: "greedy:seed=0"}, {Name: "me"}},
	}
}

// play plays an event, or the rest of it, with a version of me.
func play(t testing.TB, s *results.Store, e tournament.Event, version string) tournament.Event {
	t.Helper()
	if e.ID == 0 {
		id, err := s.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		e.ID = id
	} else if err := s.Extend(t.Context(), e.ID, e.Matches); err != nil {
		t.Fatal(err)
	}
	var bots []tournament.Bot
	for i, text := range []string{"greedy", "random"} {
		spec, err := players.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		id := tournament.Identity{Name: e.Entries[i].Name, Spec: e.Entries[i].Spec}
		if i == 1 {
			id.Version = version
		}
		bots = append(bots, &tournament.LocalBot{ID: id, Games: 2, New: spec.New})
	}
	runner := tournament.Runner{Event: e, Format: format.New, Bots: bots, Journal: s.Journal(e.ID)}
	if err := runner.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

// text writes the only list.
func text(t testing.TB, c *standing.Collector) string {
	t.Helper()
	all := c.Summaries()
	if len(all) != 1 {
		t.Fatalf("%d lists, want 1", len(all))
	}
	l, err := c.List(all[0].Conditions, standing.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	if err := l.WriteText(&written, 0); err != nil {
		t.Fatal(err)
	}
	return written.String()
}

// A bot that changes its version within an event, and between events, has a row for each. The list is the same after
// the database was closed and opened, and in another one that imports the events.
func TestLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	s := openNew(t, path)
	keeper := archive.NewLists(s.Reader)
	first := play(t, s, quick("first", 2), "1")
	first.Matches = 5
	play(t, s, first, "2")
	collected, err := keeper.Collector(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := keeper.Collector(t.Context()); err != nil || again != collected {
		t.Errorf("without a new game the database is read again (%v)", err)
	}
	play(t, s, quick("second", 3), "3")
	for old := collected; collected == old; <-time.After(time.Millisecond) { // a slow reading is repeated later
		if collected, err = keeper.Collector(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := text(t, collected)
	for _, part := range []string{"me 1", "me 2", "me 3", "greedy", "gpcc2015 2x2 untimed: 8 matches"} {
		if !strings.Contains(want, part) {
			t.Errorf("no %q in\n%s", part, want)
		}
	}
	files := exported(t, s, 1, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reader, err := results.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	imported := openNew(t, filepath.Join(t.TempDir(), "other.db"))
	for _, file := range files {
		if _, err := imported.Import(t.Context(), file, 0); err != nil {
			t.Fatal(err)
		}
	}
	for name, store := range map[string]*results.Reader{"after a restart": reader, "imported": imported.Reader} {
		collected, err := archive.CollectLists(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, collected); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// exported exports events.
func exported(t *testing.T, s *results.Store, events ...int64) (files []*bytes.Buffer) {
	t.Helper()
	for _, id := range events {
		file := &bytes.Buffer{}
		if _, err := s.Export(t.Context(), file, id); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func TestNoMatches(t *testing.T) {
	collected, err := archive.CollectLists(t.Context(), openNew(t, filepath.Join(t.TempDir(), "arena.db")).Reader)
	if err != nil || len(collected.Summaries()) != 0 {
		t.Errorf("%+v, %v: want no list", collected, err)
	}
}

// BenchmarkCollect reads 2000 games and rates their bots.
func BenchmarkCollect(b *testing.B) {
	s := openNew(b, filepath.Join(b.TempDir(), "arena.db"))
	const events, matches = 10, 100
	for i := range events {
		play(b, s, quick(fmt.Sprint(i), matches), fmt.Sprint(i))
	}
	for b.Loop() {
		collected, err := archive.CollectLists(b.Context(), s.Reader)
		if err != nil {
			b.Fatal(err)
		}
		text(b, collected)
	}
	b.ReportMetric(2*events*matches*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
