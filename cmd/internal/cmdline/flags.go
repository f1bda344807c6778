package cmdline

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves the flags of a command before its arguments: the library
// parses flags only up to the first argument.
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
			return slices.Concat(args[:1], path, []string{word}) // the library reports that the value is missing
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

// findCommand finds the command that the first words of the line name. It
// returns these words, the rest of the line, and nil if there is no command.
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

// takesValue reports whether the word after this flag is its value.
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
