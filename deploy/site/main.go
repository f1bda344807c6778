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
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := app().RunContext(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func app() *cli.App {
	return &cli.App{
		Name:  "site",
		Usage: "write a site without an arena, for any server of files",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "site", Usage: "an empty `FOLDER`, or one that is made, for the files"},
			&cli.BoolFlag{Name: "force", Usage: "write into a folder that is not empty; its files with other names stay"},
		},
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			return write(c.Context, c.App.Writer, c.String("out"), c.Bool("force"))
		},
	}
}

// write writes the site into a folder and tells its size on w.
func write(ctx context.Context, w io.Writer, out string, force bool) error {
	if err := prepare(out, force); err != nil {
		return err
	}
	repository, err := repository(ctx)
	if err != nil {
		return err
	}
	files, err := makeSite(ctx, repository)
	if err != nil {
		return err
	}
	bytes := 0
	for name, content := range files {
		path := filepath.Join(out, filepath.FromSlash(name))
		// #nosec G301 -- its files are for everybody
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		// #nosec G306 -- its files are for everybody
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
		bytes += len(content)
	}
	fmt.Fprintf(w, "%d files in %s, %.1f MB\n", len(files), out, float64(bytes)/1e6)
	return nil
}

// prepare makes the folder, unless it is there.
func prepare(out string, force bool) error {
	// #nosec G301 -- its files are for everybody
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(out)
	if err == nil && len(files) > 0 && !force {
		err = fmt.Errorf("%s is not empty: empty it, name another folder, or add --force", out)
	}
	return err
}

// repository returns the folder of the sources.
func repository(ctx context.Context) (string, error) {
	file, err := output(ctx, "", nil, "go", "env", "GOMOD")
	if err == nil && (file == "" || file == os.DevNull) {
		err = errors.New("this runs in the repository: the sources are not here")
	}
	return filepath.Dir(file), err
}

// output runs a program in a folder, with additions to the environment, and returns its standard output.
func output(ctx context.Context, folder string, environment []string, name string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, name, args...) // #nosec G204 -- go
	command.Dir = folder
	command.Env = append(os.Environ(), environment...)
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
