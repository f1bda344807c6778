package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func botsCommand() *cli.Command {
	return &cli.Command{
		Name:   "bots",
		Usage:  "list the bots that are connected to a running arena",
		Flags:  append(hosting.ClientFlags(), cmdline.OutputFlags()...),
		Action: cmdline.Printing(listBots),
	}
}

func listBots(c *cli.Context, out cmdline.Output) error {
	bots, err := hosting.NewClient(c).Bots(c.Context)
	if err != nil {
		return err
	}
	return out.PrintTable(bots, botTable(bots), plainBotTable(bots))
}

func checkBotCommand() *cli.Command {
	return &cli.Command{
		Name:      "check-bot",
		Usage:     "check a bot that is connected to a running arena",
		ArgsUsage: "NAME",
		Description: "The arena plays about twenty events with the bot: positions that ask for one legal move, and whole games under " +
			"several time controls. bot check --url finds faults that do not show in games. bot check --list lists the checks. " +
			"The exit code is 1 if the bot fails a check that it must pass.",
		Flags:  append([]cli.Flag{hosting.ArenaFlag(), hosting.OperatorFlag(), botcmd.SlackFlag()}, cmdline.OutputFlags()...),
		Action: cmdline.Printing(checkBot),
	}
}

func checkBot(c *cli.Context, out cmdline.Output) error {
	report, err := checkConnected(c.Context, hosting.NewClient(c), c.Args().First(), c.Duration("slack"))
	if err != nil {
		return err
	}
	if err := botcmd.PrintReport(out, report); err != nil {
		return err
	}
	return cmdline.FailIf(!report.Passed())
}

// botTable returns the table of bots for programs.
func botTable(bots []server.BotInfo) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("name", "slots", "event", "version", "author", "spec", "origin", "events", "playing")}
	for _, b := range bots {
		t.Add(b.Name, b.Slots, b.Event, b.Version, b.Author, b.Spec, b.Origin, joinNumbers(b.Events), b.Playing)
	}
	return t
}

// joinNumbers returns numbers with spaces between them.
func joinNumbers(numbers []int64) string { return strings.Trim(fmt.Sprint(numbers), "[]") }

// plainBotTable returns the table of bots for people.
func plainBotTable(bots []server.BotInfo) terminal.Table {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "name", Least: 16}, {Title: "origin", Drop: 2}, {Title: "games at once"}, {Title: "playing in events"}, {Title: "version", Drop: 1}, {Title: "spec", Least: 16},
	}}
	for _, b := range bots {
		event := cmp.Or(joinNumbers(b.Events), "-")
		if b.Away {
			event += fmt.Sprintf(" (away, for %s at most)", cmdline.Clock(time.Duration(b.AwayLeft)))
		}
		table.Add(b.Name, b.Origin, b.Slots, event, b.Version, b.Spec)
	}
	return table
}

func statusEvent(c *cli.Context, out cmdline.Output) error {
	id, err := eventArgument(c)
	if err != nil {
		return err
	}
	status, err := readStatus(c, id)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(status, report.StandingsTable(status.Standings), func(w io.Writer) error {
		return writeStatus(w, status, placeOf(c), out.Width)
	}))
}

// eventArgument reads the number of an event. Without an argument it is the newest known event.
func eventArgument(c *cli.Context) (int64, error) {
	if c.Args().Len() > 0 {
		return parseNumber("EVENT", c.Args().First())
	}
	events, err := knownEvents(c)
	if err != nil {
		return 0, err
	}
	if len(events) == 0 {
		return 0, errors.New("no event is known here: give the number of an event")
	}
	return slices.MaxFunc(events, func(a, b eventRow) int { return cmp.Compare(a.Event, b.Event) }).Event, nil
}

// readStatus returns the progress of an event on the arena or in the database.
func readStatus(c *cli.Context, id int64) (server.Progress, error) {
	status, err := read(c, func(arena *server.Client) (server.Progress, error) { return arena.Status(c.Context, id) },
		func(store *results.Reader) (server.Progress, error) { return recordedStatus(c, store, id) })
	return status, orDatabase(c, err)
}

