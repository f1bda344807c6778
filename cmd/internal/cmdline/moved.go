package cmdline

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// Moved is the key of an app's Metadata for commands that another program has since this version: the names of the
// programs by those of the commands, a map[string]string.
const Moved = "moved"

// moved returns a usage error that has the command of the other program if the arguments are those of a moved command.
func moved(app *cli.App, args []string) error {
	programs, _ := app.Metadata[Moved].(map[string]string)
	if len(args) == 0 || programs[args[0]] == "" {
		return nil
	}
	words := []string{programs[args[0]]}
	for _, word := range args {
		words = append(words, Quote(word))
	}
	return Usagef("%s %s is in the program %s now: %s", app.Name, args[0], words[0], strings.Join(words, " "))
}
