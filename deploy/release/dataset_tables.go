package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"versus2048"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules"
)

// split is a part of the dataset: the games from some of the openings.
type split struct {
	Name                          string
	Openings                      int
	Games, Plies, Reports, Faults int
	Bytes                         int64
}

// newSplits returns the splits for a number of openings: a fifth of them, but at least one, is for tests.
func newSplits(openings int) []split {
	test := max(1, openings/5)
	return []split{{Name: "train", Openings: openings - test}, {Name: "test", Openings: test}}
}

// writeTables writes the games of a database into a folder for each split.
func writeTables(ctx context.Context, database, out string, openings int) ([]split, error) {
	store, err := results.OpenReader(ctx, database)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	source, err := sourceOf(ctx, store)
	if err != nil {
		return nil, err
	}
	games, err := inOrder(ctx, store)
	if err != nil {
		return nil, err
	}
	if err := checkOpenings(games, openings); err != nil {
		return nil, err
	}
	splits := newSplits(openings)
	for i := range splits {
		s := &splits[i]
		end := slices.IndexFunc(games, func(g game) bool { return i == 0 && g.opening > s.Openings })
		if end < 0 {
			end = len(games) // the last split has all other openings
		}
		folder := filepath.Join(out, s.Name)
		if err := os.Mkdir(folder, 0o755); err != nil { // #nosec G301 -- its files are for everybody
			return nil, err
		}
		err := parquet.WriteFolder(folder, false, source, func(w *parquet.Writer) error {
			return s.write(ctx, store, w, games[:end])
		})
		if err != nil {
			return nil, err
		}
		games = games[end:]
	}
	return splits, nil
}

// game is the place of a game in the event.
type game struct {
	id      int64 // in the database
	opening int   // from 1
	match   int
	leg     int
	start   rules.Position
	scored  bool
	number  int64 // in the dataset
}

// inOrder returns the games in the order of their openings and matches. Their order in the database depends on the time
// that they took.
func inOrder(ctx context.Context, store *results.Reader) (games []game, err error) {
	err = store.Games(ctx, results.Filter{Event: 1, Scored: true}, func(g results.Stored) error {
		games = append(games, game{id: g.ID, opening: (g.Nth + 1) / 2, match: g.Match, leg: g.Leg, start: g.Record.Start, scored: g.Scored})
		return nil
	})
	slices.SortFunc(games, func(a, b game) int {
		return cmp.Or(cmp.Compare(a.opening, b.opening), cmp.Compare(a.match, b.match), cmp.Compare(a.leg, b.leg))
	})
	for i := range games {
		games[i].number = int64(i + 1)
	}
	return games, err
}

// checkOpenings returns an error if two openings are the same, as on small boards: both splits could have that opening.
func checkOpenings(games []game, openings int) error {
	starts := map[rules.Position]bool{}
	for _, g := range games {
		starts[g.start] = true
	}
	if len(starts) < openings {
		return fmt.Errorf("--openings %d: on this board only %d are different", openings, len(starts))
	}
	return nil
}

// write writes games without their times, and counts them.
func (s *split) write(ctx context.Context, store *results.Reader, w *parquet.Writer, games []game) error {
	for _, at := range games {
		filter := results.Filter{Event: 1, Game: at.id, Searches: true}
		if err := store.Games(ctx, filter, func(g results.Stored) error {
			g.ID, g.Scored = at.number, at.scored
			timeless(&g)
			s.count(&g)
			return w.Write(g)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *split) count(g *results.Stored) {
	s.Games++
	s.Plies += len(g.Record.Moves)
	if g.Record.Ending.Fault() {
		s.Faults++
	}
	for _, report := range g.Record.Searches {
		if report != nil {
			s.Reports++
		}
	}
}

// timeless removes the measured times, which another run would not repeat.
func timeless(g *results.Stored) {
	g.Started, g.Finished = time.Unix(0, 0).UTC(), time.Unix(0, 0).UTC()
	g.Record.Times, g.Record.Lags, g.Record.Pauses = nil, nil, nil
	for _, report := range g.Record.Searches {
		if report != nil {
			report.Time, report.CPU = 0, 0
		}
	}
}

// sourceOf returns the metadata of the files: the header of the event without its date, and without the number of games
// at once, which depends on the machine. It also leaves out memberships and identities.
func sourceOf(ctx context.Context, store *results.Reader) (parquet.Source, error) {
	header, err := store.Header(ctx, 1)
	if err != nil {
		return parquet.Source{}, err
	}
	var content struct {
		Format  string         `json:"format"`
		Version int            `json:"version"`
		Event   map[string]any `json:"event"`
		Entries []any          `json:"entries"`
	}
	if err := json.Unmarshal(header, &content); err != nil {
		return parquet.Source{}, err
	}
	delete(content.Event, "created")
	delete(content.Event, "concurrency")
	header, err = json.Marshal(content)
	return parquet.Source{Event: header, Version: versus2048.Version()}, err
}
