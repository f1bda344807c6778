package labcmd

import (
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/proof"
	"versus2048/players"
	"versus2048/rules"
)

// boundCommand returns the command bound, which bounds the score by a bot as the attacker.
func boundCommand() *cli.Command {
	return &cli.Command{
		Name:      "bound",
		Usage:     "bound the score from above: the most that any defender scores against a bot",
		ArgsUsage: "BOT",
		Description: "The bot attacks, the defender makes any slides: all these games are followed by sums of tiles. The\n" +
			"largest score at their ends is an upper bound of the score under perfect play, and the bot is its\n" +
			"proof. The bot chooses one placement on each board, up to symmetry.\n\n" +
			"   lab bound evminimax:depth=2 --rules gpcc2016 --size 3x3",
		Flags: slices.Concat([]cli.Flag{
			cmdline.SettingFlag("rules"),
			&cli.StringFlag{Name: "size", Value: "3x3", Usage: "the board, 2x2 to 4x4"},
			threadsFlag(),
			memoryFlag("give up when the boards of three sums would need more, such as 4GiB"),
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()),
		Action: bound,
	}
}

// threadsFlag returns the flag of commands with a result that does not depend on it.
func threadsFlag() cli.Flag {
	return &cli.IntFlag{Name: "threads", Value: runtime.NumCPU(), DefaultText: "the number of cores", Action: cmdline.AtLeast("threads", 1), Usage: "threads; the result is the same with any number"}
}

// boundReport is the output of lab bound.
type boundReport struct {
	Bot   string        `json:"bot"` // its spec with all options
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
	proof.PolicyBound
	Seconds float64 `json:"seconds"`
}

func bound(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return cmdline.Usagef("which bot? lab bound BOT")
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	config, err := readPolicy(c)
	if err != nil {
		return err
	}
	show := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	b, err := proof.BoundByPolicy(c.Context, config, func(now proof.PolicyBound) {
		last := now.Layers[len(now.Layers)-1]
		show.Draw(last.Sum/8, fmt.Sprintf("sum %d: %d boards, %d in all, the largest score so far %d, %s", last.Sum, last.Boards, now.Boards, now.Score, cmdline.Clock(show.Elapsed())))
	})
	show.End()
	if err != nil {
		return nothingKept(c, err)
	}
	r := boundReport{config.Bot.String(), config.Rules, config.Size, b, show.Elapsed().Seconds()}
	return out.Print(cmdline.Tabular(r, r.table(), r.writeText))
}

// readPolicy reads the bot and the flags of the command bound.
func readPolicy(c *cli.Context) (config proof.PolicyConfig, err error) {
	if config.Bot, err = players.Parse(c.Args().First()); err != nil {
		return config, cmdline.WrongUsage(err)
	}
	if config.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return config, cmdline.WrongUsage(err)
	}
	if config.Size, err = rules.ParseSize(c.String("size")); err != nil {
		return config, cmdline.WrongUsage(err)
	}
	config.Threads = c.Int("threads")
	if config.Memory, err = cmdline.AllowedMemory(c, 4); err != nil {
		return config, err
	}
	return config, cmdline.WrongUsage(config.Validate())
}

// table returns the layers.
func (r boundReport) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Numbers("sum", "boards", "ended", "score")}
	for _, l := range r.Layers {
		t.Add(l.Sum, l.Boards, l.Ended, l.Score)
	}
	return t
}

func (r boundReport) writeText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%v on %v: no defender scores more than %d against %s\n%d boards with the attacker to move, in %.1f s\n",
		r.Rules, r.Size, r.Score, r.Bot, r.Boards, r.Seconds)
	return err
}
