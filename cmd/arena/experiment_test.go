//go:build !race

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/lab/experiment"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// table1Args returns the arguments of a command that plays a small Table 1 into a database.
func table1Args(db string, matches int) []string {
	return []string{"experiment", "table1", "--db", db, "--playouts", "30", "--matches", fmt.Sprint(matches), "--size", "3x3", "--concurrency", "2"}
}

// However often an experiment is killed, the same command resumes it and ends with the games and the table of an
// undisturbed experiment.
func TestResumeExperimentAfterKill(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := t.TempDir()
	killed := &host{db: filepath.Join(folder, "killed.db")}
	alone := &host{db: filepath.Join(folder, "alone.db")}
	want, problems, code := run(t, "lab", table1Args(alone.db, 60)...)
	if code != 0 {
		t.Fatal(problems)
	}
	random := rand.New(rand.NewPCG(2048, 10))
	for round := range 12 {
		p := startProcess(t, "lab", table1Args(killed.db, 60)...)
		sign := "event"
		if round%2 == 0 {
			sign = "[=" // a game has ended, in this round or before
		}
		p.KillWhen(t, func() bool { return p.Printed(sign) }, time.Duration(random.IntN(50))*time.Millisecond)
		report := reportOnly(t, table1Args(killed.db, 60))
		if round == 0 && (report == want || finished(killed.games(t, 1)) == 0) {
			t.Errorf("the first kill did not fall between the first game and the last one: %s", report)
		}
	}
	got, problems, code := run(t, "lab", table1Args(killed.db, 60)...)
	if code != 0 || got != want {
		t.Errorf("after the kills it exits with %d: %s%s\nwant %s", code, got, problems, want)
	}
	for event := range int64(3) {
		expected := alone.games(t, event+1)
		if len(expected) != 120 {
			t.Errorf("%d games in event %d, want 120", len(expected), event+1)
		}
		compareGames(t, expected, killed.games(t, event+1))
	}
}

// reportOnly returns the report on the recorded games.
func reportOnly(t *testing.T, command []string) string {
	t.Helper()
	text, problems, code := run(t, "lab", append(command, "--report-only")...)
	if code != 0 {
		t.Fatalf("--report-only exits with %d: %s", code, problems)
	}
	return text
}

// After Ctrl-C an experiment prints the command that resumes it.
func TestResumeExperimentAfterInterrupt(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	db := filepath.Join(t.TempDir(), "e.db")
	args := table1Args(db, 96)
	p := startProcess(t, "lab", args...)
	p.AwaitOutput(t, "[==") // a tenth is played
	if report := reportOnly(t, args); !strings.Contains(report, " of 96 ") {
		t.Errorf("while it is being played: %s", report)
	}
	if text, problems, code := run(t, "lab", args...); code == 0 || !strings.Contains(problems, "--report-only reports") {
		t.Errorf("a second one exits with %d: %s%s", code, text, problems)
	}
	p.Interrupt(t)
	if err := p.Wait(); err == nil {
		t.Fatal("interrupted, it exits with 0")
	}
	resume := fmt.Sprintf("experiment table1 --db %s --playouts 30", db)
	if told := p.Output.String(); !strings.Contains(told, "interrupted with ") || !strings.Contains(told, resume) {
		t.Errorf("the output does not say how to resume: %s", told)
	}
	if text, problems, code := run(t, "lab", args...); code != 0 || strings.Count(text, "96 of 96") != 6 {
		t.Errorf("after the interrupt it exits with %d: %s%s", code, text, problems)
	}
}

// A trial that its recorded matches decide is only reported. An undecided trial continues, but not beyond --matches.
func TestTrialContinuesUntilDecided(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
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
		out, problems, code := run(t, "lab", "experiment", "improvements", "edges",
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

// recordWonTrial creates a database with the event of the variant edges on the smallest board. The variant has won the
// given number of matches.
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
	events, err := experiment.ImprovementEvents(variants, experiment.Config{Matches: matches, Size: size, Seed: 1, Concurrency: 2, Time: 1})
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.CreateEvent(ctx, events[0])
	if err != nil {
		t.Fatal(err)
	}
	journal := store.Journal(id)
	f := format.New(events[0])
	for pairing, ok := f.Next(tournament.Everyone{}); ok; pairing, ok = f.Next(tournament.Everyone{}) {
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

// matedGame returns a game before its last ply. In it edges scores more than MCTS2.
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
