package hosting_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// play plays an event on a private arena.
func play(ctx context.Context, database string) error {
	here, err := hosting.OpenLocal(ctx, database, hosting.Terms{Grace: time.Second, Memory: cmdline.MachineMemory()})
	if err != nil {
		return err
	}
	event := tournament.Event{Bots: []string{"greedy", "random"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true}
	id, err := here.Client.Start(ctx, event)
	if err == nil {
		_, err = here.Client.Follow(ctx, id, func(server.Progress) {})
	}
	return errors.Join(err, here.Close())
}

func Example() {
	folder, err := os.MkdirTemp("", "hosting")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	ctx, database := context.Background(), filepath.Join(folder, "arena.db")
	if err := play(ctx, database); err != nil {
		fmt.Println(err)
		return
	}
	store, err := results.OpenReader(ctx, database)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	events, err := store.Events(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events {
		fmt.Println("event", e.ID, "has", e.Finished, "games")
	}
	// Output:
	// event 1 has 2 games
}
