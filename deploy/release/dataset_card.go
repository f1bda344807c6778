package main

import (
	"context"
	_ "embed" // for the card
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"versus2048"
)

//go:embed dataset_card.md
var cardText string

var cardTemplate = template.Must(template.New("card").Parse(cardText))

// card is the content of the dataset's card.
type card struct {
	Rules, Size, Category string
	Command, Event        string
	Commit, Version       string
	Tables, Bots          []string
	Splits                []split
	Faults                int
}

// describeDataset writes the card, the licence and the checksums beside the splits, and sets the Bytes of each split.
func describeDataset(ctx context.Context, out string, s datasetSettings, splits []split) error {
	root, err := trimmed(ctx, "", nil, "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return err
	}
	for i := range splits {
		if splits[i].Bytes, err = folderSize(filepath.Join(out, splits[i].Name)); err != nil {
			return err
		}
	}
	var text strings.Builder
	if err := cardTemplate.Execute(&text, newCard(ctx, s, splits)); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"LICENSE": licence, "README.md": []byte(text.String())} {
		// #nosec G306 -- its files are for everybody
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return writeSums(out)
}

func newCard(ctx context.Context, s datasetSettings, splits []split) card {
	commit, err := trimmed(ctx, "", nil, "git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	if err != nil {
		commit = "unknown" // as in a released archive of the sources
	}
	c := card{
		Rules: s.rules, Size: s.size, Command: s.command(), Event: "arena " + strings.Join(s.arguments("games.db"), " "),
		Commit: commit, Version: versus2048.Version(), Tables: []string{"games", "plies", "searches"}, Bots: s.bots, Splits: splits,
	}
	plies := 0
	for _, split := range splits {
		plies += split.Plies
		c.Faults += split.Faults
	}
	c.Category = category(plies)
	return c
}

// command returns the command that makes the dataset again.
func (s datasetSettings) command() string {
	text := fmt.Sprintf("go run ./deploy/release dataset --openings %d --seed %d --rules %s --size %s", s.openings, s.seed, s.rules, s.size)
	for _, bot := range s.bots {
		text += " --bot " + bot
	}
	return text
}

// category returns the name that Hugging Face has for a number of rows.
func category(rows int) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M"}
	for i, limit := 0, 1000; i < len(names); i, limit = i+1, 10*limit {
		if rows < limit {
			return names[i]
		}
	}
	return "100M<n<1B"
}

// folderSize returns the number of bytes in the files of a folder.
func folderSize(folder string) (bytes int64, err error) {
	files, err := os.ReadDir(folder)
	for _, file := range files {
		info, failure := file.Info()
		if failure != nil {
			return 0, failure
		}
		bytes += info.Size()
	}
	return bytes, err
}

// tellDataset prints the size of the dataset.
func tellDataset(w io.Writer, out string, splits []split) error {
	var all split
	for _, s := range splits {
		all.Games, all.Plies, all.Reports, all.Bytes = all.Games+s.Games, all.Plies+s.Plies, all.Reports+s.Reports, all.Bytes+s.Bytes
	}
	_, err := fmt.Fprintf(w, "%d games with %d plies and %d reports in %s, %.1f MB\n", all.Games, all.Plies, all.Reports, out, float64(all.Bytes)/1e6)
	return err
}
