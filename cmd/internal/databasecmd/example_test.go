package databasecmd_test

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/databasecmd"
)

func Example() {
	app := &cli.App{Commands: []*cli.Command{databasecmd.Backup(), databasecmd.Restore(), databasecmd.Prune()}}
	for _, command := range app.Commands {
		fmt.Println(command.Name)
	}
	// Output:
	// backup
	// restore
	// prune
}
