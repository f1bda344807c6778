package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "print the state of a running arena and its troubles",
		Description: "The exit code is 1 if anything is wrong, or if the arena does not answer. The command is for operators: " +
			"on the arena's machine the user who started it, elsewhere the owner of an operator's token. docs/WEBHOOKS.md lists the troubles.",
		Flags:  append(hosting.ClientFlags(), cmdline.OutputFlags()...),
		Action: cmdline.Printing(printStatus),
	}
}

func printStatus(c *cli.Context, out cmdline.Output) error {
	status, err := hosting.NewClient(c).ArenaStatus(c.Context)
	if err != nil {
		return err
	}
	if err := out.Print(cmdline.Tabular(status, troubleTable(status), func(w io.Writer) error { return writeArenaStatus(w, status, out.Width) })); err != nil {
		return err
	}
	return cmdline.FailIf(len(status.Troubles) > 0)
}

func troubleTable(s server.Status) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("kind", "subject", "event", "bot", "since", "text")}
	for _, tr := range s.Troubles {
		t.Add(tr.Kind, tr.Subject, tr.Event, tr.Bot, tr.Since.Format(time.RFC3339), tr.Text)
	}
	return t
}

func writeArenaStatus(w io.Writer, s server.Status, width int) error {
	lines := []string{
		fmt.Sprintf("arena %s, open for %v", plain.Line(s.Version), time.Duration(s.Uptime).Round(time.Second)),
		fmt.Sprintf("%s connected, %d away; %s running or waiting, %s in progress",
			terminal.Count(s.Bots, "bot", "bots"), s.Away, terminal.Count(s.Events, "event", "events"), terminal.Count(s.Games, "game", "games")),
	}
	if s.Database.Path != "" {
		lines = append(lines, fmt.Sprintf("database %s, with %s free on its disk", plain.Line(s.Database.Path), cmdline.FormatBytes(s.Database.Free)))
	}
	if len(s.Troubles) == 0 {
		lines = append(lines, "no trouble")
	}
	for _, t := range s.Troubles {
		lines = append(lines, fmt.Sprintf("TROUBLE %s since %s: %s", t.Kind, t.Since.Format(time.DateTime+" MST"), plain.Line(t.Text)))
	}
	_, err := fmt.Fprintln(w, terminal.Wrap(strings.Join(lines, "\n"), width, "    "))
	return err
}

func workersCommand() *cli.Command {
	return &cli.Command{
		Name:        "workers",
		Usage:       "list the workers that play for a running arena",
		Description: "They are started by arena worker, on any machine. docs/FARM.md says how.",
		Flags:       append(hosting.ClientFlags(), cmdline.OutputFlags()...),
		Action:      cmdline.Printing(printWorkers),
	}
}

func printWorkers(c *cli.Context, out cmdline.Output) error {
	workers, err := hosting.NewClient(c).Workers(c.Context)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(workers, workerTable(workers), func(w io.Writer) error { return writeWorkers(w, workers, out.Width) }))
}

func workerTable(workers []server.Worker) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("name", "host", "version", "cores", "games", "busy", "played", "faults", "speed", "late_ms", "overloaded", "exec", "aside", "trouble")}
	for _, w := range workers {
		t.Add(w.Name, w.Host, w.Version, w.Cores, w.Games, w.Busy, w.Played, w.Faults, w.Speed, w.Late, w.Overloaded, w.Exec, w.Aside, w.Trouble)
	}
	return t
}

// workerState returns the state of a worker in words: set aside, in trouble, overloaded or playing.
func workerState(w server.Worker) string {
	switch {
	case w.Aside != "":
		return w.Aside
	case w.Trouble != "":
		return w.Trouble
	case w.Overloaded:
		return "overloaded"
	}
	return "plays"
}

func writeWorkers(w io.Writer, workers []server.Worker, width int) error {
	if len(workers) == 0 {
		_, err := fmt.Fprintln(w, "no worker plays for this arena (arena serve --farm, arena worker)")
		return err
	}
	t := terminal.Table{Columns: []terminal.Column{
		{Title: "worker"},
		{Title: "host"},
		{Title: "version"},
		{Title: "cores", Right: true},
		{Title: "playing", Right: true},
		{Title: "games", Right: true},
		{Title: "faults", Right: true},
		{Title: "playouts/s", Right: true},
		{Title: "state"},
	}}
	for _, one := range workers {
		t.Add(one.Name, one.Host, one.Version, one.Cores, fmt.Sprintf("%d of %d", one.Busy, one.Games), one.Played, one.Faults, fmt.Sprintf("%.0f", one.Speed), workerState(one))
	}
	return t.WriteText(w, width)
}
