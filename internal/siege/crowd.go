package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/nats-io/nats.go"

	"versus2048/farm"
)

// serveCrowd plays as many workers, each with a connection of its own and one match at once, until ctx ends. They are real
// workers in one process; only the measurement of their speed is left out. It returns the first error of one that gave up.
func serveCrowd(ctx context.Context, url, version string, workers int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var all sync.WaitGroup
	for i := range workers {
		name := fmt.Sprintf("crowd-%04d", i)
		all.Go(func() {
			if err := serveOne(ctx, url, name, version, log.With("worker", name)); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("%s: %w", name, err))
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// serveOne is one worker of a crowd.
func serveOne(ctx context.Context, url, name, version string, log *slog.Logger) error {
	conn, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer conn.Close()
	w := farm.Worker{
		Card: farm.Card{Worker: name, Host: "crowd", Version: version, Print: farm.Fingerprint(), Cores: 1, Games: 1, Speed: 1},
		NATS: conn, Log: log,
	}
	return w.Run(ctx)
}
