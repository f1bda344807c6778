package labcmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/lab/experiment"
	"versus2048/tournament"
)

// tuneCommand returns the command tune, which tunes the options of a bot by its own matches.
func tuneCommand() *cli.Command {
	return &cli.Command{
		Name:      "tune",
		Usage:     "tune numeric options of a bot by matches against itself",
		ArgsUsage: "BOT",
		Description: "Tunes by simultaneous perturbation (SPSA, Spall 1998). In each iteration the bot with all\n" +
			"options a little up or down, by chance, plays against the bot with the opposite changes, in\n" +
			"an ordinary event without clocks, inside this process or with --server on its arena; if the\n" +
			"arena has a farm, the farm plays. The options move towards the winner. At the end the tuned bot plays\n" +
			"against the first one. After any interruption the same command resumes.\n\n" +
			"   lab tune mcts:playouts=200 --option c=100:4000 --option expand=1:40 --size 3x3",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "option", Usage: "an option, `NAME=LOW:HIGH` or NAME=LOW:HIGH:STEP; the first two bots have it a step up and down (default: a tenth of the range); repeat it for more", Required: true},
			&cli.IntFlag{Name: "iterations", Value: 100, Usage: "the number of iterations"},
			&cli.Float64Flag{Name: "gain", Value: 1, Usage: "the number of steps that an option moves if one bot wins all matches of the first iteration"},
			&cli.IntFlag{Name: "verify", Value: 100, Usage: "matches of the tuned bot against BOT at the end; 0 for none"},
		}, experimentFlags(8), []cli.Flag{
			&cli.IntFlag{Name: "time", DefaultText: "the effort that BOT names", Usage: "milliseconds a move"},
			cmdline.SettingFlag("rules"),
			&cli.BoolFlag{Name: "complete", Usage: "play second games to their end even when their match is decided"},
			cmdline.SettingFlag("concurrency"),
		}, serverFlags()),
		Action: tune,
	}
}

func tune(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return cmdline.Usagef("which bot? lab tune BOT --option NAME=LOW:HIGH")
	}
	t, err := readTrial(c)
	if err != nil {
		return err
	}
	if c.Int("verify") < 0 {
		return cmdline.Usagef("--verify %d: want 0 or more", c.Int("verify"))
	}
	tuning, err := readTuning(c, t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if _, _, err := tuning.Next(); err != nil {
		return cmdline.WrongUsage(err)
	}
	name := documentName(tuning.Name())
	if err := t.folder.Check(name); err != nil {
		return err
	}
	report, err := t.tune(c.Context, tuning, c.Int("verify"))
	if err != nil {
		return t.reportInterrupt(err)
	}
	return t.report(name, report, report.WriteCSV)
}

// readTuning reads the bot and the flags of the command tune.
func readTuning(c *cli.Context, s experiment.Config) (*experiment.Tuning, error) {
	config := experiment.TuningConfig{Config: s, Spec: c.Args().First(), Iterations: c.Int("iterations"), Gain: c.Float64("gain")}
	for _, text := range c.StringSlice("option") {
		o, err := experiment.ParseTunedOption(config.Spec, text)
		if err != nil {
			return nil, fmt.Errorf("--option %w", err)
		}
		config.Options = append(config.Options, o)
	}
	return experiment.NewTuning(config)
}

// tune plays the iterations that are left, then the matches that verify their result. With --report-only it reads the
// recorded games alone.
func (t trial) tune(ctx context.Context, tuning *experiment.Tuning, verify int) (r experiment.Tuned, err error) {
	if t.reportOnly {
		return t.iterate(ctx, tuning, verify, t.recorded)
	}
	err = t.withPlayer(ctx, nil, func(p *trialPlayer) (err error) {
		r, err = t.iterate(ctx, tuning, verify, p.whole)
		return err
	})
	return r, err
}

// iterate adds the games of all iterations to the tuning, and returns the report on the tuning. If the games of an
// iteration are incomplete, as with --report-only, the report is about the iterations before.
func (t trial) iterate(ctx context.Context, tuning *experiment.Tuning, verify int, play playing) (r experiment.Tuned, err error) {
	for {
		e, more, err := tuning.Next()
		if err != nil {
			return r, err
		}
		if !more {
			break
		}
		played, err := play(ctx, e, 2*(e.Matches*tuning.Left()+verify))
		if err != nil {
			return r, err
		}
		if !played.Complete() {
			return tuning.Report(nil), nil
		}
		if err := tuning.Add(played); err != nil {
			return r, err
		}
	}
	return t.verified(ctx, tuning, verify, play)
}

// verified gets the games that compare the tuned bot with the first bot, and returns the report on the tuning.
func (t trial) verified(ctx context.Context, tuning *experiment.Tuning, matches int, play playing) (r experiment.Tuned, err error) {
	e, changed, err := tuning.Last(max(1, matches))
	if err != nil || !changed || matches == 0 {
		return tuning.Report(nil), err
	}
	played, err := play(ctx, e, 0)
	if err != nil {
		return r, err
	}
	if len(played.Games) == 0 { // with --report-only
		return tuning.Report(nil), nil
	}
	return tuning.Report(&played), nil
}

// playing returns the games of an event. later is the number of games after it.
type playing func(ctx context.Context, e tournament.Event, later int) (experiment.Played, error)

// recorded returns the recorded games of an event.
func (t trial) recorded(ctx context.Context, e tournament.Event, _ int) (experiment.Played, error) {
	all, err := t.readPlayed(ctx, []tournament.Event{e})
	if err != nil {
		return experiment.Played{}, err
	}
	return all[0], nil
}

// whole plays the rest of an event, and returns all its games.
func (p *trialPlayer) whole(ctx context.Context, e tournament.Event, later int) (experiment.Played, error) {
	read := func() (experiment.Played, error) {
		all, err := experiment.Read(context.WithoutCancel(ctx), p.store, []tournament.Event{e})
		if err != nil {
			return experiment.Played{}, withAdvice(err)
		}
		return all[0], nil
	}
	played, err := read()
	if err != nil || played.Complete() {
		return played, err
	}
	if err := p.playStage(ctx, newStage(e, played), func(now server.Progress) string { return timeInAll(now, later) }); err != nil {
		return played, err
	}
	return read()
}
