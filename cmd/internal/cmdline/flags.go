package cmdline

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves flags before the arguments of a command, which may then
// stand anywhere on the line: the library stops at the first argument.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) == 0 {
		return args
	}
	path, rest, command := findCommand(app, args[1:])
	if command == nil {
		return args
	}
	var flags, arguments []string
	for len(rest) > 0 {
		word := rest[0]
		switch {
		case word == "--":
			arguments, rest = append(arguments, rest[1:]...), nil
			continue
		case len(word) < 2 || word[0] != '-':
			arguments = append(arguments, word)
		case word == "-h" || word == "--help":
			return slices.Concat(args[:1], path, []string{"--help"})
		case takesValue(command, word) && len(rest) == 1:
			return slices.Concat(args[:1], path, []string{word}) // the library says that its value is missing
		case takesValue(command, word):
			flags = append(flags, word, rest[1])
			rest = rest[1:]
		default:
			flags = append(flags, word)
		}
		rest = rest[1:]
	}
	return slices.Concat(args[:1], path, flags, []string{"--"}, arguments)
}

// findCommand follows the names of commands from the start of the line.
func findCommand(app *cli.App, args []string) (path, rest []string, command *cli.Command) {
	commands := app.Commands
	for len(args) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[0]) })
		if i < 0 {
			break
		}
		command, commands = commands[i], commands[i].Subcommands
		path, args = append(path, args[0]), args[1:]
	}
	return path, args, command
}

// takesValue tells whether the next word is the value of this flag.
func takesValue(command *cli.Command, word string) bool {
	name := strings.TrimLeft(word, "-")
	if strings.Contains(name, "=") {
		return false
	}
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
