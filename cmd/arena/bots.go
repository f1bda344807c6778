package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

func botsCommand() *cli.Command {
	return &cli.Command{
		Name:  "bots",
		Usage: "list the bots that are connected to a running arena",
		Flags: []cli.Flag{
			runningServerFlag(),
			operatorFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: listBots,
	}
}

func listBots(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	bots, err := remoteArena(c).Bots(c.Context)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, bots)
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "name\tgames at once\tplaying in event\tversion\tspec")
	for _, b := range bots {
		event := "-"
		if b.Event != 0 {
			event = fmt.Sprint(b.Event)
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\n", b.Name, b.Slots, event, b.Version, b.Spec)
	}
	return table.Flush()
}

// writeJSON writes a value as a script reads it.
func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}
