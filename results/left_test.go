package results

import (
	"bytes"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// leaving is a Watcher that lets a bot leave after some games.
type leaving struct {
	stopAfter
	changes chan tournament.LineupChange
	left    sync.WaitGroup
	asked   atomic.Bool // whether the bot is leaving or has left
	after   int
	errs    chan error
}

func (l *leaving) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {
	if l.after--; l.after == 0 {
		c := tournament.LineupChange{Entry: tournament.Entry{Name: "bot1"}, Reply: l.errs, Free: make(chan struct{})}
		l.left.Go(func() { l.changes <- c })
		l.asked.Store(true)
	}
}

// Played stops the games until the runner has the change: else it may play all of them first.
func (l *leaving) Played(*tournament.Game, tournament.Ply) {
	if l.asked.Load() {
		l.left.Wait()
	}
}

// A bot leaves an event of each format. All views of the recorded event then agree: its progress,
// its crosstable, an export.
func TestFormatsAfterABotHasLeft(t *testing.T) {
	for _, kind := range tournament.Formats() {
		if kind == tournament.Ladder {
			continue // has tests of its own
		}
		t.Run(kind, func(t *testing.T) {
			s, err := Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			e := formatEvent(kind)
			if e.ID, err = s.CreateEvent(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			watch := &leaving{changes: make(chan tournament.LineupChange), after: 5, errs: make(chan error, 1)}
			if err := runFormat(t.Context(), s, e, watch, watch.changes); err != nil {
				t.Fatal(err)
			}
			watch.left.Wait()
			if err := <-watch.errs; err != nil {
				t.Fatal(err)
			}
			wantLeft(t, s, e.ID)
			var file bytes.Buffer
			if _, err := s.Export(t.Context(), &file, e.ID); err != nil {
				t.Fatal(err)
			}
			other, err := Open(t.Context(), filepath.Join(t.TempDir(), "other.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			imported, err := other.Import(t.Context(), &file, 0)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := wantLeft(t, s, e.ID), wantLeft(t, other, imported.Event); !reflect.DeepEqual(a, b) {
				t.Errorf("standings %+v, imported %+v", a, b)
			}
		})
	}
}

// wantLeft checks an event that is over, and that bot1 has left.
func wantLeft(t *testing.T, s *Store, event int64) tournament.Standings {
	t.Helper()
	p, err := s.Progress(t.Context(), event)
	if err != nil || !p.Over || p.Finished != 2*p.Total.Matches || p.Event.Present("bot1") {
		t.Fatalf("%d games of %+v, over %v, bots %+v, error %v", p.Finished, p.Total, p.Over, p.Event.Memberships, err)
	}
	collected, err := s.Collect(t.Context(), p.Event, false)
	if err != nil {
		t.Fatal(err)
	}
	f := format.New(p.Event)
	if err := s.EachMatch(t.Context(), p.Event, f.Add); err != nil {
		t.Fatal(err)
	}
	standings, rows := f.Standings(), collected.Crosstable().Standings
	if len(rows) == 0 || len(rows) != len(standings.Places) {
		t.Fatalf("%d rows for the places %+v", len(rows), standings.Places)
	}
	for i, row := range rows {
		if row.Name != standings.Places[i].Name || row.Left != (row.Name == "bot1") || row.SetAside != 0 {
			t.Errorf("row %+v, place %+v", row, standings.Places[i])
		}
	}
	return standings
}
