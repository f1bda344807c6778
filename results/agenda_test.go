package results

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/tournament/agenda"
)

// weekly returns the first item of a series.
func weekly(t *testing.T) agenda.Item {
	t.Helper()
	every, err := agenda.ParseEvery("sat,sun@20:00")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Date(2026, time.December, 5, 20, 0, 0, 123456789, time.UTC)
	return agenda.Item{Wanted: agenda.Running, Begin: begin, Wait: time.Hour, Every: every, Times: 3, Nth: 1, Reason: "none"}
}

func TestAgenda(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.Plan(t.Context(), duel(1), weekly(t))
	if want := int64(1); err != nil || first.Event != want || first.Place != want || first.Series != want {
		t.Fatalf("item %+v, error %v", first, err)
	}
	next, _ := first.Next()
	next, err = s.Plan(t.Context(), duel(1), next, first.Begun())
	if err != nil || next.Event != 2 || next.Series != 1 || next.Place != 2 {
		t.Fatalf("item %+v, error %v", next, err)
	}
	alone, err := s.CreateEvent(t.Context(), duel(1))
	if err != nil {
		t.Fatal(err)
	}
	noted, err := s.Note(t.Context(), agenda.Item{Event: alone, Wanted: agenda.Paused})
	if err != nil || noted.Place != 3 {
		t.Fatalf("item %+v, error %v", noted, err)
	}
	want := []agenda.Item{first.Begun(), next, noted}
	for range 2 { // before and after a restart
		if got, err := s.Agenda(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("agenda %+v, error %v, want %+v", got, err, want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	defer s.Close()
	if err := errors.Join(s.Drop(t.Context(), 1), s.Drop(t.Context(), 1), s.Drop(t.Context(), 3)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Agenda(t.Context()); err != nil || !reflect.DeepEqual(got, want[1:2]) {
		t.Errorf("agenda %+v, error %v, want %+v", got, err, want[1:2])
	}
}

// An event and its item are recorded together or not at all.
func TestPlanIsWhole(t *testing.T) {
	s := openNew(t)
	if _, err := s.Plan(t.Context(), duel(1), agenda.Item{Wanted: "a mistake"}); err == nil {
		t.Error("an item with a mistake was recorded")
	}
	if _, err := s.Plan(t.Context(), duel(1), weekly(t), agenda.Item{Event: 99, Wanted: agenda.Running}); err == nil {
		t.Error("an item of no event was recorded")
	}
	events, err := s.Events(t.Context())
	if items, failed := s.Agenda(t.Context()); err != nil || failed != nil || len(events) > 0 || len(items) > 0 {
		t.Errorf("recorded are %+v and %+v, errors %v, %v", events, items, err, failed)
	}
}

// An item that begins in the year 10000 of UTC is not recorded: the agenda could not be read again.
func TestBeginOfAnItem(t *testing.T) {
	west := time.FixedZone("", -5*60*60)
	for name, c := range map[string]struct {
		begin time.Time
		fits  bool
	}{
		"begun":                   {time.Time{}, true},
		"the last second":         {time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC), true},
		"10000":                   {time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC), false},
		"9999 here, 10000 in UTC": {time.Date(9999, time.December, 31, 23, 30, 0, 0, west), false},
		"10000 here, 9999 in UTC": {time.Date(10000, time.January, 1, 0, 30, 0, 0, time.FixedZone("", 60*60)), true},
	} {
		s := openNew(t)
		check := func(what string, err error) {
			if wrong := err != nil && strings.Contains(err.Error(), "want a year from 0 to 9999"); c.fits != (err == nil) || !c.fits && !wrong {
				t.Errorf("%s: %s with error %v", name, what, err)
			}
		}
		_, err := s.Plan(t.Context(), duel(1), agenda.Item{Wanted: agenda.Running, Begin: c.begin})
		check("planned", err)
		event, err := s.CreateEvent(t.Context(), duel(1))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Note(t.Context(), agenda.Item{Event: event, Wanted: agenda.Running, Begin: c.begin})
		check("noted", err)
		items, err := s.Agenda(t.Context())
		if want := map[bool]int{true: 2}[c.fits]; err != nil || len(items) != want {
			t.Errorf("%s: agenda %+v, error %v, want %d items", name, items, err, want)
		}
	}
}
