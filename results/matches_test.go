package results

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// mixed records a duel with faults, a game in progress and a match with one game played.
func mixed(t *testing.T, s *Store) tournament.Event {
	t.Helper()
	e := duel(6)
	var err error
	if e.ID, err = s.CreateEvent(t.Context(), duel(6)); err != nil {
		t.Fatal(err)
	}
	j := s.Journal(e.ID)
	for match := 1; match <= 4; match++ {
		for leg := 1; leg <= 2; leg++ {
			g := open(t, j, duelGame(match, leg))
			if match == 1 {
				playOn(&g, j, -1)
			} else {
				playOn(&g, j, match+leg)
				if match == 2 { // and none after it
					g.Record.AddPause(time.Duration(leg)*time.Second, time.Minute)
				}
				fail(&g, []record.Ending{record.Time, record.Resigned, record.MaxTurns}[match-2])
			}
			if err := j.Finish(t.Context(), g); err != nil {
				t.Fatal(err)
			}
		}
	}
	finish(t, j, 6, 2)
	begun := open(t, j, duelGame(5, 1))
	playOn(&begun, j, 5)
	flush(t, j)
	if e, err = s.Event(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	return e
}

// The referee's announcements give the same statistics as replaying the games.
func TestMatchesAgreeWithTheGames(t *testing.T) {
	s := openNew(t)
	mixed(t, s)
	e := mixed(t, s) // beside another event
	games, err := s.FinishedGames(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := tournament.Matches(games)
	got, err := s.Matches(t.Context(), e)
	if err != nil || len(got) != 4 || !reflect.DeepEqual(got, want) {
		t.Fatalf("matches %+v (%v), want %+v", got, err, want)
	}
	sheet, err := s.Timesheet(t.Context(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := statistics(t, e, got, sheet); !strings.Contains(text, `"stall_ms":`) || !strings.Contains(text, `"away_ms":`) {
		t.Errorf("no pauses in the statistics: %s", text)
	}
	if got, want := statistics(t, e, got, sheet), statistics(t, e, got, report.TimesheetOf(games, want)); got != want {
		t.Errorf("statistics %s\nwant %s", got, want)
	}
	if last, err := s.LastEvent(t.Context()); err != nil || last.ID != e.ID {
		t.Errorf("last event %d (%v), want %d", last.ID, err, e.ID)
	}
}

func statistics(t *testing.T, e tournament.Event, matches []tournament.MatchResult, times *report.Timesheet) string {
	t.Helper()
	s, err := report.NewStatistics(e, matches, times, nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

func TestDamagedTimesAreNamed(t *testing.T) {
	s := openNew(t)
	e := mixed(t, s)
	if _, err := s.write.Exec(`UPDATE games SET times = x'80' WHERE id = 3`); err != nil {
		t.Fatal(err)
	}
	aside := tournament.SetAside{}
	for _, entry := range e.Entries {
		aside[entry.Name] = 0 // before its first match
	}
	if _, err := s.Timesheet(t.Context(), e, aside); err != nil {
		t.Errorf("times that are not wanted: %v", err)
	}
	if _, err := s.Timesheet(t.Context(), e, nil); err == nil || !strings.Contains(err.Error(), "game 3: the packed times are damaged") {
		t.Errorf("error %v", err)
	}
}
