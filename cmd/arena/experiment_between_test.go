package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament"
)

// TestInterruptBetweenEvents checks that an interrupt that no event was told of
// still tells how to go on.
func TestInterruptBetweenEvents(t *testing.T) {
	var told strings.Builder
	c := cli.NewContext(&cli.App{ErrWriter: &told}, flag.NewFlagSet("", flag.ContinueOnError), nil)
	play := func(*cli.Context, []tournament.Event) error { return fmt.Errorf("reading games: %w", context.Canceled) }
	err := playAndReport(c, nil, play, nil)
	if !errors.Is(err, cmdline.ErrSilent) || !strings.Contains(told.String(), "interrupted with ") || !strings.Contains(told.String(), "resume: ") {
		t.Errorf("error %v, told %q", err, told.String())
	}
}
