package experiment_test

import (
	"context"
	"log"
	"os"
	"path/filepath"

	"versus2048/lab/experiment"
	"versus2048/results"
	"versus2048/rules"
)

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	store, err := results.Open(ctx, filepath.Join(folder, "experiment.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	settings := experiment.Config{Matches: 80, Playouts: 10_000, Size: rules.Full, Seed: 1, Concurrency: 2}

	events, err := experiment.Table1Events(settings)
	if err != nil {
		log.Fatal(err)
	}
	played, err := experiment.Read(ctx, store, events)
	if err != nil {
		log.Fatal(err)
	}
	table := experiment.NewTable1(played)
	if err := table.WriteMarkdown(os.Stdout); err != nil {
		log.Fatal(err)
	}
}
