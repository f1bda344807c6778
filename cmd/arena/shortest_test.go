package main

import (
	"context"
	"errors"
	"io"
	"testing"

	"versus2048/cmd/internal/labcmd"

	"github.com/urfave/cli/v2"
)

// An interrupt before any game has ended is reported as one.
func TestInterruptShortest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	app := &cli.App{Commands: []*cli.Command{labcmd.Shortest()}, Writer: io.Discard, ErrWriter: io.Discard}
	if err := app.RunContext(ctx, []string{"arena", "shortest"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
