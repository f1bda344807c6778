// Package labcmd has the commands of the program lab, for research on the game.
package labcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/lab/chore"
)

// App returns the program lab.
func App() *cli.App {
	return &cli.App{
		Name:    "lab",
		Usage:   "research on versus 2048: count, solve, prove, repeat experiments, learn",
		Version: cmdline.Version(),
		Commands: slices.Concat(Commands(),
			cmdline.Group("operate", cmdline.CompletionCommands("lab", choices())...), cmdline.Group("operate", cmdline.VersionCommand())),
		// The spec of a bot contains commas.
		DisableSliceFlagSeparator: true,
	}
}

// Commands returns the commands of the program.
func Commands() []*cli.Command {
	return slices.Concat(
		cmdline.Group("count", censusCommand(), shortestCommand(), gametreeCommand()),
		cmdline.Group("solve", solveCommand(), probeCommand(), regretCommand(), puzzlesCommand()),
		cmdline.Group("prove", proveCommand(), boundCommand(), checkProofCommand(), claimsCommand()),
		cmdline.Group("repeat and learn", experimentCommand(), tuneCommand(), trainCommand(), networkCommand()),
		cmdline.Group("operate", hosting.WorkerCommand(chore.OfWorkers())),
		// Events of experiments start bots by running this program.
		[]*cli.Command{{Name: "bot", Usage: "the commands of the program bot", Hidden: true, Subcommands: botcmd.Commands()}},
	)
}

// choices returns the completions of flags.
func choices() cmdline.Choices {
	return cmdline.Choices{
		Flags: map[string]func(cmdline.Typed) []cmdline.Candidate{
			"bot":   botcmd.Specs,
			"rules": cmdline.SettingChoices("rules"),
			"size":  cmdline.SettingChoices("size"),
		},
	}
}

// nothingKept returns the error of a command that keeps no part of its work when it fails. If an interrupt ended the
// command, nothingKept tells the user in one line and returns cmdline.ErrSilent.
func nothingKept(c *cli.Context, err error) error {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "interrupted; nothing is kept")
		return cmdline.ErrSilent
	}
	return err
}

// memoryFlag returns the flag that limits the memory of a computation.
func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", DefaultText: "a quarter of the machine's", Usage: usage}
}
