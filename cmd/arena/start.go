package main

import (
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

// startFlags say where an analysis starts.
func startFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rules", Value: rules.GPCC2015.String(), Usage: "gpcc2015, gpcc2016 or solo"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "start from the empty board of this size, 2x2 to 4x4"},
		&cli.StringFlag{Name: "from", Usage: "start from this position instead, such as \"2,0/0,2 A\": tiles by rows, then A or D to move"},
	}
}

// readStart is the position that the flags ask for.
func readStart(c *cli.Context) (rules.Position, error) {
	if c.IsSet("size") && c.IsSet("from") {
		return rules.Position{}, cmdline.Usagef("--size and --from: the position of --from has a size of its own")
	}
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	if text := c.String("from"); text != "" {
		p, err := rules.ParsePosition(r, text)
		return p, cmdline.WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return rules.Position{}, cmdline.WrongUsage(err)
	}
	return rules.NewPosition(r, size), nil
}
