package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
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
		},
		Commands:        []*cli.Command{moduleCommand()},
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			systems, err := chosen(c.StringSlice("only"))
			if err != nil {
				return err
			}
			return release(c.Context, c.App.Writer, c.String("out"), systems)
		},
	}
}

// chosen returns the systems with these names, or all for none.
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

// release makes the files in the folder and names them on w.
func release(ctx context.Context, w io.Writer, out string, systems []system) (err error) {
	if out, err = emptyFolder(out); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	source, err := clone(ctx, work)
	if err != nil {
		return err
	}
	pages, err := manuals(ctx, source)
	if err != nil {
		return err
	}
	for _, s := range systems {
		b, err := build(ctx, s, source, filepath.Join(work, s.os+"-"+s.arch))
		if err != nil {
			return fmt.Errorf("%v: %w", s, err)
		}
		b.manuals = pages
		if err := b.pack(ctx, out); err != nil {
			return fmt.Errorf("%v: %w", s, err)
		}
		fmt.Fprintf(w, "%s: %s\n", s, b.name())
	}
	return writeSums(out)
}

// emptyFolder makes the folder, unless it is there, and returns its absolute path.
func emptyFolder(path string) (string, error) {
	// #nosec G301 -- its files are for everybody
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", err
	}
	if files, err := os.ReadDir(path); err != nil || len(files) > 0 {
		return "", errors.Join(err, fmt.Errorf("%s is not empty: empty it, or name another folder", path))
	}
	return filepath.Abs(path)
}

// clone clones the last commit of the repository around the current folder, and returns the path of the clone.
// Changes that are not committed are not in it.
func clone(ctx context.Context, work string) (string, error) {
	top, err := output(ctx, "", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	source := filepath.Join(work, "source")
	_, err = output(ctx, "", nil, "git", "clone", "--quiet", strings.TrimSpace(top), source)
	return source, err
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
