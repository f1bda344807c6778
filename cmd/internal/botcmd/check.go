package botcmd

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/check"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/rules"
)

func checkCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "url", Usage: "check a bot that connects: listen at this address as an arena does, such as ws://127.0.0.1:2050/bot"},
		&cli.StringSliceFlag{Name: "only", Usage: "run only this check; may be repeated"},
		&cli.StringSliceFlag{Name: "rules", Usage: "check only games under these rules: gpcc2015, gpcc2016 or solo; may be repeated"},
		&cli.StringSliceFlag{Name: "size", Usage: "check only games on boards of this size, 2x2 to 4x4; may be repeated"},
		&cli.BoolFlag{Name: "list", Usage: "print the checks and run none"},
		&cli.BoolFlag{Name: "strict", Usage: "exit with 1 also if a check fails that a bot should pass"},
		&cli.StringFlag{Name: "junit", Usage: "also write the result into this file as JUnit's XML"},
		SlackFlag(),
		cmdline.StartTimeoutFlag(),
		&cli.DurationFlag{Name: "wait", Value: 20 * time.Second, Usage: "how long to wait for a bot that connects by itself", Action: cmdline.AtLeast[time.Duration]("wait", 0)},
		cmdline.ForceFlag(),
	}
	return &cli.Command{
		Name:      "check",
		Usage:     "check whether a bot keeps to the protocols",
		ArgsUsage: "-- COMMAND [ARGUMENT ...]",
		Description: "COMMAND starts a bot that speaks the line protocol of docs/STDIO.md over its standard input and " +
			"output. With --url the checker takes the place of an arena: it listens at that " +
			"address and starts the bot by COMMAND, with the address in VERSUS2048_URL. Without COMMAND it waits for a bot " +
			"that you start.\n\n" +
			"All checks run, whatever fails: this takes some 15 s, and minutes with a bot that does not answer. The exit code is 1 if a check fails that a bot must pass. " +
			"bot check --list lists the checks.",
		Flags:  append(flags, cmdline.OutputFlags()...),
		Action: cmdline.Printing(runChecks),
	}
}

// SlackFlag returns the flag --slack, which sets how late an answer may be in the checks of clocks.
func SlackFlag() cli.Flag {
	return &cli.DurationFlag{
		Name: "slack", Value: check.DefaultSlack, Action: cmdline.AtLeast[time.Duration]("slack", 0),
		Usage: "how late an answer may be in the checks of clocks, for a busy machine",
	}
}

