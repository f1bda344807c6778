package botcmd

import (
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/tournament"
)

func tryCommand() *cli.Command {
	flags := []cli.Flag{
		cmdline.SettingFlagFor("matches", "10", "matches in all, two games each"),
		&cli.StringSliceFlag{Name: "against", DefaultText: "greedy and evminimax", Usage: "the spec of an opponent; may be repeated"},
		cmdline.SettingFlagFor("time-per-move", "100ms", "time for each move; 0 for no limit"),
		cmdline.SettingFlagFor("rules", rules.GPCC2015.String(), "gpcc2015 or gpcc2016"),
		cmdline.SettingFlag("size"),
		cmdline.SettingFlag("seed"),
		cmdline.StartTimeoutFlag(),
		cmdline.QuietFlag(),
	}
	return &cli.Command{
		Name:      "try",
		Usage:     "let a program play a few matches, and print advice for its author",
		ArgsUsage: "-- COMMAND [ARGUMENT ...]",
		Description: "The command starts a bot that speaks the line protocol (docs/STDIO.md). The bot plays against the opponents in " +
			"turn, one game after the other. The exit code is 1 if the bot lost a game by a fault, or was not ready.",
		Flags:  append(flags, cmdline.OutputFlags()...),
		Action: cmdline.Printing(try),
	}
}

func try(c *cli.Context, out cmdline.Output) error {
	config, err := tried(c)
	if err != nil {
		return err
	}
	show := cmdline.NewCounter(c.App.ErrWriter, c.Bool("quiet"), "a trial", "games")
	config.Played = func(games int) { show.Count(games, 2*config.Matches) }
	report, err := RunTrial(c.Context, config)
	show.End()
	if err != nil {
		return err
	}
	passed := report.Problem == "" && len(report.Faults) == 0
	value := trialValue{report, passed, report.Advice()}
	if err := out.Print(cmdline.Tabular(value, trialTable(report), report.WriteText)); err != nil {
		return err
	}
	return cmdline.FailIf(!passed)
}

// trialValue is a trial with advice for the author of the bot.
type trialValue struct {
	*TrialReport
	Passed bool     `json:"passed"` // whether it played, and lost no game by a fault
	Advice []Advice `json:"advice"`
}

// tried returns the trial of the command line.
func tried(c *cli.Context) (t Trial, err error) {
	if c.NArg() == 0 {
		return t, cmdline.Usagef("try: the command of the bot is missing: bot try -- COMMAND")
	}
	var e tournament.Event
	for _, name := range []string{"matches", "time-per-move", "rules", "size", "seed"} {
		if err := cmdline.ReadSetting(c, name, &e); err != nil {
			return t, cmdline.WrongUsage(err)
		}
	}
	t = Trial{
		Command: c.Args().Slice(), Opponents: c.StringSlice("against"), Matches: e.Matches,
		Clock: e.Clock, Rules: e.Rules, Size: e.Size, Seed: e.Seed, StartTimeout: c.Duration(cmdline.StartTimeout),
	}
	if len(t.Opponents) == 0 {
		t.Opponents = []string{"greedy", "evminimax"}
	}
	if t.Matches < 1 || t.Clock.PerMove < 0 {
		return t, cmdline.Usagef("try: want at least one match, and no negative time")
	}
	if t.Rules.Chance() {
		return t, cmdline.Usagef("--rules %s: nobody attacks there; want gpcc2015 or gpcc2016", t.Rules)
	}
	return t, nil
}

// trialTable has a row for each match and role.
func trialTable(r *TrialReport) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("opponent", "role", "match", "score")}
	for _, a := range r.Against {
		for i, score := range a.Defends {
			t.Add(a.Opponent, rules.Defender, i+1, score)
		}
		for i, score := range a.Attacks {
			t.Add(a.Opponent, rules.Attacker, i+1, score)
		}
	}
	return t
}
