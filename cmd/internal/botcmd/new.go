package botcmd

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/templates"
	"versus2048/internal/text/terminal"
	"versus2048/players"
	"versus2048/tournament/recipe"
)

func newCommand() *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "write a small working bot into a new folder, as a beginning",
		ArgsUsage: "LANGUAGE DIR",
		Description: "LANGUAGE is one of " + strings.Join(templates.Languages(), ", ") + ". DIR is the folder to write " +
			"into, which must be new or empty; its last part becomes the name of the bot. The command prints the next steps. " +
			"docs/BOTS.md leads from there to a rated bot.",
		Flags:  cmdline.OutputFlags(),
		Action: cmdline.Printing(writeTemplate),
	}
}

// written is a bot that was just written.
type written struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Folder   string `json:"folder"`
	Build    string `json:"build,omitempty"` // the command that builds it, in its folder; "" if there is nothing to build
	Run      string `json:"run"`             // the command that runs it there, over standard input and output
}

func writeTemplate(c *cli.Context, out cmdline.Output) error {
	template, err := templates.Find(c.Args().First())
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	folder := c.Args().Get(1)
	name, err := nameIn(folder)
	if err != nil {
		return err
	}
	if err := template.Write(name, folder); err != nil {
		return err
	}
	value := written{name, template.Language, folder, template.Build, template.Run}
	table := terminal.Table{Columns: terminal.Columns("bot", "language", "folder", "build", "run")}
	table.Add(name, template.Language, folder, template.Build, template.Run)
	return out.Print(cmdline.Tabular(value, table, func(w io.Writer) error {
		_, err := fmt.Fprint(w, nextSteps(template, name, folder))
		return err
	}))
}

// nameIn returns a name for the bot in a folder. If the folder is named like a kind of bots, my- comes first: otherwise
// the name would mean the kind.
func nameIn(folder string) (string, error) {
	name, err := templates.Name(folder)
	if slices.ContainsFunc(players.Kinds(), func(k players.Kind) bool { return strings.EqualFold(k.Name, name) }) {
		name = "my-" + name
	}
	return name, err
}

// nextSteps returns advice on the next commands for a bot that was just written.
func nextSteps(t templates.Template, name, folder string) string {
	steps := []string{"cd " + recipe.Quote(folder)}
	if t.Build != "" {
		steps = append(steps, t.Build)
	}
	steps = append(
		steps,
		"bot check -- "+t.Run,
		fmt.Sprintf("arena event run --bot '%s=exec:%s' --bot greedy", name, t.Run),
	)
	other := "" // a word about a name that is not the folder's
	if name != filepath.Base(folder) {
		other = fmt.Sprintf(" Its name is %s: names of bots have only letters, digits and hyphens, and are no bots of the arena's own.", name)
	}
	return fmt.Sprintf("%s is a bot in %s.%s Next:\n\n    %s\n\nREADME.md there names the lines to change first.\n",
		name, t.Title, other, strings.Join(steps, "\n    "))
}
