// Package cmdline runs the programs of this module: exit codes, errors in the usage of a command, interrupts, and flags
// anywhere on the command line.
package cmdline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/internal/text/plain"
	"versus2048/players"
)

// The exit codes of a program.
const (
	Done        = 0   // success
	Failed      = 1   // the command failed
	Usage       = 2   // the command line is wrong
	Refused     = 3   // another program refuses this one for good: a supervisor should not start this one again
	Interrupted = 130 // an interrupt, as by Ctrl-C, ended the command before it was done
)

// exitError is an error with the exit code of the program.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// Usagef returns an error in the usage of a command: the program exits with Usage.
func Usagef(format string, args ...any) error { return exitError{fmt.Errorf(format, args...), Usage} }

// WrongUsage turns err into an error in the usage of a command. It returns nil for nil.
func WrongUsage(err error) error {
	if err == nil {
		return nil
	}
	return exitError{err, Usage}
}

// Refusal turns err into an error that makes the program exit with Refused. err says why another program refuses this
// one for good.
func Refusal(err error) error { return exitError{err, Refused} }

// ErrSilent makes the program exit with Failed without printing an error.
var ErrSilent = errors.New("failed")

// FailIf returns ErrSilent if the result that a command has printed is a bad one.
func FailIf(bad bool) error {
	if bad {
		return ErrSilent
	}
	return nil
}

// Main runs the app on the process's arguments and returns the exit code. An interrupt ends the app's context; a second
// one ends the process at once.
func Main(app *cli.App, args []string) int {
	ctx, stop := interruptible()
	defer stop()
	cli.HelpPrinter, cli.VersionPrinter = printHelp, printVersion // the library has no other way to set them
	return Run(ctx, app, args, os.Stderr)
}

// Run runs the app on args and returns the exit code. The first argument is the program. Run prints errors to stderr.
// The end of ctx is an interrupt, and no failure of the command.
func Run(ctx context.Context, app *cli.App, args []string, stderr io.Writer) int {
	prepare(app)
	args = asHelp(app, args[min(1, len(args)):])
	l, err := parseLine(app, args)
	if err == nil {
		err = moved(app, args)
	}
	if err == nil {
		err = l.missing()
	}
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, l.words()...))
	}
	exit := exitError{code: Failed}
	_ = errors.As(err, &exit)
	switch {
	case err == nil:
		return Done
	case exit.code == Usage:
		fmt.Fprintf(stderr, "%s: %s\nSee: %s --help\n", app.Name, plain.Lines(err.Error()), l.name())
		return Usage
	case ctx.Err() != nil:
		reportInterrupt(stderr, l, err)
		return Interrupted
	case !errors.Is(err, ErrSilent):
		fmt.Fprintf(stderr, "%s: %s\n", app.Name, plain.Lines(err.Error()))
	}
	return exit.code
}

// reportInterrupt prints that a command was interrupted, unless the command has printed that itself. It leaves out an
// error that says only that ctx has ended.
func reportInterrupt(w io.Writer, l line, err error) {
	switch {
	case errors.Is(err, ErrSilent):
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(w, "%s: interrupted before it was done; the same command starts it again\n", l.name())
	default:
		fmt.Fprintf(w, "%s: interrupted: %s\n", l.name(), plain.Lines(err.Error()))
	}
}

// prepare makes the app and all its commands return errors to Run. It hides the help commands of the library, makes
// trustRoots run before each command, and makes a missing command a usage error.
func prepare(app *cli.App) {
	app.HideHelpCommand = true
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return WrongUsage(err) }
	app.Before = trustRoots
	app.Action = needCommand
	prepareAll(app.Commands)
}

func prepareAll(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return WrongUsage(err) }
		c.HideHelpCommand = true
		for _, f := range c.Flags {
			if b, ok := f.(*cli.BoolFlag); ok {
				b.DisableDefaultText = b.DefaultText == "" // (default: false) would say nothing
			}
		}
		if len(c.Subcommands) > 0 && c.Action == nil {
			c.Action = needCommand
		}
		prepareAll(c.Subcommands)
	}
}

// needCommand is the action of the app, and of commands that have only subcommands. It returns a usage error. If no
// word follows, it first prints the help.
func needCommand(c *cli.Context) error {
	if name := c.Args().First(); name != "" {
		return Usagef("there is no command %q%s", name, cmp.Or(elsewhere(c.App, name), meantCommand(c, name)))
	}
	if err := cli.ShowSubcommandHelp(c); err != nil {
		return err
	}
	return Usagef("a command is missing")
}

// meantCommand suggests a command with a similar name in place of an unknown one.
func meantCommand(c *cli.Context, name string) string {
	commands, path := c.Command.Subcommands, c.App.Name+" "+c.Command.Name
	if len(commands) == 0 || c.Command.Name == c.App.Name {
		commands, path = c.App.Commands, c.App.Name
	}
	var names []string
	for _, command := range commands {
		if !command.Hidden {
			names = append(names, command.Name)
		}
	}
	if near := players.Nearest(name, names); near != "" {
		return "; did you mean: " + path + " " + near
	}
	return ""
}

// elsewhere suggests subcommands with that name: the user may have left out the word before the name.
func elsewhere(app *cli.App, name string) string {
	var found []string
	for _, c := range app.Commands {
		if slices.ContainsFunc(c.Subcommands, func(sub *cli.Command) bool { return sub.HasName(name) }) && !c.Hidden {
			found = append(found, app.Name+" "+c.Name+" "+name)
		}
	}
	if found == nil {
		return ""
	}
	return "; did you mean: " + strings.Join(found, ", or: ")
}

// Moved is the key of an app's Metadata for commands that have moved to other programs: a map[string][]string from a
// program to its commands.
const Moved = "moved"

// moved returns a usage error if the arguments are a moved command. The error has the command line for the other
// program.
func moved(app *cli.App, args []string) error {
	programs, _ := app.Metadata[Moved].(map[string][]string)
	for program, commands := range programs {
		if len(args) > 0 && slices.Contains(commands, args[0]) {
			return Usagef("%s %s is in the program %s now: %s%s", app.Name, args[0], program, program, sameArguments(args))
		}
	}
	return nil
}

// WithArguments returns an action that first checks the command's [Arguments].
func WithArguments(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := Arguments(c); err != nil {
			return err
		}
		return action(c)
	}
}

// Arguments returns a usage error unless the command has the arguments of its ArgsUsage. If the ArgsUsage has "...",
// the command checks its arguments itself.
func Arguments(c *cli.Context) error {
	names, n := strings.Fields(c.Command.ArgsUsage), c.Args().Len()
	switch {
	case strings.Contains(c.Command.ArgsUsage, "..."):
	case n > len(names):
		return Usagef("%s: unexpected argument %q", c.Command.FullName(), c.Args().Get(len(names)))
	case n < len(names) && !strings.HasPrefix(names[n], "["):
		name, _, _ := strings.Cut(names[n], "|") // without the words that may stand in its place
		return Usagef("%s: %s is missing", c.Command.FullName(), name)
	}
	return nil
}
