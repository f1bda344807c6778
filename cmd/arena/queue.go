package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/terminal"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// queueCommand returns the command queue, which lists the events that wait on a running arena for their time or for
// their bots.
func queueCommand() *cli.Command {
	return &cli.Command{
		Name:   "queue",
		Usage:  "list the events that wait for their time or for their bots on a running arena",
		Flags:  slices.Concat(hosting.ClientFlags(), cmdline.OutputFlags()),
		Action: cmdline.Printing(listQueue),
	}
}

func cancelCommand() *cli.Command {
	return &cli.Command{
		Name:      "cancel",
		Usage:     "take an event out of the queue of a running arena; a repeated event is not repeated any more",
		ArgsUsage: "EVENT",
		Flags:     append(operateFlags(), &cli.BoolFlag{Name: "skip", Usage: "leave out only the next time of an event that is repeated"}),
		Action:    onEvent(cancelEvent),
	}
}

// bookingFlags choose when a running arena is to play an event by itself.
func bookingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "queue", Usage: "with --server: let the arena begin as soon as the bots are connected and free, and return at once"},
		&cli.DurationFlag{Name: "wait", Usage: "with --server: the same as --queue, but give up if the bots are still missing or busy after this time; 0 to wait for ever"},
		&cli.StringFlag{Name: "start-at", Usage: "with --server: let the arena begin at a `TIME` such as 20:00, \"2026-12-01 20:00\" (in its time zone) or 2026-12-01T20:00:00+01:00"},
		&cli.StringFlag{Name: "every", Usage: "with --server: let the arena repeat it every `INTERVAL`: 24h, day@20:00, mon@20:00, sat,sun@14:30 (in its time zone)"},
		&cli.IntFlag{Name: "times", Usage: "with --every: the number of times in all; 0 to repeat it until it is canceled"},
	}
}

// requeueFlag returns the flag that puts an event into the arena's queue instead of resuming it at once.
func requeueFlag() cli.Flag {
	return &cli.BoolFlag{Name: "queue", Usage: "with --server: let the arena resume it as soon as its bots are connected and free, and return at once"}
}

// isBooking reports whether a flag of bookingFlags is given: then a running arena plays the event by itself.
func isBooking(c *cli.Context) bool {
	return slices.ContainsFunc(bookingFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) && c.Value(f.Names()[0]) != false })
}

func bookEvent(c *cli.Context, e tournament.Event) error {
	if err := checkQueueing(c); err != nil {
		return err
	}
	every, err := agenda.ParseEvery(c.String("every"))
	if err != nil {
		return cmdline.Usagef("--every: %w", err)
	}
	booking := server.Booking{Event: e, StartAt: c.String("start-at"), Every: every, Times: c.Int("times"), Wait: tournament.Millis(c.Duration("wait"))}
	id, err := hosting.NewClient(c).Book(c.Context, booking)
	if err != nil {
		return err
	}
	return printBooked(c, id)
}

func requeueEvent(c *cli.Context, id int64) error {
	if err := checkQueueing(c); err != nil {
		return err
	}
	if _, err := hosting.ReadPrograms(c); err != nil {
		return err
	}
	if err := hosting.NewClient(c).Requeue(c.Context, id); err != nil {
		return err
	}
	return printBooked(c, id)
}

// checkQueueing returns an error for flags that cannot be used with the queue of a running arena.
func checkQueueing(c *cli.Context) error {
	if c.String("server") == "" {
		return cmdline.Usagef("--queue, --wait, --start-at, --every and --times need --server: only a running arena plays by itself")
	}
	for _, name := range []string{"db", "grace", "memory", cmdline.StartTimeout, "events"} {
		if c.IsSet(name) {
			return cmdline.Usagef("--%s does not go with an event that the arena plays by itself", name)
		}
	}
	return nil
}

// printBooked prints the status of an event that the arena plays by itself.
func printBooked(c *cli.Context, id int64) error {
	p, err := hosting.NewClient(c).Status(c.Context, id)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return cmdline.WriteJSON(c.App.Writer, p)
	}
	command := func(name string) string {
		return fmt.Sprintf("%s event %s %d --server %s", cmdline.ThisProgram(), name, id, cmdline.Quote(c.String("server")))
	}
	text := fmt.Sprintf("%s\nstatus: %s\n", hosting.ProgressLine(p), command("status"))
	if p.State.InQueue() {
		text += fmt.Sprintf("cancel: %s\n", command("cancel"))
	}
	_, err = io.WriteString(c.App.Writer, text)
	return err
}

// timeText returns a time in whole seconds with the offset of its zone, "" for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04:05 -07:00")
}

func listQueue(c *cli.Context, out cmdline.Output) error {
	events, err := hosting.NewClient(c).Queue(c.Context)
	if err != nil {
		return err
	}
	return out.PrintTable(events, queueTable(events), shownQueue(events))
}

func queueTable(events []server.Progress) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("event", "state", "begin", "until", "every", "nth", "times", "series", "absent", "busy", "name", "why")}
	for _, e := range events {
		q := e.Queue
		t.Add(e.Event, e.State, timeText(q.Begin), timeText(q.Until), q.Every.String(), q.Nth, q.Times, q.Series,
			strings.Join(q.Absent, " "), strings.Join(q.Busy, " "), e.Name, q.Text())
	}
	return t
}

func shownQueue(events []server.Progress) terminal.Table {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "event"}, {Title: "state"}, {Title: "begins"}, {Title: "every", Drop: 1}, {Title: "name", Least: 16}, {Title: "waits for", Least: 16},
	}}
	for _, e := range events {
		why := e.Queue.Text()
		if e.State == server.Scheduled {
			why = "its time"
		}
		table.Add(e.Event, e.State, timeText(e.Queue.Begin), e.Queue.Every.String(), e.Name, why)
	}
	return table
}

func cancelEvent(c *cli.Context, id int64) error {
	if c.Bool("skip") {
		if err := hosting.NewClient(c).Skip(c.Context, id); err != nil {
			return err
		}
		return printBooked(c, id)
	}
	if err := hosting.NewClient(c).Cancel(c.Context, id); err != nil {
		return err
	}
	if c.Bool("json") {
		return printOperated(c, id, "")
	}
	_, err := fmt.Fprintf(c.App.Writer, "event %d is canceled\nput it back: %s --queue\n", id, hosting.ResumeCommand(id, "--server", c.String("server")))
	return err
}
