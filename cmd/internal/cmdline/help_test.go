package cmdline

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// Groups have the order of their first members, the usual flags come before the description, and hidden flags and
// commands are left out.
func TestHelpHasGroups(t *testing.T) {
	run := &cli.Command{
		Name: "run", HelpName: "arena run", Usage: "play", ArgsUsage: "EVENT", Description: "It plays.",
		Flags: append([]cli.Flag{&cli.StringSliceFlag{Name: "bot", Usage: "a bot"}, &cli.BoolFlag{Name: "census", Hidden: true}},
			GroupFlags("clocks", &cli.DurationFlag{Name: "time", DefaultText: "none", Usage: "for a game"}, &cli.IntFlag{Name: "lag", DefaultText: "0"})...),
	}
	const command = `NAME:
   arena run - play

USAGE:
   arena run [OPTIONS] EVENT

OPTIONS:
   --bot value  a bot

DESCRIPTION:
   It plays.

CLOCKS:
   --time value  for a game (default: none)
   --lag value   (default: 0)
`
	if got := helpText(run); got != command {
		t.Errorf("the help of a command is\n%s\nwant\n%s", got, command)
	}
	app := &cli.App{Name: "arena", Usage: "host", Commands: append(Group("play", run), Group("keep", &cli.Command{Name: "export", Usage: "write"}, &cli.Command{Name: "x", Hidden: true})...)}
	const program = "USAGE:\n   arena COMMAND [OPTIONS]\n\nPLAY:\n   run     play\n\nKEEP:\n   export  write\n"
	if got := helpText(app); !strings.HasSuffix(got, program) {
		t.Errorf("the help of a program is\n%s\nwant at its end\n%s", got, program)
	}
}
