package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := app().RunContext(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func app() *cli.App {
	return &cli.App{
		Name:  "release",
		Usage: "make the files of a release from the last commit",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "release", Usage: "an empty `FOLDER`, or one that is made, for the files"},
			&cli.StringSliceFlag{Name: "only", Usage: "make only the files for this `SYSTEM`, such as linux/amd64; repeat it for more"},
			&cli.StringFlag{Name: "key", Usage: "sign the checksums by the publisher's secret key of minisign in this `FILE`; its password is in " + passwordVariable},
		},
		Commands:        []*cli.Command{siteCommand(), datasetCommand(), moduleCommand()},
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			systems, err := chosen(c.StringSlice("only"))
			if err != nil {
				return err
			}
			r := &release{out: c.String("out"), key: c.String("key"), systems: systems}
			return r.make(c.Context, c.App.Writer)
		},
	}
}

// chosen returns the systems with these names, or all systems if there are no names.
func chosen(names []string) (systems []system, err error) {
	for _, name := range names {
		i := slices.IndexFunc(everySystem(), func(s system) bool { return s.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("--only %s: want one of %v", name, everySystem())
		}
		systems = append(systems, everySystem()[i])
	}
	if len(systems) == 0 {
		return everySystem(), nil
	}
	return systems, nil
}

// output runs a program in the folder, with additions to the environment, and returns its standard output.
func output(ctx context.Context, folder string, environment []string, name string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, name, args...) // #nosec G204 -- git and go
	command.Dir = folder
	command.Env = append(os.Environ(), environment...)
	out, err := command.Output()
	exit := &exec.ExitError{}
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}

// trimmed is output without the white space around it.
func trimmed(ctx context.Context, folder string, environment []string, name string, args ...string) (string, error) {
	out, err := output(ctx, folder, environment, name, args...)
	return strings.TrimSpace(out), err
}
