package archive_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"versus2048/internal/web/archive"
	"versus2048/results"
)

func ExampleReport() {
	ctx := context.Background()
	store, err := results.OpenReader(ctx, "../../../results/testdata/version4.db")
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	report, err := archive.NewReport(ctx, store, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	var page strings.Builder
	if err := report.WriteHTML(&page, "https://arena.example.org"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Outcome, strings.Contains(page.String(), "https://arena.example.org/games/"))
	// Output: cat won: 2 points from 2 matches. true
}
