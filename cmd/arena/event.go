package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/players"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
	"versus2048/tournament/report"
)

// eventCommand returns the command for events under the given name. The command is hidden under any name but "event".
func eventCommand(name string) *cli.Command {
	return &cli.Command{
		Name:   name,
		Hidden: name != "event",
		Usage:  "play events (round-robins, gauntlets, knockouts, ladders and others), look at them and change them",
		Subcommands: slices.Concat(
			cmdline.Group("begin", playCommands()...), cmdline.Group("look", lookCommands()...), cmdline.Group("operate", operateCommands()...),
		),
	}
}

func playCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:  "run",
			Usage: "play an event to its end",
			Description: "A bot is a spec (see: bot list), which the arena starts as a process of its own,\n" +
				"or with --server the name of a bot that is connected there. NAME=SPEC names a\n" +
				"bot that the arena starts. NAME=exec:COMMAND is a program that plays over its\n" +
				"standard input and output (docs/STDIO.md): all that comes after exec: is its\n" +
				"command, which the arena runs without a shell.",
			Flags: slices.Concat([]cli.Flag{
				&cli.StringFlag{Name: "config", Usage: "a file that describes the event (see: arena event init); other flags override it"},
			}, eventFlags(), playFlags(), cmdline.GroupFlags("the queue of a running arena", bookingFlags()...)),
			Action: runEvent,
		},
		{
			Name:      "init",
			Usage:     "write an event's file with every key and its default, for: event run --config",
			ArgsUsage: "[FILE]",
			Flags:     []cli.Flag{cmdline.ForceFlag()},
			Action:    cmdline.WithArguments(initEvent),
		},
		{
			Name:      "resume",
			Usage:     "resume an event that was interrupted or paused",
			ArgsUsage: "EVENT",
			Flags:     append([]cli.Flag{programFlag(), requeueFlag()}, playFlags()...),
			Action:    onRecord(onEvent(resumeEvent)),
		},
		{
			Name:      "replay-match",
			Usage:     "void a match that was lost by a fault, and play the event on, so that the match is played again",
			ArgsUsage: "EVENT MATCH",
			Flags:     append([]cli.Flag{programFlag()}, playFlags()...),
			Action:    onRecord(onEvent(replayMatch)),
		},
	}
}

func lookCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:   "list",
			Usage:  "list the events on record, of a running arena or in a database",
			Flags:  slices.Concat(lookFlags(), cmdline.OutputFlags()),
			Action: cmdline.Printing(listEvents),
		},
		{
			Name:      "status",
			Usage:     "show the progress of an event, by default the newest, on a running arena or in a database",
			ArgsUsage: "[EVENT]",
			Flags:     slices.Concat(lookFlags(), cmdline.OutputFlags()),
			Action:    onRecord(cmdline.Printing(statusEvent)),
		},
		queueCommand(),
	}
}

func operateCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:      "pause",
			Usage:     "start no new games of an event on a running arena until it is resumed; games in progress continue",
			ArgsUsage: "EVENT",
			Flags:     operateFlags(),
			Action:    operate((*server.Client).Pause, "is paused: no new games start, games in progress continue"),
		},
		{
			Name:      "stop",
			Usage:     "interrupt an event on a running arena; its games are kept",
			ArgsUsage: "EVENT",
			Flags:     operateFlags(),
			Action:    operate((*server.Client).Stop, "has stopped; its games are kept"),
		},
		{
			Name:      "join",
			Usage:     "let a bot join a ladder, or a Swiss event from its next round on, on a running arena; BOT is the name of a connected bot, SPEC or NAME=SPEC",
			ArgsUsage: "EVENT BOT",
			Flags:     hosting.ClientFlags(),
			Action:    changeLineup((*server.Client).Join, "%s takes part in event %d\n"),
		},
		{
			Name:      "leave",
			Usage:     "let a bot leave an event on a running arena: a ladder after the matches that it already has, another event after the matches that it has begun",
			ArgsUsage: "EVENT NAME",
			Flags:     hosting.ClientFlags(),
			Action:    changeLineup((*server.Client).Leave, "%s leaves event %d after the matches that it has begun or, in a ladder, was given\n"),
		},
		cancelCommand(),
	}
}

// playFlags returns the flags that choose the output and the arena that plays an event. Only --json chooses the format
// of the result: in "run", --format is the format of the tournament.
func playFlags() []cli.Flag {
	return slices.Concat(
		[]cli.Flag{hosting.DatabaseFlag(), hosting.ServerFlag()},
		cmdline.GroupFlags("the arena", hosting.OperatorFlag(), hosting.GraceFlag(), cmdline.StartTimeoutFlag(),
			&cli.StringFlag{Name: "memory", DefaultText: "all of the machine's", Usage: "refuse the event if its bots may need more memory, such as 4GiB"}),
		cmdline.GroupFlags("the output", &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}, cmdline.QuietFlag(),
			&cli.StringFlag{Name: "events", Usage: "append a line of JSON to this file for everything that happens (docs/EVENTS.md)"}),
	)
}

