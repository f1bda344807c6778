// Package cmdline runs the programs of this module: exit codes, errors in the
// usage of a command, and flags anywhere on the command line.
package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"versus2048/plain"
)

// The exit codes of a program.
const (
	Done   = 0 // success
	Failed = 1 // the command failed
	Usage  = 2 // the command line is wrong
)

// usageError is an error in the usage of a command.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// Usagef returns an error in the usage of a command: the program exits with
// Usage.
func Usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// WrongUsage turns err into an error in the usage of a command. It returns nil
// for nil.
func WrongUsage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// ErrSilent makes the program exit with Failed without printing an error.
var ErrSilent = errors.New("failed")

// Main runs the app on the process's arguments and returns the exit code. An
// interrupt ends the app's context; a second one ends the process at once.
func Main(app *cli.App, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, app, args, os.Stderr)
}

// Run runs the app on args and returns the exit code. It prints errors to
// stderr.
func Run(ctx context.Context, app *cli.App, args []string, stderr io.Writer) int {
	prepare(app)
	err := app.RunContext(ctx, flagsFirst(app, args))
	usage := usageError{}
	switch {
	case err == nil:
		return Done
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %s\nSee: %s --help\n", app.Name, plain.Lines(err.Error()), app.Name)
		return Usage
	case !errors.Is(err, ErrSilent):
		fmt.Fprintf(stderr, "%s: %s\n", app.Name, plain.Lines(err.Error()))
	}
	return Failed
}

// prepare makes the app and all its commands return errors to Run.
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

// needCommand is the action of a command that has only subcommands.
func needCommand(c *cli.Context) error {
	if name := c.Args().First(); name != "" {
		return Usagef("there is no command %q", name)
	}
	if err := cli.ShowSubcommandHelp(c); err != nil {
		return err
	}
	return Usagef("a command is missing")
}

// Arguments returns an error unless the command has exactly the named arguments.
func Arguments(c *cli.Context, names ...string) error {
	if n := c.Args().Len(); n < len(names) {
		return Usagef("%s: %s is missing", c.Command.FullName(), names[n])
	} else if n > len(names) {
		return Usagef("%s: unexpected argument %q", c.Command.FullName(), c.Args().Get(len(names)))
	}
	return nil
}

// Version returns the version of this build: the first 12 digits of its revision
// if known, or else the version of the module, or "devel".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return "devel"
}
