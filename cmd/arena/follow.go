package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
)

// onArena begins an event on the arena that the flags name and follows it.
func onArena(c *cli.Context, begin func(*arena.Client) (int64, error)) error {
	if c.String("server") == "" {
		return withPrivateArena(c.Context, c.String("db"), c.Duration("grace"), func(client *arena.Client) error {
			return follow(c, client, begin, "--db "+quote(c.String("db")))
		})
	}
	if c.IsSet("grace") || c.IsSet("db") {
		return cmdline.Usagef("--db and --grace are the running arena's own: set them where it is served")
	}
	return follow(c, remoteArena(c), begin, "--server "+c.String("server"))
}

// follow begins an event, shows how it goes on and prints its crosstable. If it
// is interrupted, follow says how to resume it.
func follow(c *cli.Context, client *arena.Client, begin func(*arena.Client) (int64, error), where string) error {
	id, err := begin(client)
	if err != nil {
		return err
	}
	if c.String("server") != "" {
		// On an arena of our own the same signal ends the event already.
		defer context.AfterFunc(c.Context, func() { _ = client.Stop(context.WithoutCancel(c.Context), id) })()
	}
	show := newDisplay(c.App.ErrWriter, c.Bool("quiet"))
	// The interrupted event's last progress is still to come after a Ctrl-C.
	last, err := client.Follow(context.WithoutCancel(c.Context), id, show.progress)
	show.end()
	switch {
	case errors.Is(err, arena.ErrLost):
		return fmt.Errorf("event %d: %w; its games are kept, and when the arena is back this resumes it: %s", id, err, resumeCommand(id, where))
	case err != nil:
		return err
	case last.State == arena.Interrupted:
		fmt.Fprintf(os.Stderr, "event %d interrupted with %d of %d games played; the games in progress are kept\nresume: %s\n", id, last.Done, last.Total, resumeCommand(id, where))
		return cmdline.ErrSilent
	case last.State == arena.Failed:
		return fmt.Errorf("event %d stopped with %d of %d games played: %s\nresume: %s", id, last.Done, last.Total, last.Message, resumeCommand(id, where))
	}
	return printCrosstable(c, client, id)
}

// resumeCommand is the command that resumes an event. It begins with arena,
// however this program was started.
func resumeCommand(event int64, where string) string {
	return fmt.Sprintf("arena tournament resume %d %s", event, where)
}

// quote makes a file's name one word of a shell.
func quote(name string) string {
	if strings.ContainsAny(name, " \t'\"\\$&;()<>|*?") {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

func printCrosstable(c *cli.Context, client *arena.Client, event int64) error {
	table, err := client.Crosstable(c.Context, event)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, map[string]any{"event": event, "crosstable": table})
	}
	fmt.Fprintf(c.App.Writer, "event %d\n\n", event)
	return table.WriteText(c.App.Writer)
}
