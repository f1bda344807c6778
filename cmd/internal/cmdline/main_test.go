package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// program is an app with a command "game play" that needs --table and returns an error.
func program(result error) *cli.App {
	play := &cli.Command{
		Name:      "play",
		ArgsUsage: "NAME",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "table", Required: true},
			&cli.DurationFlag{Name: "time-per-move"},
			&cli.IntFlag{Name: "games"},
			&cli.Uint64Flag{Name: "seed"},
			&cli.Float64Flag{Name: "share"},
			&cli.BoolFlag{Name: "quiet"},
		},
		Action: WithArguments(func(*cli.Context) error { return result }),
	}
	return &cli.App{Name: "arena", Writer: io.Discard, ErrWriter: io.Discard, Commands: []*cli.Command{
		{Name: "game", Subcommands: []*cli.Command{play}},
	}}
}

// Whatever is wrong with a command line, the exit code is 2, and the message names the help of the very
// command.
func TestUsageErrors(t *testing.T) {
	const own, whole, group = "See: arena game play --help\n", "See: arena --help\n", "See: arena game --help\n"
	for line, want := range map[string]string{
		"":                           "a command is missing\n" + whole,
		"nonsense":                   `there is no command "nonsense"` + "\n" + whole,
		"play":                       `there is no command "play"; did you mean: arena game play` + "\n" + whole,
		"game":                       "a command is missing\n" + group,
		"game nonsense":              `there is no command "nonsense"` + "\n" + group,
		"game play ann":              "play: --table is missing\n" + own,
		"game play --table x":        "play: NAME is missing\n" + own,
		"game play a b --table x":    `play: unexpected argument "b"` + "\n" + own,
		"gmae":                       `there is no command "gmae"; did you mean: arena game` + "\n" + whole,
		"game plya":                  `there is no command "plya"; did you mean: arena game play` + "\n" + group,
		"game help plya":             `there is no command "plya"; did you mean: arena game play` + "\n" + group,
		"game play --nonsense":       "arena game play has no flag --nonsense\n" + own,
		"game play --tabel x":        "arena game play has no flag --tabel: did you mean --table?\n" + own,
		"game play --table x -x ann": "arena game play has no flag -x\n" + own,
		"game play ann --table":      "flag needs an argument: --table\n" + own,
		"game play ann --table x --time-per-move 5":     "--time-per-move 5: it has no unit: write 5s for seconds or 5ms for milliseconds\n" + own,
		"game play ann --table x --time-per-move=2.5":   "--time-per-move 2.5: it has no unit: write 2.5s for seconds or 2.5ms for milliseconds\n" + own,
		"game play ann --table x --time-per-move short": "--time-per-move short: want a duration such as 5s, 500ms or 1m30s\n" + own,
		"game play ann --table x --games many":          "--games many: want a whole number\n" + own,
		"game play ann --table x --seed -1":             "--seed -1: want a whole number, 0 or more\n" + own,
		"game play ann --table x --share nan":           "--share nan: want a number\n" + own,
	} {
		var said strings.Builder
		code := Run(t.Context(), program(nil), strings.Fields("arena "+line), &said)
		if code != Usage || said.String() != "arena: "+want {
			t.Errorf("%q exits with %d and says\n%s\nwant\narena: %s", line, code, said.String(), want)
		}
	}
	for _, line := range []string{"--help", "game play --help", "game play x --time-per-move 5s -h", "game play ann --table x --time-per-move 0 --games 0x10 --quiet"} {
		var said strings.Builder
		if code := Run(t.Context(), program(nil), strings.Fields("arena "+line), &said); code != Done || said.String() != "" {
			t.Errorf("%q exits with %d: %s", line, code, said.String())
		}
	}
}

// A command that an interrupt ended has an exit code of its own, and no error about contexts is shown. A command that
// another program refuses has an exit code of its own, too.
func TestExitCodes(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		ctx  context.Context
		err  error
		code int
		said string
	}{
		{interrupted, fmt.Errorf("reading game 7: %w", context.Canceled), Interrupted, "arena game play: interrupted before it was done; the same command starts it again\n"},
		{interrupted, ErrSilent, Interrupted, ""},
		{interrupted, errors.New("the disk is full"), Interrupted, "arena game play: interrupted: the disk is full\n"},
		{interrupted, nil, Done, ""},
		{interrupted, Usagef("wrong"), Usage, "arena: wrong\nSee: arena game play --help\n"},
		{t.Context(), ErrSilent, Failed, ""},
		{t.Context(), fmt.Errorf("farm: %w", Refusal(errors.New("set aside"))), Refused, "arena: farm: set aside\n"},
		{t.Context(), errors.New("the disk is full"), Failed, "arena: the disk is full\n"},
	} {
		var said strings.Builder
		if code := Run(tc.ctx, program(tc.err), strings.Fields("arena game play ann --table x"), &said); code != tc.code || said.String() != tc.said {
			t.Errorf("%v: exit code %d, %q", tc.err, code, said.String())
		}
	}
}

// The word help asks for the help of the command that is named beside it.
func TestHelpIsACommand(t *testing.T) {
	for line, want := range map[string]string{
		"help": "COMMANDS", "help game": "play", "game help": "play", "help game play": "--time-per-move", "game help play": "--time-per-move",
		"game play -h": "--time-per-move", "game play -help": "--time-per-move",
	} {
		var help, problem strings.Builder
		app := program(nil)
		app.Writer = &help
		if code := Run(t.Context(), app, strings.Fields("arena "+line), &problem); code != Done || !strings.Contains(help.String(), want) {
			t.Errorf("%s exits with %d: %s%s", line, code, &problem, &help)
		}
	}
}
