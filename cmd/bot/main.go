// Command bot connects the project's own bots to an arena.
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
)

func main() { os.Exit(cmdline.Main(app(), os.Args)) }

func app() *cli.App {
	return &cli.App{
		Name:     "bot",
		Usage:    "players of versus 2048 for an arena",
		Version:  cmdline.Version(),
		Commands: botcmd.Commands(),
	}
}
