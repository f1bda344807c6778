package results_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"versus2048/players"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// smallEvent is two matches on the smallest board.
func smallEvent() (tournament.Event, []tournament.Bot) {
	event := tournament.Event{
		Name:        "first steps",
		Created:     time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		Size:        rules.Size{Width: 2, Height: 2},
		Matches:     2,
		Concurrency: 1,
	}
	var bots []tournament.Bot
	for _, text := range []string{"random", "greedy"} {
		spec, err := players.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		event.Entries = append(event.Entries, tournament.Entry{Name: text, Spec: text})
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: text, Spec: text}, Games: 1, New: spec.New})
	}
	return event, bots
}

func Example() {
	ctx := context.Background()
	event, bots := smallEvent()
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
	event.ID, err = store.CreateEvent(ctx, event)
	if err != nil {
		log.Fatal(err)
	}
	journal := store.Journal(event.ID)
	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: journal}
	if err := runner.Run(ctx); err != nil {
		log.Fatal(err)
	}
	verified, err := store.Verify(ctx, results.Filter{Event: event.ID}, func(game results.Stored, why error) {
		log.Printf("game %d: %v", game.ID, why)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verified.Games, "games,", verified.Bad, "bad")
	// Output: 4 games, 0 bad
}