func runEvent(c *cli.Context) (err error) {
	if c.Args().Present() {
		return cmdline.Usagef("event run: unexpected argument %q: name each bot with --bot, such as --bot greedy --bot random", c.Args().First())
	}
	event, err := readEvent(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	programs, err := takePrograms(c, &event)
	if err != nil {
		return err
	}
	if c.String("server") == "" && event.Settings.Plan.Open != tournament.Closed {
		return cmdline.Usagef("an open ladder is played where bots connect: start an arena with arena serve, and give its address with --server")
	}
	if isBooking(c) {
		return bookEvent(c, event)
	}
	if err := checkBots(c, event, programs); err != nil {
		return err
	}
	a, err := openArena(c, programs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	forecast, err := forecastOf(c, a, event, programs)
	if err != nil {
		return err
	}
	_, err = follow(c, a, starting(a, event), func(f *follower, ctx context.Context, last server.Progress) error {
		f.forecast = forecast
		return f.printTables(ctx, last)
	})
	return err
}

// forecastOf returns a forecast of the duration of an event, nil for an event that an arena will refuse. It prints the
// forecast unless --quiet or --json is given. On a local arena the forecast uses the earlier games in the database. For
// a running arena a name that is no spec counts as a connected bot; the arena itself refuses bots that it cannot play.
func forecastOf(c *cli.Context, a *hosting.Arena, e tournament.Event, programs roster.Commands) (*report.Forecast, error) {
	resolved, err := roster.Resolve(e, func(name string) bool {
		_, wrong := players.Parse(name)
		return programs[name] != nil || !a.IsLocal() && wrong != nil
	}, 0)
	if err != nil {
		return nil, nil
	}
	forecast := report.NewForecaster(resolved).Forecast()
	if a.Store != nil {
		forecast, err = a.Store.Forecast(c.Context, resolved)
	}
	if err == nil && !c.Bool("quiet") && !c.Bool("json") {
		fmt.Fprint(c.App.ErrWriter, terminal.Wrap(forecast.Text()+"\n", terminal.WidthOf(c.App.ErrWriter), "  "))
	}
	return &forecast, err
}

// checkBots returns a usage error for bots that a local arena cannot play, and warns of networks that learned another
// game. It leaves the check to a running arena if --server names one.
func checkBots(c *cli.Context, e tournament.Event, programs roster.Commands) error {
	if c.String("server") != "" {
		return nil
	}
	resolved, err := roster.Resolve(e, func(name string) bool { return programs[name] != nil }, 0)
	if err == nil {
		warnOfNetworks(c.App.ErrWriter, resolved)
	}
	return cmdline.WrongUsage(err)
}

// warnOfNetworks lists the bots with a network that learned other rules or another board than the event's.
func warnOfNetworks(w io.Writer, e tournament.Event) {
	for _, entry := range e.Entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			continue // a program, or a connected bot
		}
		if foreign := spec.Foreign(e.Rules, e.Size); foreign != nil {
			fmt.Fprintf(w, "warning: bot %q: %s\n", plain.Line(entry.Name), plain.Line(foreign.Error()))
		}
	}
}

func resumeEvent(c *cli.Context, id int64) error {
	if c.Bool("queue") {
		return requeueEvent(c, id)
	}
	return playOn(c, id, 0)
}

func replayMatch(c *cli.Context, id int64) error {
	match, err := parseNumber("MATCH", c.Args().Get(1))
	if err != nil {
		return err
	}
	return playOn(c, id, int(match))
}

