package labcmd

import (
	"context"
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
		ArgsUsage: "[BOT]",
		Description: "The bot attacks, and the defender may make any slide. All these games are followed, one sum of tiles\n" +
			"after the other. The largest score at their ends is an upper bound of the score under perfect play, and the bot is its\n" +
			"proof. The bot chooses one placement on each board, up to symmetry.\n\n" +
			"   lab bound evminimax:depth=2 --rules gpcc2016 --size 3x3\n\n" +
			"Without a bot, with --fewest, an attacker learns to leave few boards, so that larger ones can be followed.\n\n" +
			"   lab bound --fewest 100000 --rules gpcc2016 --size 3x3",
		Flags: slices.Concat([]cli.Flag{
			cmdline.SettingFlag("rules"),
			&cli.StringFlag{Name: "size", Value: "3x3", Usage: "the board, 2x2 to 4x4"},
			&cli.IntFlag{Name: "fewest", DefaultText: "none", Usage: "let an attacker learn to leave few boards, from this many plies, and from a tenth of this number before each sum"},
			threadsFlag(),
			memoryFlag("give up when the boards of three sums would need more, such as 4GiB"),
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()),
		Action: bound,
	}
}

// threadsFlag returns --threads, for commands with the same result on any number of threads.
func threadsFlag() cli.Flag {
	return &cli.IntFlag{Name: "threads", Value: runtime.NumCPU(), DefaultText: "the number of cores", Action: cmdline.AtLeast("threads", 1), Usage: "threads; the result is the same with any number"}
}

// boundReport is the output of lab bound.
type boundReport struct {
	Bot   string        `json:"bot"` // its spec with all options, or "fewest:plies=N"
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
	proof.PolicyBound
	Seconds float64 `json:"seconds"`
}

func bound(c *cli.Context) error {
	if c.Args().Len() > 1 || c.Args().Present() == c.IsSet("fewest") {
		return cmdline.Usagef("which attacker? lab bound BOT, or lab bound --fewest PLIES")
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	r, follow, err := readAttacker(c)
	if err != nil {
		return err
	}
	show := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	r.PolicyBound, err = follow(c.Context, func(now proof.PolicyBound) {
		last := now.Layers[len(now.Layers)-1]
		show.Draw(last.Sum/8, fmt.Sprintf("sum %d: %d boards, %d in all, the largest score so far %d, %s", last.Sum, last.Boards, now.Boards, now.Score, cmdline.Clock(show.Elapsed())))
	})
	show.End()
	if err != nil {
		return nothingKept(c, err)
	}
	r.Seconds = show.Elapsed().Seconds()
	return out.Print(cmdline.Tabular(r, r.table(), r.writeText))
}

// follower follows all games with an attacker.
type follower func(ctx context.Context, report func(proof.PolicyBound)) (proof.PolicyBound, error)

// readAttacker reads the attacker and the flags of the command bound, and begins its report.
func readAttacker(c *cli.Context) (r boundReport, f follower, err error) {
	if r.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return r, nil, cmdline.WrongUsage(err)
	}
	if r.Size, err = rules.ParseSize(c.String("size")); err != nil {
		return r, nil, cmdline.WrongUsage(err)
	}
	threads := c.Int("threads")
	memory, err := cmdline.AllowedMemory(c, 4)
	if err != nil {
		return r, nil, err
	}
	if plies := c.Int("fewest"); c.IsSet("fewest") {
		config := proof.FewestConfig{Rules: r.Rules, Size: r.Size, Plies: plies, Layer: plies / 10, Threads: threads, Memory: memory}
		r.Bot = fmt.Sprintf("fewest:plies=%d", plies)
		return r, func(ctx context.Context, report func(proof.PolicyBound)) (proof.PolicyBound, error) {
			return proof.BoundByFewest(ctx, config, report)
		}, cmdline.WrongUsage(config.Validate())
	}
	config := proof.PolicyConfig{Rules: r.Rules, Size: r.Size, Threads: threads, Memory: memory}
	if config.Bot, err = players.Parse(c.Args().First()); err != nil {
		return r, nil, cmdline.WrongUsage(err)
	}
	r.Bot = config.Bot.String()
	return r, func(ctx context.Context, report func(proof.PolicyBound)) (proof.PolicyBound, error) {
		return proof.BoundByPolicy(ctx, config, report)
	}, cmdline.WrongUsage(config.Validate())
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
