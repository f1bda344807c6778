package main

import (
	"path/filepath"
	"strings"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/rules"
)

// Ctrl-C ends a measurement at once, even during a move that takes long.
func TestInterruptRegret(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	p := startProcess(t, "lab", "regret", "--table", writeTable(t), "--bot", "random", "--bot", "mcts:playouts=100000000", "--out", out)
	p.AwaitOutput(t, "random (1 of 2) [====================]")
	p.Interrupt(t)
	if err := p.Wait(); err == nil {
		t.Error("interrupted, it exits with 0")
	}
	if told := p.Output.String(); !strings.Contains(told, "interrupted; nothing is kept") {
		t.Errorf("it says %s", told)
	}
	if found, err := filepath.Glob(out); err != nil || found != nil {
		t.Errorf("it has written %v, %v", found, err)
	}
}

// writeTable writes the table of gpcc2016 on 2x2 and returns its path.
func writeTable(t *testing.T) string {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2016, rules.Size{Width: 2, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "small.table")
	if err := solution.WriteFile(path, true); err != nil {
		t.Fatal(err)
	}
	return path
}
