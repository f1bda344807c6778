package cmdline

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/players"
	"versus2048/protocol/stdio"
	"versus2048/tournament"
)

// line is a parsed command line.
type line struct {
	program   string
	path      []string     // the words that name the command
	command   *cli.Command // nil if the first word names none
	flags     []string     // with their values
	arguments []string
	given     []string // the names of the flags
	help      bool     // the command's help is wanted
}

// parseLine parses a command line. Flags may come after arguments, too, unlike in the library, which parses flags only
// up to the first argument. parseLine returns a usage error for an unknown flag, and for a value that is missing or
// that its flag cannot take.
func parseLine(app *cli.App, args []string) (line, error) {
	l := line{program: app.Name}
	var rest []string
	l.path, rest, l.command = findCommand(app, args)
	if l.command == nil {
		l.arguments = args
		return l, nil
	}
	for ; len(rest) > 0; rest = rest[1:] {
		word := rest[0]
		name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
		flag := flagNamed(l.command, name)
		switch {
		case word == "--":
			l.arguments = append(l.arguments, rest[1:]...)
			return l, nil
		case len(word) < 2 || word[0] != '-':
			l.arguments = append(l.arguments, word)
			continue
		case name == "h" || name == "help":
			l.help = true
			return l, nil
		case flag == nil:
			return l, Usagef("%s has no flag %s%s", l.name(), strings.TrimSuffix(word, "="+value), meantFlag(l.command, name))
		case takesValue(flag) && !joined && len(rest) == 1:
			return l, Usagef("flag needs an argument: --%s", name)
		case takesValue(flag) && !joined:
			l.flags = append(l.flags, word, rest[1])
			value, rest = rest[1], rest[1:]
		default:
			l.flags = append(l.flags, word)
		}
		l.given = append(l.given, name)
		if err := checkValue(flag, name, value); err != nil {
			return l, err
		}
	}
	return l, nil
}

// meantFlag suggests a flag of the command with a similar name.
func meantFlag(command *cli.Command, name string) string {
	var names []string
	for _, f := range command.Flags {
		names = append(names, f.Names()...)
	}
	if near := players.Nearest(name, names); near != "" {
		return ": did you mean --" + near + "?"
	}
	return ""
}

// asHelp replaces the word help in the place of a command by --help: "help game play" and "game help play" become "game
// play --help".
func asHelp(app *cli.App, args []string) []string {
	path, rest, command := findCommand(app, args)
	if len(rest) == 0 || rest[0] != "help" || command != nil && len(command.Subcommands) == 0 {
		return args
	}
	words := slices.Concat(path, rest[1:])
	if _, unknown, group := findCommand(app, words); len(unknown) > 0 && (group == nil || len(group.Subcommands) > 0) {
		return words // they name no command: an error follows, not the help
	}
	return append(words, "--help")
}

// words returns the command line in the form that the library can parse, without the program.
func (l line) words() []string {
	switch {
	case l.command == nil:
		return l.arguments
	case l.help:
		return append(slices.Clone(l.path), "--help")
	}
	return slices.Concat(l.path, l.flags, []string{"--"}, l.arguments)
}

// name returns the command with its program, such as "arena event run".
func (l line) name() string { return strings.Join(append([]string{l.program}, l.path...), " ") }

// missing returns a usage error if a required flag of the command is missing.
func (l line) missing() error {
	if l.command == nil || l.help {
		return nil
	}
	for _, f := range l.command.Flags {
		required, ok := f.(cli.RequiredFlag)
		if ok && required.IsRequired() && !slices.ContainsFunc(f.Names(), func(n string) bool { return slices.Contains(l.given, n) }) {
			return Usagef("%s: --%s is missing", l.command.Name, f.Names()[0])
		}
	}
	return nil
}

// findCommand finds the command that args begin with. It returns the words that name the command, the rest of args, and
// the command, or nil if there is none.
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

// flagNamed returns the flag of the command with that name, or nil.
func flagNamed(command *cli.Command, name string) cli.Flag {
	i := slices.IndexFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil
	}
	return command.Flags[i]
}

// takesValue reports whether the word after this flag is its value.
func takesValue(flag cli.Flag) bool {
	_, isBool := flag.(*cli.BoolFlag)
	return flag != nil && !isBool
}

// checkValue returns a usage error if a flag cannot take the value. The error describes the values that the flag takes.
func checkValue(flag cli.Flag, name, value string) error {
	var err error
	want := "a whole number"
	switch flag.(type) {
	case *cli.DurationFlag:
		if _, err := tournament.ParseDuration(value); err != nil {
			return Usagef("--%s %w", name, err)
		}
	case *cli.IntFlag:
		_, err = strconv.ParseInt(value, 0, strconv.IntSize)
	case *cli.Int64Flag:
		_, err = strconv.ParseInt(value, 0, 64)
	case *cli.Uint64Flag:
		want = "a whole number, 0 or more"
		_, err = strconv.ParseUint(value, 0, 64)
	case *cli.Float64Flag:
		want = "a number"
		var number float64
		if number, err = strconv.ParseFloat(value, 64); math.IsNaN(number) {
			err = strconv.ErrSyntax // NaN would pass every comparison with a limit
		}
	}
	if err != nil {
		return Usagef("--%s %s: want %s", name, value, want)
	}
	return nil
}

// AtLeast returns the action of a flag with a number or a duration. The action returns a usage error for a value less
// than least. The default of a flag is not checked, and may be less.
func AtLeast[N int | int64 | time.Duration](name string, least N) func(*cli.Context, N) error {
	return func(_ *cli.Context, n N) error {
		if n < least {
			return Usagef("--%s %v: want %v or more", name, n, least)
		}
		return nil
	}
}

// StartTimeout is the name of the flag with the time that a program may take to start.
const StartTimeout = "start-timeout"

// StartTimeoutFlag returns the flag of commands that start programs.
func StartTimeoutFlag() cli.Flag {
	return &cli.DurationFlag{
		Name: StartTimeout, Value: stdio.StartTimeout, Usage: "how long a program may take from its start until it is ready",
		Action: func(_ *cli.Context, d time.Duration) error {
			if d <= 0 {
				return Usagef("--%s %v: want more than 0s", StartTimeout, d)
			}
			return nil
		},
	}
}

// ServerFlag returns the flag --server, which names a running arena by its address. The address is checked before the
// command begins: later an address without its scheme would look like an arena that does not answer. If the default
// value is "", the flag is optional, and "" means no arena.
func ServerFlag(value, usage string) cli.Flag {
	return &cli.StringFlag{Name: "server", Value: value, Usage: usage, Action: func(_ *cli.Context, server string) error {
		if server == "" && value == "" {
			return nil
		}
		return CheckServer(server)
	}}
}

// CheckServer returns a usage error unless server is an address with http:// or https:// and a host.
func CheckServer(server string) error {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return Usagef("--server %q: want http:// or https://, such as http://127.0.0.1:2048", server)
	}
	return nil
}
