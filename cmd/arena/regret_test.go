package main

import (
	"path/filepath"
	"strings"
	"testing"

	"versus2048/analysis/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// writeTable writes the table of gpcc2016 on 2x2.
func writeTable(t *testing.T) string {
	t.Helper()
	solution, err := exact.Solve(t.Context(), rules.GPCC2016, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.table")
	if err := solution.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ctrl-C ends a measurement at once, also within a move that takes long.
func TestInterruptedRegret(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	p := startProcess(t, "arena", "regret", "--table", writeTable(t), "--bot", "random", "--bot", "mcts:playouts=100000000", "--out", out)
	p.awaitOutput(t, "random (1 of 2) [====================]", nil)
	p.interrupt(t)
	if err := p.Wait(); err == nil {
		t.Error("interrupted, it exits with 0")
	}
	if told := p.output.String(); !strings.Contains(told, "interrupted; nothing is kept") {
		t.Errorf("it says %s", told)
	}
	if found, err := filepath.Glob(out); err != nil || found != nil {
		t.Errorf("it has written %v, %v", found, err)
	}
}

// A bot that has connected by itself gives up games that its table is not of, and
// says why.
func TestPerfectGivesUpOtherGames(t *testing.T) {
	table := writeTable(t)
	h := newHost(t)
	h.serve(t)
	h.bot(t, "oracle", "perfect:table="+table, "--quiet")
	h.await(t, 1)
	play := func(ruleset string) {
		t.Helper()
		_, problems, code := run(t, "arena", "tournament", "run", "--server", h.client.URL, "--bot", "oracle", "--bot", "random",
			"--matches", "1", "--size", "2x2", "--rules", ruleset, "--quiet")
		if code != 0 {
			t.Fatal(problems)
		}
	}
	play("gpcc2016")
	for _, g := range h.games(t, 1) {
		if g.Ending != record.Mate {
			t.Errorf("its own game ends with %v: %s", g.Ending, g.Detail)
		}
	}
	play("gpcc2015")
	for _, g := range h.games(t, 2) {
		if g.Ending != record.Disconnect || !strings.Contains(g.Detail, "its table is of gpcc2016 on 2x2") {
			t.Errorf("another game ends with %v: %s", g.Ending, g.Detail)
		}
	}
}
