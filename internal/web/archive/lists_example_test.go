package archive_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"versus2048/internal/web/archive"
	"versus2048/results"
)

func ExampleLists() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "arena.db")

	store, err := results.Open(ctx, path)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	keeper := archive.NewLists(store.Reader)
	collected, err := keeper.Collector(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range collected.Summaries() {
		fmt.Println(s.Conditions, s.Matches)
	}
	// Output:
}
