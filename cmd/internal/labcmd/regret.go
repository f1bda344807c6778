package labcmd

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/chore"
	"versus2048/lab/experiment/regret"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
)

// regretCommand returns the command regret, which compares bots with perfect play.
func regretCommand() *cli.Command {
	return &cli.Command{
		Name:  "regret",
		Usage: "measure bots against perfect play: how often their moves are optimal, and how much the other moves lose",
		Description: "Asks every bot for one move in each position of the same sample. In these positions not all\n" +
			"moves are worth the same. The sample has equally many positions for each role and quarter of the game, each\n" +
			"from a game of its own between players that mix perfect and random moves. The same seed\n" +
			"gives the same positions, so that bots of several runs can be compared; a larger sample\n" +
			"contains every smaller one.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "table", Usage: "the table of a solved board, from: lab solve --table", Required: true},
			&cli.StringSliceFlag{Name: "bot", Usage: "a bot: SPEC; repeat it"},
			&cli.IntFlag{Name: "positions", Value: 250, Usage: "positions of each role in each quarter of the game"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
			&cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "positions at once"},
			cmdline.QuietFlag(),
		}, roundFlags("move"), documentFlags("Markdown, JSON, CSV, SVG and PNG"), cmdline.OutputFlags()),
		Action: cmdline.Printing(measureRegret),
	}
}

func measureRegret(c *cli.Context, out cmdline.Output) error {
	folder := readReportFolder(c)
	if err := folder.Check("regret"); err != nil {
		return err
	}
	table, err := exact.Open(c.String("table"))
	if err != nil {
		return err
	}
	defer table.Close()
	bots, err := regretBots(c, table)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	report, err := askAll(c, table, bots)
	if err != nil {
		return nothingKept(c, err)
	}
	if err := folder.Write("regret", report); err != nil {
		return err
	}
	return out.Print(documentResult(out, report))
}

// regretBots returns the bots of the flags. It returns an error for wrong flags, and for a bot that cannot play the
// game of the table. With --server the arena makes and checks the bots instead.
func regretBots(c *cli.Context, table *exact.Table) ([]regret.Bot, error) {
	var bots []regret.Bot
	seen := map[string]bool{}
	for _, name := range c.StringSlice("bot") {
		spec, err := parseRegretBot(name, table, c.String("server") != "")
		switch {
		case err != nil:
			return nil, err
		case seen[spec.String()]:
			return nil, fmt.Errorf("--bot %s is given twice", name)
		}
		seen[spec.String()] = true
		bots = append(bots, regret.Bot{Name: name, Spec: spec})
	}
	switch {
	case len(bots) == 0:
		return nil, errors.New("no bot: give at least one with --bot")
	case c.Int("positions") < 1:
		return nil, fmt.Errorf("--positions %d: want at least 1", c.Int("positions"))
	case c.Int("concurrency") < 1:
		return nil, fmt.Errorf("--concurrency %d: want at least 1", c.Int("concurrency"))
	}
	return bots, nil
}

// parseRegretBot reads a bot. If remote is true, a running arena makes the bot, and the bot's files are not on this
// machine.
func parseRegretBot(text string, table *exact.Table, remote bool) (players.Spec, error) {
	if remote {
		return players.ParseClosed(text)
	}
	spec, err := players.Parse(text)
	if err == nil {
		err = spec.Plays(table.Rules(), table.Size())
	}
	return spec, err
}

// askAll draws the sample and asks one bot after the other.
func askAll(c *cli.Context, table *exact.Table, bots []regret.Bot) (regret.Report, error) {
	remote, err := readWork(c, chore.Regret)
	if err != nil {
		return regret.Report{}, err
	}
	settings := regret.Config{Positions: c.Int("positions"), Seed: c.Uint64("seed"), Workers: c.Int("concurrency")}
	show := cmdline.NewCounter(c.App.ErrWriter, c.Bool("quiet"), "drawing positions", "positions")
	sample, err := regret.Draw(c.Context, table, settings, show.Count)
	show.End()
	if err != nil {
		return regret.Report{}, err
	}
	for i, b := range bots {
		title := fmt.Sprintf("%s (%d of %d)", b.Name, i+1, len(bots))
		if remote != nil {
			w := *remote
			w.bot, w.local, w.answered, w.title = b.Name, b.Name, i > 0, title
			bots[i].Answers, err = askWorkers(c.Context, w, sample)
		} else {
			show := cmdline.NewCounter(c.App.ErrWriter, c.Bool("quiet"), title, "positions")
			bots[i].Answers, err = sample.Ask(c.Context, b.Spec, settings.Workers, show.Count)
			show.End()
		}
		if err != nil {
			return regret.Report{}, fmt.Errorf("bot %q: %w", b.Name, err)
		}
	}
	return regret.NewReport(sample, bots), nil
}

// askWorkers is regret.Sample.Ask on the workers of a running arena.
func askWorkers(ctx context.Context, w work, sample *regret.Sample) ([]regret.Answer, error) {
	results, err := do[chore.MovesSettings, chore.MovesResult](ctx, w, chore.SplitMoves(sample))
	if err != nil {
		return nil, err
	}
	var moves []rules.Move
	for _, r := range results {
		moves = append(moves, r.Moves...)
	}
	return sample.Judge(moves)
}
