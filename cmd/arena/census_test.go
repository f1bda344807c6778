package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/analysis/census"
)

// However often it is killed, the same command goes on and ends with the table of
// a census that was left alone.
func TestKilledCensusGoesOn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "killed")
	command := []string{"census", "--plies", "46", "--defenders", "--memory", "64MiB", "--dir", folder, "--csv", "--quiet"}
	want, problems, code := run(t, "arena", "census", "--plies", "46", "--defenders", "--memory", "1GiB", "--csv", "--quiet")
	if code != 0 {
		t.Fatal(problems)
	}
	random := rand.New(rand.NewPCG(2048, 11))
	midway := 0
	for range 12 {
		p := startProcess(t, "arena", command...)
		p.killAfter(t, "", time.Duration(random.IntN(300))*time.Millisecond)
		state, err := os.ReadFile(filepath.Join(folder, "census.json"))
		if n := strings.Count(string(state), `"plies"`); err == nil && n < 24 {
			midway++
		}
	}
	got, problems, code := run(t, "arena", command...)
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

// Ctrl-C ends it with the command that goes on.
func TestInterruptedCensus(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "c")
	p := startProcess(t, "arena", "census", "--plies", "200", "--dir", folder)
	p.awaitOutput(t, "positions", nil)
	p.interrupt(t)
	if err := p.Wait(); err == nil {
		t.Fatal("interrupted, it exits with 0")
	}
	if told := p.output.String(); !strings.Contains(told, "interrupted with ") || !strings.Contains(told, "census --plies 200 --dir "+folder) {
		t.Errorf("it does not say how to go on: %s", told)
	}
	if text, problems, code := run(t, "arena", "census", "--plies", "20", "--dir", folder, "--csv"); code != 0 || !strings.Contains(text, "\n20,1142,") {
		t.Errorf("afterwards it exits with %d: %s%s", code, text, problems)
	}
}

func TestCensusLine(t *testing.T) {
	p := census.Progress{
		Plies: 84, Of: 84, Expanded: 2_500_000, Positions: 10_000_000, Placements: 30_000_000,
		InLayer: time.Second, Elapsed: 2 * time.Second,
	}
	want := "ply 84 of 84 [=====               ] 2.5M of 10M positions, 15M placements/s, 0:03 left, about 0:03 in all"
	if got := censusLine(p); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	p.Of = 88 // two layers more, which take 4.7 and 5.4 seconds
	if got := censusLine(p); !strings.Contains(got, "0:03 left, about 0:13 in all") {
		t.Error(got)
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"6GiB": 6 << 30, "512MiB": 512 << 20, "1.5 GB": 1_500_000_000, "64KiB": 1 << 16, "7B": 7, "2TB": 2e12} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "6", "GiB", "-1GiB", "NaNB", "1e30GiB", "six GiB"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
	for n, want := range map[int64]string{64 << 20: "64MiB", 6 << 30: "6GiB", 1536 << 20: "1.5GiB", 2000: "2KiB"} {
		if got := formatBytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
