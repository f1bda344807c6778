// Package cmdline is what our command lines have in common: exit codes, how
// wrong usage is told, flags anywhere on the line.
package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"
)

// The exit codes.
const (
	Done   = 0
	Failed = 1
	Usage  = 2
)

// usageError is a mistake on the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// Usagef is an error in how the command was used: it exits with Usage.
func Usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// WrongUsage makes err an error in how the command was used; nil stays nil.
func WrongUsage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// ErrSilent ends a command with Failed when all is said already.
var ErrSilent = errors.New("failed")

// Main runs the app on the process's arguments and returns the exit code. An
// interrupt ends the app's context; a second one ends the process at once.
func Main(app *cli.App, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, app, args, os.Stderr)
}

// Run is Main with everything that the process would give it.
func Run(ctx context.Context, app *cli.App, args []string, stderr io.Writer) int {
	prepare(app)
	err := app.RunContext(ctx, flagsFirst(app, args))
	usage := usageError{}
	switch {
	case err == nil:
		return Done
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\nSee: %s --help\n", app.Name, err, app.Name)
		return Usage
	case !errors.Is(err, ErrSilent):
		fmt.Fprintf(stderr, "%s: %v\n", app.Name, err)
	}
	return Failed
}

// prepare makes the app and all its commands report errors to Run.
func prepare(app *cli.App) {
	app.HideHelpCommand = true
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return WrongUsage(err) }
	app.Action = needCommand
	prepareAll(app.Commands)
}

func prepareAll(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return WrongUsage(err) }
		c.HideHelpCommand = true
		if len(c.Subcommands) > 0 && c.Action == nil {
			c.Action = needCommand
		}
		prepareAll(c.Subcommands)
	}
}

// needCommand is the action of a command that only has subcommands.
func needCommand(c *cli.Context) error {
	if name := c.Args().First(); name != "" {
		return Usagef("there is no command %q", name)
	}
	if err := cli.ShowSubcommandHelp(c); err != nil {
		return err
	}
	return Usagef("name a command")
}

// Arguments checks that the command has exactly the named arguments.
func Arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n < len(names) {
		return Usagef("%s: %s is missing", c.Command.FullName(), names[n])
	} else if n > len(names) {
		return Usagef("%s: %q is one argument too many", c.Command.FullName(), c.Args().Get(len(names)))
	}
	return nil
}
