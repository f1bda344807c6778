package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// follower follows an event to its end: it shows the progress, writes the file of --events and prints the tables.
type follower struct {
	arena    *hosting.Arena
	events   *eventsFile
	display  hosting.ProgressDisplay
	out      cmdline.Output
	messages io.Writer        // for warnings, and for advice after an interrupt
	forecast *report.Forecast // made before the event began; nil for none
}

// newFollower reads the flags of a command that plays an event, and opens the file of --events.
func newFollower(c *cli.Context, a *hosting.Arena) (*follower, error) {
	events, err := openEvents(c.String("events"))
	if err != nil {
		return nil, err
	}
	out := cmdline.Output{Writer: c.App.Writer, Format: cmdline.TableFormat, Width: terminal.WidthOf(c.App.Writer)}
	if c.Bool("json") {
		out.Format = cmdline.JSONFormat
	}
	return &follower{arena: a, events: events, display: hosting.NewProgressDisplay(c.App.ErrWriter, c.Bool("quiet")), out: out, messages: c.App.ErrWriter}, nil
}

// follow starts an event on an arena, follows it to its end and prints its result. start returns the event's number; an
// interrupt does not end the context of start.
func follow(c *cli.Context, a *hosting.Arena, start func(context.Context) (int64, error), printResult resultPrinter) (event int64, err error) {
	f, err := newFollower(c, a)
	if err != nil {
		return 0, err
	}
	event, err = start(context.WithoutCancel(c.Context))
	if err != nil {
		return 0, errors.Join(err, f.events.close())
	}
	return event, f.run(c.Context, event, printResult)
}

// resultPrinter prints the result of an event that is over.
type resultPrinter func(f *follower, ctx context.Context, last server.Progress) error

// starting returns a function for follow that starts a new event.
func starting(a *hosting.Arena, e tournament.Event) func(context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) { return a.Client.Start(ctx, e) }
}

// run follows an event until it is over and prints its result. On an interrupt, run prints how to resume the event of
// a local arena, or that the event of a running arena goes on.
func (f *follower) run(ctx context.Context, id int64, printResult resultPrinter) error {
	watched := ctx
	if f.arena.IsLocal() {
		watched = context.WithoutCancel(ctx) // the arena interrupts the event by itself, and the follower waits for that
	}
	f.events.follow(watched, f.arena.Client, id)
	last, err := f.watch(watched, id)
	incomplete := f.events.close()
	if err != nil && watched.Err() != nil {
		if incomplete != nil && !errors.Is(incomplete, context.Canceled) {
			return incomplete
		}
		return f.leave(id)
	}
	if err := hosting.StoppedError(f.messages, id, last, err, f.arena.ResumeCommand(id)); err != nil {
		if incomplete != nil && errors.Is(err, cmdline.ErrSilent) {
			return incomplete // the interrupt was reported already
		}
		f.printFaults(f.messages, last)
		return errors.Join(err, incomplete)
	}
	return errors.Join(printResult(f, ctx, last), incomplete)
}

// watch shows the progress of an event to its end, and returns the last progress.
func (f *follower) watch(ctx context.Context, id int64) (server.Progress, error) {
	defer f.display.End()
	told := false
	return f.arena.Client.Follow(ctx, id, func(p server.Progress) {
		if !told && len(p.Unchecked) > 0 {
			told = true
			fmt.Fprintln(f.messages, hosting.UncheckedLine(p))
		}
		f.display.Progress(p)
	})
}

// leave prints that an event goes on at the running arena without this command, and prints the commands that show and
// stop the event. It returns cmdline.ErrSilent.
func (f *follower) leave(id int64) error {
	command := func(verb string) string { return hosting.EventCommand(verb, f.arena.Flag, f.arena.Value, id) }
	fmt.Fprintf(f.messages, "event %d goes on at %s: this command has only shown it\nshow: %s\nstop: %s\n",
		id, f.arena.Value, command("status"), command("stop"))
	return cmdline.ErrSilent
}

// showEvening shows the event of an evening to its end, and prints its tables. Another part of this process serves the
// event. ended is false if the event was interrupted or has failed.
func showEvening(c *cli.Context, client *server.Client, event int64) (ended bool, err error) {
	f, err := newFollower(c, &hosting.Arena{Client: client, Flag: "--db", Value: c.String("db")})
	if err != nil {
		return false, err
	}
	last, err := f.watch(context.WithoutCancel(c.Context), event) // the watch ends with the arena
	switch {
	case c.Context.Err() != nil:
		return false, nil
	case err != nil:
		return false, err
	case last.State != server.Finished:
		_, err := fmt.Fprintf(f.messages, "event %d is %s: %s\n", event, last.State, plain.Line(last.Message))
		return false, err
	}
	return true, f.printTables(c.Context, last)
}

