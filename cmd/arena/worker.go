package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/running"
	"versus2048/internal/server"
	"versus2048/internal/text/terminal"
)

func workersCommand() *cli.Command {
	return &cli.Command{
		Name:        "workers",
		Usage:       "list the workers that play for a running arena",
		Description: "They are started by arena worker, on any machine. docs/FARM.md says how.",
		Flags:       append(running.Flags(), cmdline.OutputFlags()...),
		Action:      cmdline.Printing(printWorkers),
	}
}

func printWorkers(c *cli.Context, out cmdline.Output) error {
	workers, err := running.Client(c).Workers(c.Context)
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

// workerState describes the state of a worker: that it plays, or why it is set aside or gets no files.
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
