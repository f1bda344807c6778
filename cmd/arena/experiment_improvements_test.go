package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/experiment"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// A trial that its matches on record decide is only reported; one that they don't
// decide goes on, but not beyond --matches.
func TestTrialGoesOnUntilDecided(t *testing.T) {
	for _, tc := range []struct {
		won, most int
		row       string
	}{
		{8, 40, "| 8 | 8-0-0 |"},
		{8, 3, "| 8 | 8-0-0 |"},
		{7, 7, "| 7 | 7-0-0 |"},
		{7, 9, "| 9 | "},
	} {
		db := filepath.Join(t.TempDir(), "won.db")
		recordWonTrial(t, db, tc.won)
		out, problems, code := run(t, "arena", "experiment", "improvements", "edges",
			"--db", db, "--matches", fmt.Sprint(tc.most), "--size", "2x2", "--time", "1")
		if code != 0 || !strings.Contains(out, tc.row) {
			t.Errorf("%d matches won, %d at most: it exits with %d, want %q: %s%s", tc.won, tc.most, code, tc.row, out, problems)
		}
		if better := strings.Contains(out, "| better |"); tc.won == 8 && !better {
			t.Errorf("%d matches won: %s", tc.won, out)
		}
		if played := strings.Contains(problems, "undecided") || strings.Contains(problems, "better"); played != (tc.won < tc.most && tc.won < 8) {
			t.Errorf("%d matches won, %d at most: progress %q", tc.won, tc.most, problems)
		}
	}
}

// recordWonTrial makes a database with the event of the variant edges on the
// smallest board, and so many matches that it has won.
func recordWonTrial(t *testing.T, db string, matches int) {
	t.Helper()
	ctx := t.Context()
	store, err := results.Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	variants, err := experiment.VariantsNamed([]string{"edges"})
	if err != nil {
		t.Fatal(err)
	}
	size := rules.Size{Width: 2, Height: 2}
	events, err := experiment.ImprovementEvents(variants, experiment.Settings{Matches: matches, Size: size, Seed: 1, Concurrency: 2, Time: 1})
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.CreateEvent(ctx, events[0])
	if err != nil {
		t.Fatal(err)
	}
	journal := store.Journal(id)
	for _, pairing := range format.New(events[0]).Next(nil) {
		for leg := 1; leg <= 2; leg++ {
			game, err := journal.Open(ctx, matedGame(t, pairing, leg))
			if err != nil {
				t.Fatal(err)
			}
			game.Record.Moves, game.Record.Ending = []rules.Move{rules.Place(1, false)}, record.Mate
			game.Record.Times, game.Record.Lags = make([]time.Duration, 1), make([]time.Duration, 1)
			if err := journal.Finish(ctx, game); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// matedGame is a game before its last ply, in which edges scores more than MCTS2.
func matedGame(t *testing.T, pairing tournament.Pairing, leg int) tournament.Game {
	t.Helper()
	attacker, defender := pairing.Roles(leg)
	tile, score := 32, 128
	if defender == "edges" {
		tile, score = 64, 320
	}
	start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{tile, 0}, {4, 8}}, rules.Attacker, 20+score, 0)
	if err != nil {
		t.Fatal(err)
	}
	record := record.Record{Attacker: attacker, Defender: defender, Start: start, Ending: record.Unfinished}
	return tournament.Game{Pairing: pairing, Leg: leg, Record: record}
}
