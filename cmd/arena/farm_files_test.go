//go:build !race

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// made runs a command that makes a file.
func made(t *testing.T, args ...string) {
	t.Helper()
	if _, stderr, code := run(t, "lab", args...); code != 0 {
		t.Fatalf("%v: %s", args, stderr)
	}
}

// botFiles writes a file of each kind for boards of 3x2, and a network for 4x4, and returns their folder.
func botFiles(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	made(t, "solve", "--size", "3x2", "--rules", "gpcc2016", "--table", filepath.Join(folder, "table"))
	made(t, "prove", "--size", "3x2", "--rules", "gpcc2016", "--at-least", "40", "--memory", "64MiB", "--certificate", filepath.Join(folder, "proof"))
	made(t, "train", "ntuple", "--size", "3x2", "--games", "300", "--out", filepath.Join(folder, "ntuple"), "--quiet")
	for _, name := range []string{"td", "cnn"} {
		data, err := os.ReadFile("../../players/neural/testdata/" + name + ".safetensors")
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// kept returns the files of bots in a worker's folder, and the number of files with the content that gave them their
// names.
func kept(t *testing.T, folder string) (paths []string, right int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, strings.Repeat("[0-9a-f]", 2*sha256.Size)))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%x", sha256.Sum256(data)) == filepath.Base(path) {
			right++
		}
	}
	return paths, right
}

// Bots with files of all kinds play on workers that do not have these files, as they play on the arena. Two workers of
// a machine share the files; when these are damaged, the next worker fetches them again.
func TestFilesTravelToWorkers(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	files, cache := botFiles(t), t.TempDir()
	f := &farmHost{newHost(t), freeAddress(t)}
	f.serve(t, "--tables", files)
	workers := []*testkit.Program{f.worker(t, "--cache", cache), f.worker(t, "--cache", cache)}
	small := tournament.Event{
		Size: rules.Size{Width: 3, Height: 2}, Rules: rules.GPCC2016, Seed: 3, Matches: 1, Concurrency: 4, InProcess: true, Search: true,
		Bots: []string{
			"table=perfect:table=" + files + "/table", "proof=perfect:depth=1,proof=" + files + "/proof",
			"ntuple=ntuple:weights=" + files + "/ntuple", "td=td:weights=" + files + "/td",
		},
	}
	large := tournament.Event{
		Size: rules.Full, Seed: 4, Matches: 1, Concurrency: 4, InProcess: true, Search: true,
		Bots: []string{"cnn=cnn:weights=" + files + "/cnn", "greedy"},
	}
	for _, setup := range []tournament.Event{small, large} {
		compareGames(t, expectedGames(t, setup), f.play(t, setup))
	}
	paths, right := kept(t, cache)
	if len(paths) != 5 || right != 5 {
		t.Fatalf("the workers keep %v, %d of them right", paths, right)
	}
	for _, w := range workers {
		w.Kill()
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil {
			err = os.WriteFile(path, make([]byte, info.Size()), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f.worker(t, "--cache", cache)
	compareGames(t, expectedGames(t, small), f.play(t, small))
	if paths, right := kept(t, cache); len(paths) != 5 || right != 4 { // nobody has needed the large board's file
		t.Errorf("the worker keeps %v, %d of them right; want 4 right", paths, right)
	}
}
