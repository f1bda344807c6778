package chore_test

import (
	"context"
	"log/slog"

	"github.com/nats-io/nats.go"

	"versus2048/internal/farm"
	"versus2048/lab/chore"
)

func Example() {
	_ = func(ctx context.Context, conn *nats.Conn) error {
		worker := farm.Worker{
			Card: farm.Card{Worker: "w1", Version: "v1", Print: farm.Fingerprint(), Games: 1},
			NATS: conn, Log: slog.Default(), Chores: chore.OfWorkers(),
		}
		return worker.Run(ctx)
	}
}
