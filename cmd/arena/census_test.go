//go:build !race

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// However often a census is killed, the same command resumes it and prints the same
// table in the end.
func TestResumeCensusAfterKill(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "killed")
	command := []string{"census", "--plies", "46", "--defenders", "--memory", "64MiB", "--dir", folder, "--csv", "--quiet"}
	want, problems, code := run(t, "lab", "census", "--plies", "46", "--defenders", "--memory", "1GiB", "--csv", "--quiet")
	if code != 0 {
		t.Fatal(problems)
	}
	random := rand.New(rand.NewPCG(2048, 11))
	layers := func() int {
		state, _ := os.ReadFile(filepath.Join(folder, "census.json")) // there is none before the first layer
		return strings.Count(string(state), `"plies"`)
	}
	midway := 0
	for range 12 {
		before := layers()
		p := startProcess(t, "lab", command...)
		p.KillWhen(t, func() bool { return layers() > before }, time.Duration(random.IntN(50))*time.Millisecond)
		if n := layers(); n > 0 && n < 24 {
			midway++
		}
	}
	got, problems, code := run(t, "lab", command...)
	if code != 0 || got != want {
		t.Errorf("after the kills it exits with %d: %s%s\nwant %s", code, got, problems, want)
	}
	if files, _ := os.ReadDir(folder); len(files) != 3 {
		t.Errorf("%d files are left: %v", len(files), files)
	}
	if midway == 0 {
		t.Error("no kill came between the first layer and the last one")
	}
}

// After Ctrl-C a census prints the command that resumes it.
func TestInterruptCensus(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "c")
	p := startProcess(t, "lab", "census", "--plies", "200", "--dir", folder)
	p.AwaitOutput(t, "positions")
	p.Interrupt(t)
	if err := p.Wait(); err == nil {
		t.Fatal("interrupted, it exits with 0")
	}
	if told := p.Output.String(); !strings.Contains(told, "interrupted with ") || !strings.Contains(told, "census --plies 200 --dir "+folder) {
		t.Errorf("the output does not say how to resume: %s", told)
	}
	if text, problems, code := run(t, "lab", "census", "--plies", "20", "--dir", folder, "--csv"); code != 0 || !strings.Contains(text, "\n20,1142,") {
		t.Errorf("then it exits with %d: %s%s", code, text, problems)
	}
}
