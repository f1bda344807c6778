package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/results/parquet"
)

// small are settings with a bot of each kind that is among the reference bots.
var small = datasetSettings{
	openings: 3, seed: 7, rules: "gpcc2016", size: "3x2",
	bots: []string{"random", "greedy", "mcts:playouts=5", "alphabeta:depth=2", "evminimax:depth=2"},
}

// The files follow from the settings: another run has the same bytes, also of the card and the checksums.
func TestDataset(t *testing.T) {
	testkit.Long(t)
	first, second := made(t, small), made(t, small)
	checkSplits(t, first)
	for _, file := range []string{
		"LICENSE", "README.md", "SHA256SUMS",
		"train/games.parquet", "train/plies.parquet", "train/searches.parquet",
		"test/games.parquet", "test/plies.parquet", "test/searches.parquet",
	} {
		if !bytes.Equal(contentOf(t, first, file), contentOf(t, second, file)) {
			t.Errorf("%s differs in another run", file)
		}
		if file != "SHA256SUMS" && !strings.Contains(string(contentOf(t, first, "SHA256SUMS")), "  "+file+"\n") {
			t.Errorf("SHA256SUMS lacks %s", file)
		}
	}
}

// checkSplits checks that every two bots play two matches from each opening, and that no opening is in both splits.
func checkSplits(t *testing.T, folder string) {
	t.Helper()
	starts, numbers := map[string]string{}, map[int64]bool{}
	for name, games := range map[string]int{"train": 2 * 40, "test": 40} { // ten pairs, two matches of two games
		table := contentOf(t, folder, name+"/games.parquet")
		rows, err := parquet.Read[parquet.Game](bytes.NewReader(table), int64(len(table)))
		if err != nil || len(rows) != games {
			t.Fatalf("%s: %d games, error %v, want %d", name, len(rows), err, games)
		}
		for _, row := range rows {
			if in := starts[row.Start]; in != "" && in != name {
				t.Errorf("%s is in both splits", row.Start)
			}
			starts[row.Start] = name
			if numbers[row.Game] || row.Started.Unix() != 0 || row.Ending != "mate" || !row.Scored {
				t.Errorf("%s: %+v", name, row)
			}
			numbers[row.Game] = true
		}
	}
}

// A dataset that cannot be made leaves no folder.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*datasetSettings){
		"--openings 1: want 2 or more":       func(s *datasetSettings) { s.openings = 1 },
		"on this board only 1 are different": func(s *datasetSettings) { s.size, s.rules = "2x2", "gpcc2015" },
		"no-such-bot":                        func(s *datasetSettings) { s.bots = []string{"random", "no-such-bot"} },
	} {
		s, out := small, filepath.Join(t.TempDir(), "out")
		change(&s)
		err := writeDataset(t.Context(), t.Output(), out, s)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Errorf("%s: the folder is there", want)
		}
	}
}

func TestReferenceBots(t *testing.T) {
	if bots := referenceBots(); len(bots) != 12 || bots[0] != "random" {
		t.Errorf("%q, want the bots of docs/RATINGS.md", bots)
	}
}

// The category is the range of Hugging Face for a number of rows.
func TestCategory(t *testing.T) {
	for rows, want := range map[int]string{0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 3_000_000: "1M<n<10M", 2e9: "100M<n<1B"} {
		if got := category(rows); got != want {
			t.Errorf("%d rows: %s, want %s", rows, got, want)
		}
	}
}

func made(t *testing.T, s datasetSettings) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "dataset")
	if err := writeDataset(t.Context(), t.Output(), folder, s); err != nil {
		t.Fatal(err)
	}
	return folder
}

func contentOf(t *testing.T, folder, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
