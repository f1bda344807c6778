package results

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
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

// A start that cannot be parsed is an error each time.
func TestDamagedStarts(t *testing.T) {
	starts := newStarts(duel(1))
	for range 2 {
		if p, err := starts.parse([]byte("damaged")); err == nil {
			t.Errorf("it is read as %v", p)
		}
	}
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
	got := matchesOf(t, s, e)
	if len(got) != 4 || !reflect.DeepEqual(got, want) {
		t.Fatalf("matches %+v, want %+v", got, want)
	}
	collected, err := s.Collect(t.Context(), e, true)
	if err != nil {
		t.Fatal(err)
	}
	if text := statistics(t, collected); !strings.Contains(text, `"stall_ms":`) || !strings.Contains(text, `"away_ms":`) {
		t.Errorf("no pauses in the statistics: %s", text)
	}
	if got, want := statistics(t, collected), statistics(t, report.CollectorOf(e, games)); got != want {
		t.Errorf("statistics %s\nwant %s", got, want)
	}
	if last, err := s.LastEvent(t.Context()); err != nil || last.ID != e.ID {
		t.Errorf("last event %d (%v), want %d", last.ID, err, e.ID)
	}
}

// matchesOf returns an event's decided matches, by number.
func matchesOf(t *testing.T, s *Store, e tournament.Event) (matches []tournament.MatchResult) {
	t.Helper()
	if err := s.EachMatch(t.Context(), e, func(m tournament.MatchResult) { matches = append(matches, m) }); err != nil {
		t.Fatal(err)
	}
	return matches
}

func statistics(t *testing.T, collected *report.Collector) string {
	t.Helper()
	s, err := collected.Statistics(nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// The statistics of many games take no more memory than the statistics of a few. Loading the games
// would.
func TestStatisticsTakeLittleMemory(t *testing.T) {
	testkit.Long(t)
	const few, many, different = 500, 3000, 100
	peaks := func(games int) (streamed, loaded uint64) {
		s := openNew(t)
		e := fill(t, s, 2, games, different)
		streamed = testkit.PeakAllocated(func() {
			collected, err := s.Collect(t.Context(), e, true)
			if err != nil {
				t.Fatal(err)
			}
			if all := collected.HeadToHeads(); len(all) != 1 || len(collected.Crosstable().Standings) != 2 {
				t.Errorf("head-to-heads %+v", all)
			}
		})
		loaded = testkit.PeakAllocated(func() {
			all, err := s.FinishedGames(t.Context(), e.ID)
			if err != nil || len(report.CollectorOf(e, all).HeadToHeads()) != 1 {
				t.Error(err)
			}
		})
		return streamed, loaded
	}
	fewStreamed, fewLoaded := peaks(few)
	manyStreamed, manyLoaded := peaks(many)
	t.Logf("%d and %d games: %d and %d bytes streamed, %d and %d loaded", few, many, fewStreamed, manyStreamed, fewLoaded, manyLoaded)
	if grown, of := int64(manyStreamed)-int64(fewStreamed), int64(manyLoaded)-int64(fewLoaded); grown > of/4 {
		t.Errorf("%d games more take %d bytes more, and %d if all are loaded", many-few, grown, of)
	}
}

func TestDamagedTimesAreNamed(t *testing.T) {
	s := openNew(t)
	e := mixed(t, s)
	if _, err := s.write.Exec(`UPDATE games SET times = x'80' WHERE id = 3`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Collect(t.Context(), e, false); err != nil {
		t.Errorf("times that are not wanted: %v", err)
	}
	void := e
	void.Settings.Strikes = tournament.Strikes{Faults: 1, Games: tournament.VoidGames}
	if _, err := s.Collect(t.Context(), void, true); err != nil {
		t.Errorf("times of games that don't count: %v", err)
	}
	if _, err := s.Collect(t.Context(), e, true); err == nil || !strings.Contains(err.Error(), "game 3: the packed times are damaged") {
		t.Errorf("error %v", err)
	}
}
