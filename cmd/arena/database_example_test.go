package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

func Example() {
	app := &cli.App{Commands: []*cli.Command{backupCommand(), restoreCommand(), pruneCommand()}}
	for _, command := range app.Commands {
		fmt.Println(command.Name)
	}
	// Output:
	// backup
	// restore
	// prune
}
