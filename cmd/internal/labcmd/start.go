package labcmd

import (
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

// startFlags choose the first position of an analysis.
func startFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.SettingFlag("rules"),
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "start from the empty board of this size, 2x2 to 4x4"},
		&cli.StringFlag{Name: "from", Usage: "start from this position instead, such as \"2,0/0,2 A\": tiles by rows, then A or D for the side to move"},
	}
}

// readStart reads the position of startFlags.
func readStart(c *cli.Context) (rules.Position, error) {
	if c.IsSet("size") && c.IsSet("from") {
		return rules.Position{}, cmdline.Usagef("--size and --from: the position of --from already has a size")
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
