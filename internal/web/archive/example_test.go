package archive_test

import (
	"context"
	"fmt"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/results"
)

func Example() {
	show := func(ctx context.Context, store *results.Store, arena *server.Server) error {
		events := archive.New(store, arena)
		x, err := events.Event(ctx, 17, events.Patience)
		if err != nil {
			return err
		}
		if x.Statistics != nil {
			fmt.Println(x.Line.Name, x.Statistics.Rated("greedy"))
		}
		return nil
	}
	_ = show
	// Output:
}
