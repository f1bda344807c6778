package labcmd

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/urfave/cli/v2"
)

// An interrupt before any game has ended is reported as one.
func TestInterruptShortest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	app := &cli.App{Commands: []*cli.Command{shortestCommand()}, Writer: io.Discard, ErrWriter: io.Discard}
	if err := app.RunContext(ctx, []string{"lab", "shortest"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
