package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/report"
)

// onArena begins an event on the arena that the flags name and follows it.
func onArena(c *cli.Context, begin func(*arena.Client) (int64, error)) error {
	if c.String("server") == "" {
		return withPrivateArena(c.Context, c.String("db"), c.Duration("grace"), func(client *arena.Client) error {
			return follow(c, client, begin, "--db", c.String("db"))
		})
	}
	if c.IsSet("grace") || c.IsSet("db") {
		return cmdline.Usagef("--db and --grace are the running arena's own: set them where it is served")
	}
	return follow(c, remoteArena(c), begin, "--server", c.String("server"))
}

// follow begins an event, shows how it goes on and prints its standings. If it
// is interrupted, follow says how to resume it.
func follow(c *cli.Context, client *arena.Client, begin func(*arena.Client) (int64, error), flag, value string) error {
	events, err := openEvents(c)
	if err != nil {
		return err
	}
	id, err := begin(client)
	if err != nil {
		return errors.Join(err, events.end(false))
	}
	events.follow(context.WithoutCancel(c.Context), client, id)
	if c.String("server") != "" {
		// On an arena of our own the same signal ends the event already.
		defer context.AfterFunc(c.Context, func() { _ = client.Stop(context.WithoutCancel(c.Context), id) })()
	}
	show := newDisplay(c.App.ErrWriter, c.Bool("quiet"))
	// The interrupted event's last progress is still to come after a Ctrl-C.
	last, err := client.Follow(context.WithoutCancel(c.Context), id, show.progress)
	show.end()
	complete := events.end(true)
	if err := unfinished(c.App.ErrWriter, id, last, err, resumeCommand(id, flag, value)); err != nil {
		if complete != nil && errors.Is(err, cmdline.ErrSilent) {
			return complete // an interrupt is told already
		}
		return errors.Join(err, complete)
	}
	return errors.Join(printTables(c, client, id), complete)
}

// unfinished is nil if the event that was followed is finished. Otherwise the
// error says why not, and the command that resumes it; an interrupt is told on w.
func unfinished(w io.Writer, id int64, last arena.Progress, err error, resume string) error {
	switch {
	case errors.Is(err, arena.ErrLost):
		return fmt.Errorf("event %d: %w; its games are kept, and when the arena is back this resumes it: %s", id, err, resume)
	case err != nil:
		return err
	case last.State == arena.Interrupted:
		fmt.Fprintf(w, "event %d interrupted with %s games played; the games in progress are kept\nresume: %s\n", id, last.Bound.Of(last.Done, last.Total), resume)
		return cmdline.ErrSilent
	case last.State == arena.Failed:
		return fmt.Errorf("event %d stopped with %s games played: %s\nresume: %s", id, last.Bound.Of(last.Done, last.Total), last.Message, resume)
	}
	return nil
}

// resumeCommand is the command that resumes an event on the arena that the flag
// names.
func resumeCommand(event int64, flag, value string) string {
	return fmt.Sprintf("%s tournament resume %d %s %s", program(), event, flag, quote(value))
}

// program is how this program was started, for commands that are printed.
func program() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/arena"
	}
	return quote(os.Args[0])
}

// plainWord is a word that means itself in every shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9._/:@%+=,-]+$`)

// quote makes a text one word of a shell.
func quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// printTables prints an event's standings and its crosstable, and of two bots how
// they compare.
func printTables(c *cli.Context, client *arena.Client, event int64) error {
	standings, err := client.Standings(c.Context, event)
	if err != nil {
		return err
	}
	table, err := client.Crosstable(c.Context, event)
	if err != nil {
		return err
	}
	var heads []report.HeadToHead
	if len(table.Standings) == 2 {
		if heads, err = client.HeadToHeads(c.Context, event); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		report := map[string]any{"event": event, "standings": standings, "crosstable": table}
		if heads != nil {
			report["head_to_heads"] = heads
		}
		return writeJSON(c.App.Writer, report)
	}
	fmt.Fprintf(c.App.Writer, "event %d\n\n", event)
	if err := writeTables(c.App.Writer, standings, table); err != nil {
		return err
	}
	for _, h := range heads {
		fmt.Fprintf(c.App.Writer, "\n%s", h.Report(standings.Test))
	}
	return nil
}

// writeTables writes the standings, but for a round-robin, whose crosstable has
// all of them, and the crosstable.
func writeTables(w io.Writer, standings tournament.Standings, table report.Crosstable) error {
	if standings.Format != format.RoundRobin {
		fmt.Fprintf(w, "%s:\n", standings.Format)
		if err := report.WriteStandings(w, standings); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return table.WriteText(w)
}
