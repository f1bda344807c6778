// Package botapp is the program bot. It has commands that the arena's program does not link.
package botapp

import (
	"slices"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
)

// App returns the program bot.
func App() *cli.App {
	return &cli.App{
		Name:    "bot",
		Usage:   "write, check and connect bots for versus 2048",
		Version: cmdline.Version(),
		Commands: slices.Concat(
			botcmd.Commands(),
			cmdline.Group("play", mcpCommand()),
			cmdline.Group("look", cmdline.CompletionCommands("bot", botcmd.Choices())...),
			cmdline.Group("look", cmdline.VersionCommand()),
		),
		// The spec of a bot contains commas, which must not split the value of a flag.
		DisableSliceFlagSeparator: true,
	}
}
