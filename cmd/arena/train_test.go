//go:build !race

package main

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// However often learning is killed, the same command resumes it, and the network is the same as without the kills.
func TestResumeTrainingAfterKill(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := t.TempDir()
	const games = "60000" // many times as many as are learned before the last kill
	network := []string{"--size", "3x3", "--restart", "0.5", "--seed", "3"}
	learn := func(name string) []string {
		return []string{"train", "ntuple", "--games", games, "--save", "20ms", "--out", filepath.Join(folder, name)}
	}
	if _, problems, code := run(t, "lab", append(learn("whole.ntuple"), network...)...); code != 0 {
		t.Fatal(problems)
	}

	killed := learn("killed.ntuple")
	checkpoint := filepath.Join(folder, "killed.ntuple.checkpoint")
	random := rand.New(rand.NewPCG(2048, 13))
	command := append(slices.Clone(killed), network...)
	for range 5 {
		before := written(checkpoint)
		p := startProcess(t, "lab", command...)
		p.KillWhen(t, func() bool { return written(checkpoint).After(before) }, time.Duration(random.IntN(50))*time.Millisecond)
		command = append(slices.Clone(killed), "--resume")
	}
	if _, err := os.Stat(filepath.Join(folder, "killed.ntuple")); err == nil {
		t.Error("no kill came before the end")
	}
	if _, problems, code := run(t, "lab", command...); code != 0 {
		t.Fatal(problems)
	}
	if got, want := lastPoint(t, folder, "killed.ntuple.csv"), lastPoint(t, folder, "whole.ntuple.csv"); got != want {
		t.Errorf("after the kills it ends with %s, want %s", got, want)
	}
}

// written returns when a file was written last, the zero time if there is none.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// lastPoint returns the end of a learning curve without its seconds. It has the errors of the last games,
// which depend on all that was learned.
func lastPoint(t *testing.T, folder, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	return strings.Join(slices.Delete(last, 2, 3), ",")
}

// A file that appears while a network is learned is not replaced.
func TestNetworkThatAppearsMeanwhile(t *testing.T) {
	network := filepath.Join(t.TempDir(), "a.ntuple")
	p := startProcess(t, "lab", "train", "ntuple", "--size", "2x2", "--budget", "10m", "--save", "20ms", "--out", network)
	awaitFile(t, network+".checkpoint")
	if err := os.WriteFile(network, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Interrupt(t)
	_ = p.Wait() // it was interrupted
	if said := p.Output.String(); !strings.Contains(said, "a.ntuple already exists, since learning began: move it away") {
		t.Errorf("it says %s", said)
	}
	if text, err := os.ReadFile(network); err != nil || string(text) != "theirs" {
		t.Errorf("it was replaced (%v)", err)
	}
}
