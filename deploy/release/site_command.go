package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

// siteCommand returns the command that writes a site without an arena: a folder that any server of files can serve,
// under any address. Visitors play against the champion, analyse positions, solve puzzles, replay records and read the
// documents, all in their own browsers. docs/HOSTING.md tells how to serve the folder.
func siteCommand() *cli.Command {
	return &cli.Command{
		Name:  "site",
		Usage: "write a site without an arena, for any server of files",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "site", Usage: "an empty `FOLDER`, or one that is made, for the files"},
			&cli.BoolFlag{Name: "force", Usage: "write into a folder that is not empty; its files with other names stay"},
		},
		Action: func(c *cli.Context) error {
			return writeSite(c.Context, c.App.Writer, c.String("out"), c.Bool("force"))
		},
	}
}

// writeSite writes the site into a folder, and its size to w.
func writeSite(ctx context.Context, w io.Writer, out string, force bool) error {
	if err := prepareSite(out, force); err != nil {
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
	_, err = fmt.Fprintf(w, "%d files in %s, %.1f MB\n", len(files), out, float64(bytes)/1e6)
	return err
}

// prepareSite makes the folder, unless it is there. Without force it returns an error for a folder with files.
func prepareSite(out string, force bool) error {
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
	file, err := trimmed(ctx, "", nil, "go", "env", "GOMOD")
	if err == nil && (file == "" || file == os.DevNull) {
		err = errors.New("this runs in the repository: the sources are not here")
	}
	return filepath.Dir(file), err
}