// playedEvent is an event that has been played.
type playedEvent struct {
	Crosstable  report.Crosstable    `json:"crosstable"`
	Event       int64                `json:"event"` // its number
	Faults      *server.Faults       `json:"faults,omitempty"`
	Forecast    *report.Forecast     `json:"forecast,omitempty"`      // made before it began
	HeadToHeads []report.HeadToHead  `json:"head_to_heads,omitempty"` // of an event of two bots
	Standings   tournament.Standings `json:"standings"`
}

// printTables prints the standings and the crosstable of an event, and the comparison of its bots if there are two.
func (f *follower) printTables(ctx context.Context, last server.Progress) error {
	client, event := f.arena.Client, last.Event
	standings, err := client.Standings(ctx, event)
	if err != nil {
		return err
	}
	crosstable, err := client.Crosstable(ctx, event)
	if err != nil {
		return err
	}
	var heads []report.HeadToHead
	if len(crosstable.Standings) == 2 {
		if heads, err = client.HeadToHeads(ctx, event); err != nil {
			return err
		}
	}
	if f.out.Format == cmdline.JSONFormat {
		return cmdline.WriteJSON(f.out.Writer, playedEvent{crosstable, event, last.Faults, f.forecast, heads, standings})
	}
	var text strings.Builder
	fmt.Fprintf(&text, "event %d\n\n", event)
	if err := writeTables(&text, standings, crosstable, f.out.Width); err != nil {
		return err
	}
	for _, h := range heads {
		text.WriteString(terminal.Wrap("\n"+h.Report(standings.Test), f.out.Width, "  "))
	}
	f.printFaults(&text, last)
	_, err = io.WriteString(f.out.Writer, text.String())
	return err
}

// printFaults describes the games that were lost by a fault, if there are any.
func (f *follower) printFaults(w io.Writer, last server.Progress) {
	lines := hosting.FaultLines(last, f.arena.Flag+" "+cmdline.Quote(f.arena.Value))
	if lines == nil {
		return
	}
	again := hosting.EventCommand("replay-match", f.arena.Flag, f.arena.Value, last.Event, int64(last.Faults.First[0].Match))
	fmt.Fprintf(w, "\n%s\nplay its match again: %s\n", strings.Join(lines, "\n"), again)
}

// writeTables writes the standings and the crosstable. For a round-robin it writes only the crosstable, which has all
// figures.
func writeTables(w io.Writer, standings tournament.Standings, crosstable report.Crosstable, width int) error {
	if standings.Format != tournament.RoundRobin {
		fmt.Fprintf(w, "%s:\n", standings.Format)
		if err := report.WriteStandings(w, standings, width); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return crosstable.WriteText(w, width)
}

// eventsFile is the file of --events.
type eventsFile struct {
	file     *os.File   // nil if there is none, or if it is closed
	followed chan error // receives the error of following the event; nil before follow
}

// openEvents opens a file of events for appending. It ends a line that a killed process left unfinished. The path ""
// means no file.
func openEvents(path string) (*eventsFile, error) {
	if path == "" {
		return &eventsFile{}, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644) // #nosec G302 -- news of games, for anybody
	if err == nil {
		if err = endLine(file); err != nil {
			err = errors.Join(err, file.Close())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the file of --events: %w", err)
	}
	return &eventsFile{file: file}, nil
}

// endLine writes a line feed unless the file is empty or ends with one.
func endLine(file *os.File) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.WriteString("\n")
	return err
}

// follow starts to write the news of an event.
func (f *eventsFile) follow(ctx context.Context, client *server.Client, event int64) {
	if f.file == nil {
		return
	}
	f.followed = make(chan error, 1)
	go func() { f.followed <- client.FollowNews(ctx, event, f.write) }()
}

// write appends one piece of news, unbuffered.
func (f *eventsFile) write(n server.News) error {
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	_, err = f.file.Write(append(line, '\n'))
	return err
}

// close waits for the last news of the event if follow was called, and closes the file. A second close does nothing.
// The result is never server.ErrLost: the follower of the event reports a lost arena.
func (f *eventsFile) close() (err error) {
	if f.file == nil {
		return nil
	}
	if f.followed != nil {
		if err = <-f.followed; errors.Is(err, server.ErrLost) {
			err = nil
		}
	}
	err = errors.Join(err, f.file.Close())
	f.file = nil
	if err != nil {
		return fmt.Errorf("the file of --events is not complete: %w", err)
	}
	return nil
}