func runChecks(c *cli.Context, out cmdline.Output) error {
	if c.Bool("list") {
		return listChecks(out)
	}
	games, err := checkedGames(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := cmdline.CheckFile(c.String("junit"), c.Bool("force")); err != nil {
		return err
	}
	bot, err := checkedBot(c)
	if err != nil {
		return err
	}
	report, err := check.Run(c.Context, bot, check.Options{
		Only: c.StringSlice("only"), Games: games, Slack: c.Duration("slack"), Wait: c.Duration("wait"),
		StartTimeout: c.Duration(cmdline.StartTimeout), Progress: progress(c.App.ErrWriter), Found: found(c.App.ErrWriter, out),
	})
	if terminal.Is(c.App.ErrWriter) {
		fmt.Fprintf(c.App.ErrWriter, "\r%60s\r", "") // over the progress
	}
	if err != nil {
		return unfinished(out, report, err)
	}
	if err := PrintReport(out, report); err != nil {
		return err
	}
	if file := c.String("junit"); file != "" {
		if err := cmdline.WriteFile(file, c.Bool("force"), report.WriteJUnit); err != nil {
			return err
		}
	}
	return cmdline.FailIf(!report.Passed() || c.Bool("strict") && report.Count(check.Should, check.Failed) > 0)
}

// checkedGames reads --rules and --size. It returns an error for rules or a size that do not exist.
func checkedGames(c *cli.Context) (games rules.Variants, err error) {
	for _, name := range c.StringSlice("rules") {
		if _, err := rules.ParseRuleset(name); err != nil {
			return games, err
		}
	}
	for _, name := range c.StringSlice("size") {
		if _, err := rules.ParseSize(name); err != nil {
			return games, err
		}
	}
	return rules.ParseVariants(c.StringSlice("rules"), c.StringSlice("size"), nil), nil
}

// progress returns a function that shows the number of finished checks and the last of them on the terminal w: with a
// bot that does not answer, the checks take minutes. progress returns nil if w is no terminal.
func progress(w io.Writer) func(check.Check) {
	if !terminal.Is(w) {
		return nil
	}
	n := 0
	return func(c check.Check) {
		n++
		fmt.Fprintf(w, "\r%3d checks done, the last: %-28s", n, c.ID)
	}
}

// found returns a function that shows the first problem of each check on the terminal w at once. found returns nil if w
// is no terminal, or if the result is for a program.
func found(w io.Writer, out cmdline.Output) func(id, problem string) {
	if !terminal.Is(w) || out.Format != cmdline.TableFormat {
		return nil
	}
	return func(id, problem string) {
		fmt.Fprintf(w, "\r%60s\r%s: %s\n", "", id, plain.Line(problem))
	}
}

// unfinished returns the error of checks that have ended with err. After an interrupt it first prints the report on the
// checks that were done, unless the report is for a program, which would take it for a whole one.
func unfinished(out cmdline.Output, r check.Report, err error) error {
	if wrong := (*check.OnlyError)(nil); errors.As(err, &wrong) {
		return cmdline.Usagef("--only: %w", err)
	}
	if len(r.Results) > 0 && out.Format == cmdline.TableFormat {
		return errors.Join(err, PrintReport(out, r))
	}
	return err
}

// PrintReport prints a report on a bot in the format of out.
func PrintReport(out cmdline.Output, r check.Report) error {
	return out.Print(cmdline.Tabular(WithAdvice(r), resultTable(r), r.WriteText))
}

// checkedBot returns the bot of the command line. With --url it listens for the bot.
func checkedBot(c *cli.Context) (check.Bot, error) {
	command := c.Args().Slice()
	if !c.IsSet("url") {
		if len(command) == 0 {
			return nil, cmdline.Usagef("check: the command of the bot is missing: bot check -- COMMAND, or --url for a bot that connects")
		}
		return check.NewLineBot(command), nil
	}
	address, err := url.Parse(c.String("url"))
	if err != nil || address.Scheme != "ws" || address.Host == "" {
		return nil, cmdline.Usagef("--url %q: want an address to listen at, such as ws://127.0.0.1:2050/bot", c.String("url"))
	}
	listener, err := new(net.ListenConfig).Listen(c.Context, "tcp", address.Host)
	if err != nil {
		return nil, fmt.Errorf("listening at --url: %w", err)
	}
	bot := check.NewSocketBot(listener, command)
	if len(command) == 0 {
		fmt.Fprintf(c.App.ErrWriter, "waiting %v for a bot at %s\n", c.Duration("wait"), bot.URL())
	}
	return bot, nil
}

func listChecks(out cmdline.Output) error {
	table := terminal.Table{Columns: terminal.Columns("check", "level", "protocol", "demand")}
	list := check.List()
	for _, c := range list {
		table.Add(c.ID, c.Level, c.Media, c.Demand)
	}
	return out.Print(cmdline.Tabular(list, table, func(w io.Writer) error { return writeUntitled(w, table, out.Width) }))
}

// writeUntitled writes a table for a terminal, without its titles.
func writeUntitled(w io.Writer, t terminal.Table, width int) error {
	t.Columns = make([]terminal.Column, len(t.Columns))
	_, err := fmt.Fprintln(w, terminal.Wrap(t.Text(0), width, strings.Repeat(" ", 8)))
	return err
}

func resultTable(r check.Report) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("check", "level", "state", "problem")}
	for _, result := range r.Results {
		problem := result.Why
		if len(result.Failures) > 0 {
			problem = result.Failures[0].Problem
		}
		t.Add(result.ID, result.Level, result.State, problem)
	}
	return t
}
