// Command arena hosts tournaments of versus 2048.
package main

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament/recipe"
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
			trainCommand(),
			tokenCommand(),
			// The arena itself uses these: it starts bots by running itself.
			{Name: "bot", Usage: "the commands of the program bot", Hidden: true, Subcommands: botcmd.Commands()},
		},
		// The spec of a bot contains commas.
		DisableSliceFlagSeparator: true,
	}
}

// sameCommand returns the command line of this process, quoted for a shell.
func sameCommand() string {
	words := []string{thisProgram()}
	for _, argument := range os.Args[1:] {
		words = append(words, quote(argument))
	}
	return strings.Join(words, " ")
}

// thisProgram returns how this program was started, for commands that it prints.
func thisProgram() string {
	if strings.Contains(os.Args[0], "go-build") {
		return "go run ./cmd/arena"
	}
	return quote(os.Args[0])
}

// quote makes a text one word of a shell.
func quote(text string) string { return recipe.Quote(text) }
