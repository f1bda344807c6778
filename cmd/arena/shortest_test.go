package main

import (
	"context"
	"io"
	"testing"

	"github.com/urfave/cli/v2"
)

// An interrupt before any game has ended is reported as one.
func TestInterruptShortest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	app := &cli.App{Commands: []*cli.Command{shortestCommand()}, Writer: io.Discard, ErrWriter: io.Discard}
	if err := app.RunContext(ctx, []string{"arena", "shortest"}); err == nil || err.Error() != "interrupted" {
		t.Errorf("error %v", err)
	}
}
