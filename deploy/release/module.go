package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

// next is what to do once the module has another path.
const next = "Check the tree and commit it:\n" +
	"  go build ./... && go vet ./... && go test ./internal/policy && bash .ci/run format\n" +
	"Then push it to where %[1]s is found, with a tag such as v1.0.0. Others get it by\n" +
	"  go get %[1]s@latest\n" +
	"and docs/GO.md shows what they do with it.\n"

// moduleCommand gives the project's module the path by which others import it, everywhere in the tree.
func moduleCommand() *cli.Command {
	return &cli.Command{
		Name:      "module",
		Usage:     "give the module the path by which others import it: make module MODULE=example.org/you/versus2048",
		ArgsUsage: "PATH",
		Action: func(c *cli.Context) error {
			path := c.Args().First()
			if c.Args().Len() != 1 || path == "" {
				return errors.New("which path is the module to have? make module MODULE=example.org/you/versus2048")
			}
			before, files, err := rename(".", path)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "The module is %s now, before it was %s: %d files say so.\n", path, before, files)
			fmt.Fprintf(c.App.Writer, next, path)
			return nil
		},
	}
}
