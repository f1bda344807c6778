package labcmd

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
	"versus2048/lab/retrograde"
	"versus2048/rules"
)

// gametreeCommand returns the command gametree, which draws the whole game on 2x2.
func gametreeCommand() *cli.Command {
	return &cli.Command{
		Name:  "gametree",
		Usage: "draw the complete game on the 2x2 board, with the value of every position under perfect play",
		Flags: []cli.Flag{
			cmdline.SettingFlag("rules"),
			&cli.StringFlag{Name: "size", Value: "2x2", Usage: "the board"},
			&cli.StringFlag{Name: "out", Required: true, Usage: "the picture: FILE.svg or FILE.png"},
			cmdline.ForceFlag(),
		},
		Action: cmdline.WithArguments(drawGametree),
	}
}

func drawGametree(c *cli.Context) error {
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	out := c.String("out")
	format := strings.TrimPrefix(filepath.Ext(out), ".")
	if format != picture.SVG && format != picture.PNG {
		return cmdline.Usagef("--out %s: want FILE.svg or FILE.png", out)
	}
	tree, err := retrograde.NewTree(r, size)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := cmdline.WriteFile(out, c.Bool("force"), func(w io.Writer) error { return tree.WritePicture(w, format) }); err != nil {
		return fmt.Errorf("writing the picture: %w", err)
	}
	_, err = fmt.Fprintln(c.App.Writer, terminal.Wrap(tree.Summary(), terminal.WidthOf(c.App.Writer), "  "))
	return err
}
