package results

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// formatEvent returns an event of eight bots, or of two for an sprt.
func formatEvent(kind string) tournament.Event {
	e := tournament.Event{
		Name:        kind,
		Size:        rules.Size{Width: 3, Height: 2},
		Seed:        5,
		Matches:     2,
		Concurrency: 6,
		Settings:    tournament.Settings{Plan: tournament.Plan{Kind: kind}},
	}
	for i, spec := range []string{"greedy", "random", "greedy", "random", "random", "greedy", "random", "greedy"} {
		e.Entries = append(e.Entries, tournament.Entry{Name: fmt.Sprintf("bot%d", i), Spec: spec})
	}
	if kind == tournament.SPRT {
		e.Settings.Plan.SPRT.Elo1 = 200
		e.Entries, e.Matches = e.Entries[:2], 0
	}
	if kind == tournament.Placement {
		e.Matches = 16
	}
	return e
}

// stopAfter stops a run when a number of games have ended.
type stopAfter struct {
	games atomic.Int64
	stop  context.CancelFunc
}

func (s *stopAfter) Progress(tournament.Counts)              {}
func (s *stopAfter) Begun(tournament.Game)                   {}
func (s *stopAfter) Played(*tournament.Game, tournament.Ply) {}
func (s *stopAfter) Paused(bool)                             {}
func (s *stopAfter) Changed(tournament.Event)                {}
func (s *stopAfter) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {
	if s.games.Add(-1) == 0 {
		s.stop()
	}
}

// playFormat plays the database's first event, which it creates if necessary, until the given number
// of games have ended, or to its end if the number is 0.
func playFormat(t *testing.T, path string, e tournament.Event, games int64) (tournament.Standings, int) {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Event(t.Context(), 1); err != nil {
		if _, err := s.CreateEvent(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if e, err = s.Event(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	watcher := &stopAfter{stop: cancel}
	watcher.games.Store(games)
	err = runFormat(ctx, s, e, watcher, nil)
	if games > 0 && !errors.Is(err, tournament.ErrInterrupted) || games == 0 && err != nil {
		t.Fatalf("%s: stopped after %d games with error %v", e.Name, games, err)
	}
	played := finished(t, s.Journal(e.ID))
	f := format.New(e)
	if err := s.EachMatch(t.Context(), e, f.Add); err != nil {
		t.Fatal(err)
	}
	return f.Standings(), len(played)
}

func runFormat(ctx context.Context, s *Store, e tournament.Event, w tournament.Watcher, changes <-chan tournament.LineupChange) error {
	r := tournament.Runner{Event: e, Format: format.New, Watcher: w, Changes: changes}
	for _, entry := range e.Entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			return err
		}
		r.Bots = append(r.Bots, &tournament.LocalBot{ID: tournament.Identity{Name: entry.Name}, Games: 3, New: spec.New})
	}
	j := s.Journal(e.ID)
	r.Journal = j
	writing, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- j.Run(writing) }()
	err := r.Run(ctx)
	stop()
	return errors.Join(err, <-ended)
}

// An event of each format that is stopped twice, its database closed and opened again, ends with the
// same standings as one that is played without a stop, one game at a time.
func TestFormatsResume(t *testing.T) {
	testkit.Long(t)
	for _, kind := range tournament.Formats() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			e := formatEvent(kind)
			alone := e
			alone.Concurrency = 1
			want, games := playFormat(t, filepath.Join(t.TempDir(), "whole.db"), alone, 0)
			if games < 10 || len(want.Places) != len(e.Entries) {
				t.Fatalf("%d games, standings %+v", games, want)
			}
			path := filepath.Join(t.TempDir(), "stopped.db")
			playFormat(t, path, e, int64(games/4))
			playFormat(t, path, e, int64(games/4))
			got, again := playFormat(t, path, e, 0)
			if again != games || !reflect.DeepEqual(got, want) {
				t.Errorf("%d games, want %d; standings\n%+v\nwant\n%+v", again, games, got, want)
			}
			wantOver(t, path, games)
		})
	}
}

// wantOver checks that the event is over, without games in progress.
func wantOver(t *testing.T, path string, games int) {
	t.Helper()
	s, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	events, err := s.Events(t.Context())
	if err != nil || len(events) != 1 || !events[0].Over || events[0].Total.Matches != games/2 || events[0].Total.Bound != tournament.Exactly {
		t.Errorf("events %+v, error %v", events, err)
	}
	all := 0
	err = s.Games(t.Context(), Filter{Event: 1}, func(Stored) error {
		all++
		return nil
	})
	if err != nil || all != games {
		t.Errorf("%d games on record, error %v: want the %d finished ones", all, err, games)
	}
}