// playOn plays a recorded event to its end. If match is not 0, it first voids that match, which is then played again.
func playOn(c *cli.Context, id int64, match int) (err error) {
	programs, err := hosting.ReadPrograms(c)
	if err != nil {
		return err
	}
	if c.String("server") == "" {
		// OpenLocal would create a missing database.
		if err := findEvent(c.Context, c.String("db"), id, match, programs); err != nil {
			return err
		}
	}
	a, err := openArena(c, programs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if a.Store != nil {
		// Drop takes the event off the agenda: this command plays it now, and no arena may resume it by itself.
		if err := a.Store.Drop(c.Context, id); err != nil {
			return err
		}
	}
	_, err = follow(c, a, func(ctx context.Context) (int64, error) {
		if match == 0 {
			return id, a.Client.Resume(ctx, id)
		}
		return id, a.Client.ReplayMatch(ctx, id, match)
	}, (*follower).printTables)
	return err
}

// findEvent returns an error unless the database has the event, every program is a bot of the event, and no bot is
// absent: see absentBots. match is the match to be played again, 0 for none.
func findEvent(ctx context.Context, db string, id int64, match int, programs roster.Commands) error {
	store, err := results.OpenReader(ctx, db)
	if err != nil {
		return err
	}
	defer store.Close()
	event, err := store.Event(ctx, id)
	if err != nil {
		return err
	}
	for name := range programs {
		if entry, known := event.Entry(name); !known || entry.Spec != "" {
			return cmdline.Usagef("--bot %s=exec:...: event %d has no bot of this name that is a program", plain.Line(name), id)
		}
	}
	absent, err := absentBots(ctx, store, event, match, programs)
	if err != nil || len(absent) == 0 {
		return err
	}
	return absentError(event, absent)
}

// absentError returns an error about the absent bots of an event, with advice on resuming the event.
func absentError(e tournament.Event, absent []string) error {
	var again []string
	for _, name := range absent {
		if e.Settings.IsProgram(name) || e.Settings.Programs == nil {
			again = append(again, recipe.ProgramFlag(plain.Line(name)))
		}
	}
	switch {
	case e.Settings.Programs == nil: // an earlier version did not record the programs
		return cmdline.Usagef("event %d: bots cannot connect to this command, and the database has no commands: give the commands of its programs again, %s; "+
			"for bots that connect by themselves, resume the event with --server on an arena that serves this database", e.ID, strings.Join(again, " "))
	case len(again) == len(absent):
		return cmdline.Usagef("event %d: the database has no commands: give the commands of its programs again, %s", e.ID, strings.Join(again, " "))
	}
	return cmdline.Usagef("event %d has bots that connect by themselves, and this command takes no connections: resume it with --server, on an arena that serves this database", e.ID)
}

// absentBots returns the names of the bots that need a spec or a command and have neither. A bot needs one if it has
// matches left in the event, or plays in the match that is played again; match is 0 for none.
func absentBots(ctx context.Context, store *results.Reader, e tournament.Event, match int, programs roster.Commands) (names []string, err error) {
	known := func(entry tournament.Entry) bool { return entry.Spec != "" || programs[entry.Name] != nil }
	if !slices.ContainsFunc(e.Entries, func(entry tournament.Entry) bool { return !known(entry) }) || format.Validate(e) != nil {
		return nil, nil // no bot is absent, or the arena will report the error of the event
	}
	f := format.New(e)
	if err := store.EachMatch(ctx, e, func(m tournament.MatchResult) {
		if m.Match != match {
			f.Add(m)
		}
	}); err != nil {
		return nil, err
	}
	for _, entry := range e.Participants(f) {
		if !known(entry) {
			names = append(names, entry.Name)
		}
	}
	if _, left := f.Next(tournament.Everyone{}); !left && !f.Total().Open() {
		return nil, nil
	}
	return names, nil
}

// programFlag returns the flag for the programs of an event that is resumed: the database does not have their commands.
func programFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "bot", Usage: "a program of the event, NAME=exec:COMMAND, which has to be given again; repeat it for each"}
}

// takePrograms takes the commands out of an event that is to be played, and leaves the names.
func takePrograms(c *cli.Context, e *tournament.Event) (roster.Commands, error) {
	programs, err := roster.TakeCommands(e)
	if err != nil {
		return nil, cmdline.WrongUsage(err)
	}
	return programs, hosting.CheckPrograms(c, programs)
}

// openArena opens the running arena that --server names, or a local one on --db with these programs.
func openArena(c *cli.Context, programs roster.Commands) (*hosting.Arena, error) {
	if c.String("server") == "" {
		memory, err := cmdline.AllowedMemory(c, 1)
		if err != nil {
			return nil, err
		}
		return hosting.OpenLocal(c.Context, c.String("db"), hosting.Terms{
			Grace: c.Duration("grace"), Memory: memory, Programs: programs, StartTimeout: c.Duration(cmdline.StartTimeout),
		})
	}
	if c.IsSet("grace") || c.IsSet("db") || c.IsSet("memory") || c.IsSet(cmdline.StartTimeout) {
		return nil, cmdline.Usagef("--db, --grace, --memory and --start-timeout belong to the running arena: set them where it is served")
	}
	return hosting.OpenRunning(hosting.NewClient(c)), nil
}

// changeLineup returns the action of a command that lets a bot join or leave an event on a running arena. told is the
// format of the command's output for the bot and the event.
func changeLineup(change func(*server.Client, context.Context, int64, string) error, told string) cli.ActionFunc {
	return onEvent(func(c *cli.Context, id int64) error {
		bot := c.Args().Get(1)
		if err := change(hosting.NewClient(c), c.Context, id, bot); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.App.Writer, told, plain.Line(bot), id)
		return err
	})
}
