// Command arena hosts tournaments of versus 2048.
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
		Name:    "arena",
		Usage:   "host tournaments of versus 2048, replay their games and compute their statistics",
		Version: cmdline.Version(),
		Commands: []*cli.Command{
			demoCommand(),
			serveCommand(),
			tournamentCommand(),
			openingsCommand(),
			botsCommand(),
			gamesCommand(),
			replayCommand(),
			statsCommand(),
			exportCommand(),
			importCommand(),
			verifyCommand(),
			solveCommand(),
			probeCommand(),
			experimentCommand(),
			censusCommand(),
			shortestCommand(),
			gametreeCommand(),
			regretCommand(),
			tokenCommand(),
			// For the arena itself, which starts bots by running itself.
			{Name: "bot", Usage: "the commands of the program bot", Hidden: true, Subcommands: botcmd.Commands()},
		},
		// A bot's spec has commas of its own.
		DisableSliceFlagSeparator: true,
	}
}
