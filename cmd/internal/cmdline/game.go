package cmdline

import (
	"github.com/urfave/cli/v2"

	"versus2048/rules"
)

// StartFlags choose the first position of an analysis.
func StartFlags() []cli.Flag {
	return []cli.Flag{
		SettingFlag("rules"),
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "start from the empty board of this size, 2x2 to 4x4"},
		&cli.StringFlag{Name: "from", Usage: "start from this position instead, such as \"2,0/0,2 A\": tiles by rows, then A or D for the side to move"},
	}
}

// ReadStart reads the position of StartFlags.
func ReadStart(c *cli.Context) (rules.Position, error) {
	if c.IsSet("size") && c.IsSet("from") {
		return rules.Position{}, Usagef("--size and --from: the position of --from already has a size")
	}
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return rules.Position{}, WrongUsage(err)
	}
	if text := c.String("from"); text != "" {
		p, err := rules.ParsePosition(r, text)
		return p, WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return rules.Position{}, WrongUsage(err)
	}
	return rules.NewPosition(r, size), nil
}
