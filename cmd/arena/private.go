package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"versus2048/arena"
	"versus2048/results"
)

// withPrivateArena opens the database, runs an arena on a free port of this
// machine, and calls use with a client of it. When ctx ends the arena
// interrupts what is played; use learns of it by following the event.
func withPrivateArena(ctx context.Context, db string, grace time.Duration, use func(*arena.Client) error) (err error) {
	store, err := results.Open(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return withArenaOn(ctx, store, grace, use)
}

// withArenaOn is withPrivateArena on a database that is open.
func withArenaOn(ctx context.Context, store *results.Store, grace time.Duration, use func(*arena.Client) error) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening on this machine: %w", err)
	}
	ctx, closeArena := context.WithCancel(ctx)
	defer closeArena()
	closed := make(chan error, 1)
	server := arena.New(arenaConfig(store, newLog(os.Stderr, slog.LevelError), grace))
	go func() { closed <- server.Serve(ctx, listener) }()
	used := use(&arena.Client{URL: "http://" + listener.Addr().String()})
	closeArena()
	return errors.Join(used, <-closed)
}
