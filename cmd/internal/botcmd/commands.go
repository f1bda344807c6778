// Package botcmd has the commands of the program bot. The arena's program has
// them too, so that it can start bots without a second executable.
package botcmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/players"
)

// App returns the program bot.
func App() *cli.App {
	return &cli.App{
		Name:     "bot",
		Usage:    "run the built-in bots of versus 2048",
		Version:  cmdline.Version(),
		Commands: Commands(),
	}
}

// Commands returns the commands "run" and "list".
func Commands() []*cli.Command {
	return []*cli.Command{runCommand(), listCommand()}
}

func listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "print every bot with its options, their defaults and meanings",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			if err := cmdline.Arguments(c); err != nil {
				return err
			}
			if c.Bool("json") {
				return writeKindsJSON(c.App.Writer)
			}
			return writeKinds(c.App.Writer)
		},
	}
}

func writeKinds(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, k := range players.Kinds() {
		fmt.Fprintf(table, "%s\t%s\n", k.Name, k.Summary)
		for _, o := range k.Options {
			fmt.Fprintf(table, "    %s=%s\t%s (%s)\n", o.Name, cmp.Or(o.Default, "FILE"), o.Meaning, o.Allowed())
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nA spec names a bot and sets its options: evminimax, or mcts:playouts=1000,seed=7")
	return err
}

func writeKindsJSON(w io.Writer) error {
	type option struct {
		Name    string `json:"name"`
		Default string `json:"default"`
		Allowed string `json:"allowed"`
		Meaning string `json:"meaning"`
	}
	type kind struct {
		Name    string   `json:"name"`
		Summary string   `json:"summary"`
		Options []option `json:"options"`
	}
	kinds := []kind{}
	for _, k := range players.Kinds() {
		listed := kind{k.Name, k.Summary, []option{}}
		for _, o := range k.Options {
			listed.Options = append(listed.Options, option{o.Name, o.Default, o.Allowed(), o.Meaning})
		}
		kinds = append(kinds, listed)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(kinds)
}
