package results

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"versus2048/tournament"
)

// A database of the schema's version 1, as an arena of that time has left it:
// of a duel of two matches three games are finished, and one is in progress
// after five plies.
func TestVersion1(t *testing.T) {
	old, err := os.ReadFile("testdata/version1.db")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "arena.db")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(t.Context(), path); err == nil || !strings.Contains(err.Error(), "its schema is 1, want 4: open it once with arena serve") {
		t.Errorf("reading before it is brought up to date: error %v", err)
	}
	s, err := Open(t.Context(), path)
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

// oldGame is a game of the old database, which has no search reports.
func oldGame(id int64, match, leg, plies int) tournament.Game {
	g := duelGame(match, leg)
	playOn(&g, nil, plies)
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

// resumeOld goes on with the game in progress, with search reports.
func resumeOld(t *testing.T, s *Store) {
	t.Helper()
	j := s.Journal(1)
	g := open(t, j, duelGame(2, 2))
	playOn(&g, j, 6)
	flush(t, j)
	wantStored(t, s, g)
	if g.Record.Searches == nil {
		t.Error("the game was gone on with without a search report")
	}
	playOn(&g, j, -1)
	if err := j.Finish(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	wantStored(t, s, g)
}
