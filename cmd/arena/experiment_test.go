package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/arena"
)

// table1Command plays a small Table 1 into a database.
func table1Command(db string, matches int) []string {
	return []string{"experiment", "table1", "--db", db, "--playouts", "30", "--matches", fmt.Sprint(matches), "--size", "3x3", "--concurrency", "2"}
}

// However often it is killed, the same command goes on and ends with the games
// and the table of one that was left alone.
func TestKilledExperimentGoesOn(t *testing.T) {
	folder := t.TempDir()
	killed := &host{db: filepath.Join(folder, "killed.db")}
	alone := &host{db: filepath.Join(folder, "alone.db")}
	want, problems, code := run(t, "arena", table1Command(alone.db, 6)...)
	if code != 0 {
		t.Fatal(problems)
	}
	random := rand.New(rand.NewPCG(2048, 10))
	for round := range 12 {
		p := startProcess(t, "arena", table1Command(killed.db, 6)...)
		sign := "event"
		if round%2 == 0 {
			sign = "[=" // a game has ended, in this round or before
		}
		p.killAfter(t, sign, time.Duration(random.IntN(50))*time.Millisecond)
		report := reportOnly(t, table1Command(killed.db, 6))
		if round == 0 && (report == want || finished(killed.games(t, 1)) == 0) {
			t.Errorf("the first kill did not fall between the first game and the last one: %s", report)
		}
	}
	got, problems, code := run(t, "arena", table1Command(killed.db, 6)...)
	if code != 0 || got != want {
		t.Errorf("after the kills it exits with %d: %s%s\nwant %s", code, got, problems, want)
	}
	for event := range int64(3) {
		expected := alone.games(t, event+1)
		if len(expected) != 12 {
			t.Errorf("%d games in event %d, want 12", len(expected), event+1)
		}
		compareGames(t, expected, killed.games(t, event+1))
	}
}

// killAfter kills the process some time after it has printed a text, unless it
// exits before.
func (p *process) killAfter(t *testing.T, text string, d time.Duration) {
	t.Helper()
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = p.Wait() // it was killed
	}()
	p.awaitOutput(t, text, exited)
	select {
	case <-time.After(d):
		_ = p.Process.Kill() // it may have exited
		<-exited
	case <-exited:
	}
}

// reportOnly is the report of what is there.
func reportOnly(t *testing.T, command []string) string {
	t.Helper()
	text, problems, code := run(t, "arena", append(command, "--report-only")...)
	if code != 0 {
		t.Fatalf("--report-only exits with %d: %s", code, problems)
	}
	return text
}

// Ctrl-C ends it with the command that goes on, which does.
func TestInterruptedExperimentGoesOn(t *testing.T) {
	db := filepath.Join(t.TempDir(), "e.db")
	args := table1Command(db, 24)
	p := startProcess(t, "arena", args...)
	p.awaitOutput(t, "[==", nil) // a tenth is played
	if report := reportOnly(t, args); !strings.Contains(report, " of 24 ") {
		t.Errorf("while it is being played: %s", report)
	}
	if text, problems, code := run(t, "arena", args...); code == 0 || !strings.Contains(problems, "--report-only reports") {
		t.Errorf("a second one exits with %d: %s%s", code, text, problems)
	}
	p.interrupt(t)
	if err := p.Wait(); err == nil {
		t.Fatal("interrupted, it exits with 0")
	}
	resume := fmt.Sprintf("experiment table1 --db %s --playouts 30", db)
	if told := p.output.String(); !strings.Contains(told, "interrupted with ") || !strings.Contains(told, resume) {
		t.Errorf("it does not say how to go on: %s", told)
	}
	if text, problems, code := run(t, "arena", args...); code != 0 || strings.Count(text, "24 of 24") != 6 {
		t.Errorf("after the interrupt it exits with %d: %s%s", code, text, problems)
	}
}

func TestAllLeft(t *testing.T) {
	for _, tc := range []struct {
		done, total, later int
		left               time.Duration
		want               string
	}{
		{10, 40, 60, 30 * time.Minute, ", 1:30:00 in all"},
		{39, 40, 0, time.Minute, ""}, // nothing comes later
		{0, 40, 60, 0, ""},           // no game has ended yet
		{40, 40, 60, 0, ""},          // the event is over
		{38, 40, 1, time.Minute, ", 1:30 in all"},
	} {
		p := arena.Progress{Done: tc.done, Total: tc.total, Left: arena.Millis(tc.left)}
		if got := allLeft(p, tc.later); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc, got, tc.want)
		}
	}
}
