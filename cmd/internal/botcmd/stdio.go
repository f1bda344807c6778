package botcmd

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/players"
	"versus2048/protocol/stdio"
)

func stdioCommand() *cli.Command {
	return &cli.Command{
		Name:      "stdio",
		Usage:     "play over standard input and output, by the line protocol of docs/STDIO.md, until quit",
		ArgsUsage: "SPEC",
		Flags:     []cli.Flag{marginFlag()},
		Action:    cmdline.WithArguments(playStdio),
	}
}

func playStdio(c *cli.Context) error {
	text := c.Args().First()
	spec, err := players.Parse(text)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	playing := spec // spec with the options that the arena has set
	bot := stdio.Bot{
		IDs:     []stdio.ID{{Key: stdio.IDName, Text: spec.Kind()}, {Key: stdio.IDVersion, Text: cmdline.Version()}},
		Options: options(spec),
		Plays:   spec.Variants(),
		Set: func(settings map[string]string) (err error) {
			changed, err := players.Parse(players.With(text, settings)) // defaults of other options may depend on these
			if err == nil {
				playing = changed
			}
			return err
		},
		New: func(_ map[string]string, g stdio.New) (players.Player, error) {
			return playing.New(players.Game{Seed: g.Seed, Clock: g.Clock, Rules: g.Rules, Size: g.Size}), playing.Plays(g.Rules, g.Size)
		},
		Margin: c.Duration("margin"),
	}
	if err := bot.Run(c.Context, os.Stdin, c.App.Writer); c.Context.Err() == nil {
		return err
	}
	return nil // interrupted
}

// options returns the options of a spec's bot, with the values of the spec as their defaults.
func options(spec players.Spec) (all []stdio.Option) {
	kinds := players.Kinds()
	kind := kinds[slices.IndexFunc(kinds, func(k players.Kind) bool { return k.Name == spec.Kind() })]
	_, text, _ := strings.Cut(spec.String(), ":")
	values := strings.Split(text, ",") // each NAME=VALUE, in the order of the kind
	for i, o := range kind.Options {
		_, value, _ := strings.Cut(values[i], "=")
		option := stdio.Option{Name: o.Name, Type: stdio.BoolType, Default: value}
		switch {
		case o.File: // even with choices, the words that may replace a path
			option.Type = stdio.StringType
		case o.Choices != nil:
			option.Type, option.Choices = stdio.ChoiceType, o.Choices
		case o.Most > 0:
			option.Type = stdio.IntType
			option.Min, option.Max = strconv.FormatUint(o.Least, 10), strconv.FormatUint(o.Most, 10)
		}
		all = append(all, option)
	}
	return all
}
