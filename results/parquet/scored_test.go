package parquet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	format "github.com/parquet-go/parquet-go"

	"versus2048/players"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules"
	"versus2048/tournament"
	formats "versus2048/tournament/format"
)

// careless is a player that fails as the attacker of every third game.
type careless struct {
	players.Player
	fails bool
}

func (c careless) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if c.fails && p.SideToMove() == rules.Attacker && p.Ply() > 6 {
		return rules.North, nil
	}
	return c.Player.Choose(ctx, p)
}

// playCareless plays an event with a bot that fails as the attacker, until it is over or has begun
// a number of games.
func playCareless(t *testing.T, settings tournament.Settings, games int) (*results.Store, tournament.Event) {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	e := tournament.Event{Name: "careless", Size: rules.Size{Width: 3, Height: 3}, Matches: 8, Concurrency: 1, Settings: settings}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	begun := 0
	var bots []tournament.Bot
	for _, name := range []string{"greedy", "random", "careless"} {
		e.Entries = append(e.Entries, tournament.Entry{Name: name})
		spec, err := players.Parse("greedy")
		if err != nil {
			t.Fatal(err)
		}
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: name}, Games: 1, New: func(g players.Game) players.Player {
			if begun++; begun > 2*games {
				stop()
			}
			return careless{spec.New(g), name == "careless" && begun%3 == 0}
		}})
	}
	if e.ID, err = store.CreateEvent(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	runner := tournament.Runner{Event: e, Format: formats.New, Bots: bots, Journal: store.Journal(e.ID)}
	if err := runner.Run(ctx); err != nil && !errors.Is(err, tournament.ErrInterrupted) {
		t.Fatal(err)
	}
	return store, e
}

// The rows with a score give the means of arena stats, also of an event with games that faults cut short.
func TestScored(t *testing.T) {
	for name, c := range map[string]struct {
		settings tournament.Settings
		games    int
	}{
		"faults":          {tournament.Settings{}, 100},
		"interrupted":     {tournament.Settings{}, 19},
		"struck out":      {tournament.Settings{Strikes: tournament.Strikes{Faults: 2}}, 100},
		"void":            {tournament.Settings{Strikes: tournament.Strikes{Faults: 2, Games: tournament.VoidGames}}, 100},
		"early decisions": {tournament.Settings{Adjudication: tournament.Adjudication{EarlyDecision: true}}, 100},
	} {
		t.Run(name, func(t *testing.T) {
			store, e := playCareless(t, c.settings, c.games)
			var files [3]bytes.Buffer
			header, err := store.Header(t.Context(), e.ID)
			if err != nil {
				t.Fatal(err)
			}
			w := parquet.NewWriter(parquet.Source{Event: header, Version: "v1.3.0"}, &files[0], &files[1], &files[2])
			err = store.Games(t.Context(), results.Filter{Event: e.ID, Searches: true, Scored: true}, w.Write)
			if err := errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			sums, counts, others := map[string]float64{}, map[string]int{}, 0
			for _, g := range read[parquet.Game](t, files[0]) {
				if g.Scored {
					sums[g.Defender] += float64(g.Score)
					counts[g.Defender]++
				} else {
					others++
				}
			}
			if others == 0 {
				t.Error("all games have a score that counts")
			}
			collected, err := store.Collect(t.Context(), e, false)
			if err != nil {
				t.Fatal(err)
			}
			s, err := collected.Statistics(nil)
			if err != nil {
				t.Fatal(err)
			}
			defenders := 0
			for _, r := range s.Roles {
				if r.Side != "defender" {
					continue
				}
				defenders++
				if mean := sums[r.Name] / float64(counts[r.Name]); r.Games != counts[r.Name] || r.Games > 0 && r.MeanScore.Value != mean {
					t.Errorf("%s: %d games, mean %v; the rows have %d, mean %v", r.Name, r.Games, r.MeanScore.Value, counts[r.Name], mean)
				}
			}
			if defenders != len(e.Entries) {
				t.Errorf("%d bots defend in the statistics, want %d", defenders, len(e.Entries))
			}
		})
	}
}

// Each file names its event, and the program that has written it.
func TestMetadata(t *testing.T) {
	store, closeStore := playedStore(t.Context())
	defer closeStore()
	header, err := store.Header(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var files [3]bytes.Buffer
	if err := parquet.NewWriter(parquet.Source{Event: header, Version: "v1.3.0"}, &files[0], &files[1], &files[2]).Close(); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		file, err := format.OpenFile(bytes.NewReader(files[i].Bytes()), int64(files[i].Len()))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := file.Lookup(parquet.EventKey)
		version, _ := file.Lookup(parquet.VersionKey)
		var of struct {
			Event   tournament.Event
			Entries []tournament.Entry
		}
		if err := json.Unmarshal([]byte(text), &of); err != nil || of.Event.Name != "small" || len(of.Entries) != 2 || of.Event.Matches != 2 {
			t.Errorf("file %d: event %+v, error %v", i, of, err)
		}
		if created := file.Metadata().CreatedBy; version != "v1.3.0" || !strings.HasPrefix(created, "versus2048 version v1.3.0") {
			t.Errorf("file %d: version %q, created by %q", i, version, created)
		}
	}
	if _, err := store.Header(t.Context(), 9); err == nil {
		t.Error("an event that is not there has a header")
	}
}