// recordedStatus returns the progress of an event in a database, which an arena may be using.
func recordedStatus(c *cli.Context, store *results.Reader, id int64) (server.Progress, error) {
	status, err := recordedProgress(c.Context, store, id)
	if status.State == server.Unfinished && len(status.Games) > 0 && results.InUse(c.String("db")) {
		status.State, status.Playing = server.Running, len(status.Games)
		status.Message = "an arena is using this database; moves appear in it a moment after they are played"
	}
	return status, err
}

// recordedProgress returns the progress of an event as a database has it.
func recordedProgress(ctx context.Context, store *results.Reader, id int64) (server.Progress, error) {
	event, err := store.Event(ctx, id)
	if err != nil {
		return server.Progress{}, err
	}
	status := server.NewRecord(event)
	if err := store.Results(ctx, event, func(r tournament.Result) error {
		status.Add(r)
		return nil
	}); err != nil {
		return server.Progress{}, err
	}
	p := status.Progress()
	err = store.Games(ctx, results.Filter{Event: id, Ending: record.Unfinished}, func(g results.Stored) error {
		p.Games = append(p.Games, server.NewGameProgress(&g.Game))
		return nil
	})
	return p, err
}

// writeStatus writes the progress, the games in progress and the standings. place is the flag that names the database or
// the running arena.
func writeStatus(w io.Writer, p server.Progress, place string, width int) error {
	lines := []string{hosting.ProgressLine(p), fmt.Sprintf("%q", p.Name)}
	if p.Message != "" {
		lines = append(lines, plain.Line(p.Message))
	}
	for _, g := range p.Games {
		lines = append(lines, fmt.Sprintf("  game %d (match %d): %q attacks %q, %s", g.Game, g.Match, g.Attacker, g.Defender, terminal.Count(g.Plies, "ply", "plies")))
	}
	for _, b := range p.Bots {
		lines = append(lines, fmt.Sprintf("  %q %s", b.Name, originText(b)))
	}
	lines = append(lines, hosting.FaultLines(p, place)...)
	_, err := fmt.Fprintln(w, terminal.Wrap(strings.Join(lines, "\n"), width, "    "))
	if err != nil || p.Standings == nil {
		return err
	}
	fmt.Fprintf(w, "\n%s:\n", p.Standings.Format)
	return report.WriteStandings(w, *p.Standings, width)
}

// originText describes the origin of a bot of an event.
func originText(b server.Participant) string {
	switch b.Origin {
	case roster.Started:
		return "started: " + plain.Line(b.Spec)
	case roster.Program:
		return "a program of the arena's host"
	}
	return "connects by itself"
}

func operateFlags() []cli.Flag {
	return []cli.Flag{hosting.ArenaFlag(), hosting.OperatorFlag(), &cli.BoolFlag{Name: "json", Usage: "print the event's progress as JSON"}}
}

// operate returns the action of a command that changes an event on a running arena. happened describes the change in
// the command's output.
func operate(change func(*server.Client, context.Context, int64) error, happened string) cli.ActionFunc {
	return onEvent(func(c *cli.Context, id int64) error {
		if err := change(hosting.NewClient(c), c.Context, id); err != nil {
			return err
		}
		return printOperated(c, id, happened)
	})
}

// printOperated prints the change of an event and the command that resumes the event; with --json it prints the event's
// progress instead.
func printOperated(c *cli.Context, id int64, happened string) error {
	if c.Bool("json") {
		status, err := hosting.NewClient(c).Status(c.Context, id)
		if err != nil {
			return err
		}
		return cmdline.WriteJSON(c.App.Writer, status)
	}
	_, err := fmt.Fprintf(c.App.Writer, "event %d %s\nresume: %s\n", id, happened, hosting.ResumeCommand(id, "--server", c.String("server")))
	return err
}
