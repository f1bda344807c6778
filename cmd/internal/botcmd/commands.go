// Package botcmd has the commands of the program bot. The programs arena and lab have these commands, too, so that they
// can start bots without a second executable.
package botcmd

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/players"
)

// Commands returns the commands in their groups of the help.
func Commands() []*cli.Command {
	return slices.Concat(
		cmdline.Group("play", runCommand(), execCommand(), llmCommand(), stdioCommand()),
		cmdline.Group("write", newCommand(), tryCommand(), checkCommand()),
		cmdline.Group("look", listCommand(), benchCommand()),
	)
}

func listCommand() *cli.Command {
	return &cli.Command{
		Name:   "list",
		Usage:  "print every bot with its options, their defaults and meanings",
		Flags:  cmdline.OutputFlags(),
		Action: cmdline.Printing(list),
	}
}

func list(c *cli.Context, out cmdline.Output) error {
	kinds := listed()
	return out.Print(cmdline.Tabular(kinds, kindTable(kinds), func(w io.Writer) error { return writeKinds(w, kinds, out.Width) }))
}

type kind struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	Options []option `json:"options"`
}

type option struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Allowed string `json:"allowed"`
	Meaning string `json:"meaning"`
}

func listed() []kind {
	kinds := []kind{}
	for _, k := range players.Kinds() {
		options := []option{}
		for _, o := range k.Options {
			options = append(options, option{o.Name, o.Default, o.Allowed(), o.Meaning})
		}
		kinds = append(kinds, kind{k.Name, k.Summary, options})
	}
	return kinds
}

// kindTable has a row for each bot, without an option, and one for each option.
func kindTable(kinds []kind) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("bot", "option", "default", "allowed", "meaning")}
	for _, k := range kinds {
		t.Add(k.Name, "", "", "", k.Summary)
		for _, o := range k.Options {
			t.Add(k.Name, o.Name, o.Default, o.Allowed, o.Meaning)
		}
	}
	return t
}

func writeKinds(w io.Writer, kinds []kind, width int) error {
	table := terminal.Table{Columns: []terminal.Column{{}, {}}}
	for _, k := range kinds {
		table.Add(k.Name, k.Summary)
		for _, o := range k.Options {
			table.Add(fmt.Sprintf("    %s=%s", o.Name, cmp.Or(o.Default, "FILE")), fmt.Sprintf("%s (%s)", o.Meaning, o.Allowed))
		}
	}
	text := terminal.Wrap(table.Text(0), width, strings.Repeat(" ", 8))
	_, err := fmt.Fprintln(w, text+"\n"+terminal.Wrap("A spec names a bot and sets its options: evminimax, or mcts:playouts=1000,seed=7", width, "  "))
	return err
}
