package results

import (
	"errors"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

func TestExtend(t *testing.T) {
	s := openNew(t)
	j := newDuel(t, s, 2)
	newDuel(t, s, 2) // another event, which stays as it is
	finish(t, j, 1, 1)
	finish(t, j, 1, 2)
	before := left(t, s, 1)
	for _, tc := range []struct{ to, want int }{{5, 5}, {3, 5}, {5, 5}} {
		if err := s.Extend(t.Context(), 1, tc.to); err != nil {
			t.Fatal(err)
		}
		if e, err := s.Event(t.Context(), 1); err != nil || e.Matches != tc.want {
			t.Errorf("extended to %d: %d matches, error %v, want %d", tc.to, e.Matches, err, tc.want)
		}
	}
	after := left(t, s, 1)
	if len(before) != 1 || len(after) != 4 || after[0] != before[0] {
		t.Errorf("left to play: %v, before %v", after, before)
	}
	if e, err := s.Event(t.Context(), 2); err != nil || e.Matches != 2 {
		t.Errorf("another event has %d matches now, error %v", e.Matches, err)
	}
	missing := new(NotFoundError)
	if err := s.Extend(t.Context(), 3, 5); !errors.As(err, &missing) {
		t.Errorf("extending no event: %v", err)
	}
}

// left are the matches of an event that are still to be played.
func left(t *testing.T, s *Store, event int64) []tournament.Pairing {
	t.Helper()
	e, err := s.Event(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	games, err := s.FinishedGames(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	return format.New(e).Next(tournament.Matches(games))
}
