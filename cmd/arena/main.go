// Command arena hosts tournaments of versus 2048.
package main

import (
	"os"
	_ "time/tzdata" // for containers without time zones, whose arenas begin events at a time of day

	"github.com/urfave/cli/v2"
	_ "golang.org/x/crypto/x509roots/fallback" // for machines and containers without certificates of their own

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/running"
)

func main() { os.Exit(cmdline.Main(app(), os.Args)) }

func app() *cli.App {
	return &cli.App{
		Name:    "arena",
		Usage:   "host tournaments of versus 2048, replay their games and compute their statistics",
		Version: cmdline.Version(),
		Commands: append([]*cli.Command{
			demoCommand(),
			hosting.ServeCommand(),
			hosting.WorkerCommand(nil),
			workersCommand(),
			tournamentCommand(),
			openingsCommand(),
			statusCommand(),
			botsCommand(),
			checkBotCommand(),
			gamesCommand(),
			replayCommand(),
			statsCommand(),
			ratingCommand(),
			rateCommand(),
			exportCommand(),
			importCommand(),
			verifyCommand(),
			backupCommand(),
			restoreCommand(),
			pruneCommand(),
			tokenCommand(),
			hosting.WebhookCommand(),
			hosting.HealthCommand(running.ArenaFlag()),
			cmdline.VersionCommand(),
			// The arena itself uses these: it starts bots by running itself.
			{Name: "bot", Usage: "the commands of the program bot", Hidden: true, Subcommands: botcmd.Commands()},
		}, cmdline.CompletionCommands("arena", choices())...),
		Metadata: map[string]any{cmdline.Moved: movedCommands()},
		// The spec of a bot contains commas.
		DisableSliceFlagSeparator: true,
	}
}
