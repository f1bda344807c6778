// Command arena hosts tournaments of versus 2048.
package main

import (
	"os"
	"slices"
	_ "time/tzdata" // for containers without a time zone database: arenas begin events at a local time of day

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
)

func main() { os.Exit(cmdline.Main(app(), os.Args)) }

func app() *cli.App {
	return &cli.App{
		Name:    "arena",
		Usage:   "host tournaments of versus 2048, replay their games and compute their statistics",
		Version: cmdline.Version(),
		Commands: slices.Concat(
			cmdline.Group("begin", demoCommand(), hosting.HostCommand(eveningParts()), hosting.ServeCommand(), eventCommand("event"), rateCommand()),
			cmdline.Group("look", gamesCommand(), replayCommand(), statsCommand(), reportCommand(), ratingCommand(), botsCommand(), statusCommand()),
			cmdline.Group("keep", exportCommand(), importCommand(), verifyCommand(), backupCommand(), restoreCommand(), pruneCommand()),
			cmdline.Group("operate", lobbyCommand(), tokenCommand(), invitationCommand(), checkBotCommand(), hosting.WebhookCommand(), hosting.HealthCommand(hosting.ArenaFlag()),
				hosting.WorkerCommand(nil), workersCommand(), openingsCommand()),
			cmdline.Group("operate", cmdline.CompletionCommands("arena", choices())...),
			cmdline.Group("operate", cmdline.VersionCommand(), botCommand(), eventCommand("tournament")),
		),
		Metadata: map[string]any{cmdline.Moved: map[string][]string{"lab": inLab}},
		// The spec of a bot contains commas.
		DisableSliceFlagSeparator: true,
	}
}

// botCommand returns the commands of the program bot. The arena starts a bot by running its own executable with one of
// them.
func botCommand() *cli.Command {
	return &cli.Command{Name: "bot", Usage: "the commands of the program bot", Hidden: true, Subcommands: botcmd.Commands()}
}

// eveningParts are the parts of the command host.
func eveningParts() hosting.EveningParts {
	return hosting.EveningParts{ParseEvent: parseEvening, Show: showEvening, OpenBrowser: openBrowser}
}

// inLab are the commands that have moved to the program lab.
var inLab = []string{"solve", "probe", "prove", "check-proof", "experiment", "census", "shortest", "gametree", "regret", "network", "train"}
