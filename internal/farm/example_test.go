package farm_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"versus2048/internal/farm"
	"versus2048/internal/farm/broker"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func Example() {
	if err := example(); err != nil {
		log.Fatal(err)
	}
	// Output: 4 games are on record
}

func example() error {
	folder, err := os.MkdirTemp("", "farm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	server, err := broker.Start(broker.Config{Listen: "127.0.0.1:0", Folder: folder, Token: "a secret", Permits: farm.Name(farm.DefaultName).Permits})
	if err != nil {
		return err
	}
	defer server.Close()
	arenaConn, err := server.Connect()
	if err != nil {
		return err
	}
	defer arenaConn.Close()
	key, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	credential := broker.Credential{Worker: "w1", Key: key, Token: func() string { return "a secret" }}
	workerConn, err := nats.Connect(server.URL(), credential.Option(), nats.CustomInboxPrefix(farm.Inbox("w1")))
	if err != nil {
		return err
	}
	defer workerConn.Close()
	store, err := results.Open(context.Background(), filepath.Join(folder, "arena.db"))
	if err != nil {
		return err
	}
	defer store.Close()
	games, err := playOnFarm(context.Background(), arenaConn, workerConn, store)
	fmt.Println(games, "games are on record")
	return err
}

// playOnFarm plays an event of two matches and returns the number of its games.
func playOnFarm(ctx context.Context, arenaConn, workerConn *nats.Conn, store *results.Store) (int, error) {
	event := tournament.Event{
		Name: "example", Size: rules.Size{Width: 2, Height: 2}, Matches: 2, Concurrency: 1, InProcess: true,
		Entries: []tournament.Entry{{Name: "a", Spec: "random"}, {Name: "b", Spec: "greedy"}},
	}
	id, err := store.CreateEvent(ctx, event)
	if err != nil {
		return 0, err
	}
	event.ID = id
	if err := play(ctx, arenaConn, workerConn, event, store.Journal(id)); err != nil {
		return 0, err
	}
	games, err := store.FinishedGames(ctx, id)
	return len(games), err
}

func play(ctx context.Context, arenaConn, workerConn *nats.Conn, event tournament.Event, journal tournament.Journal) error {
	log := slog.New(slog.DiscardHandler)
	bots := []tournament.Bot{
		&tournament.LocalBot{ID: tournament.Identity{Name: "a"}, Games: 10},
		&tournament.LocalBot{ID: tournament.Identity{Name: "b"}, Games: 10},
	}
	coordinator, err := farm.Open(ctx, arenaConn, farm.Config{Version: "v1", Log: log})
	if err != nil {
		return err
	}
	defer coordinator.Close()
	worker := farm.Worker{
		Card: farm.Card{Worker: "w1", Version: "v1", Print: farm.Fingerprint(), Games: 2},
		NATS: workerConn, Log: log,
	}
	working, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { err = errors.Join(err, worker.Run(working)) })
	executor := coordinator.Executor()
	defer executor.Close()
	runner := tournament.Runner{Event: event, Format: format.New, Bots: bots, Journal: journal, Elsewhere: executor}
	err = errors.Join(runner.Run(ctx), err)
	stop()
	done.Wait()
	return err
}
