package labcmd

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server/roster"
	"versus2048/internal/text/terminal"
	"versus2048/lab/experiment"
	"versus2048/tournament"
)

func experimentCommand() *cli.Command {
	return &cli.Command{
		Name:        "experiment",
		Usage:       "repeat a published experiment and compare, or measure the strength of bots",
		Subcommands: []*cli.Command{table1Command(), treeCommand(), improvementsCommand(), strengthCommand(), contestCommand(), learningCommand()},
	}
}

func playoutsFlag() cli.Flag {
	return &cli.IntFlag{Name: "playouts", Value: experiment.PaperPlayouts, Usage: "playouts a move, if not the paper's"}
}

// pooledConcurrencyFlag returns --concurrency for events with players.Pool. There a game takes less of the processor's
// time if more games are played at once. The time per game was shortest with 16 games for each core.
func pooledConcurrencyFlag() cli.Flag {
	return &cli.IntFlag{
		Name: "concurrency", Value: 16 * runtime.NumCPU(), DefaultText: "16 for each core",
		Usage: "games played at once; their playouts are made side by side",
	}
}

func table1Command() *cli.Command {
	return &cli.Command{
		Name:  "table1",
		Usage: "Table 1 of Oka, Matsuzaki and Haraguchi 2015: MCTS, MCTS2 and evMiniMax against each other",
		Description: "Plays three ordinary events without time limits, inside this process or with --server on its\n" +
			"workers. " + experimentResumes,
		Flags:  slices.Concat(experimentFlags(experiment.PaperMatches), []cli.Flag{pooledConcurrencyFlag(), playoutsFlag()}, serverFlags()),
		Action: cmdline.WithArguments(table1),
	}
}

func table1(c *cli.Context) error {
	t, err := readTrial(c)
	if err != nil {
		return err
	}
	events, err := experiment.Table1Events(t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := t.folder.Check("table1"); err != nil {
		return err
	}
	if err := t.play(c.Context, events); err != nil {
		return t.reportInterrupt(err)
	}
	played, err := t.readPlayed(c.Context, events)
	if err != nil {
		return t.reportInterrupt(err)
	}
	report := experiment.NewTable1(played)
	return t.report("table1", report, figuresTable(report).WriteCSV)
}

// figuresTable returns the figures of Table 1 beside the paper's, with a row for each defender of each pairing.
func figuresTable(t experiment.Table1) terminal.Table {
	all := terminal.Table{Columns: terminal.Columns(
		"pairing", "matches", "of", "defender", "games", "mean", "sd", "share_2048",
		"paper_games", "paper_mean", "paper_sd", "paper_share_2048", "mean_verdict", "share_2048_verdict",
	)}
	for _, r := range t.Rows {
		for _, c := range []experiment.Contestant{r.First, r.Second} {
			all.Add(r.Name, r.Matches, r.AllMatches, c.Name, c.Ours.Games, c.Ours.Mean, c.Ours.SD, c.Share.Ours.Value,
				c.Paper.Games, c.Paper.Mean, c.Paper.SD, c.Share.Paper.Value, c.Score.Verdict, c.Share.Verdict)
		}
	}
	return all
}

func treeCommand() *cli.Command {
	return &cli.Command{
		Name:  "tree",
		Usage: "Figures 6 to 9 of Oka, Matsuzaki and Haraguchi 2015: the nodes that MCTS and MCTS2 expand, by ply of the game and depth in the tree",
		Description: "Plays MCTS2 against MCTS as an ordinary event without time limits, inside this\n" +
			"process, with reports on all searches. " + experimentResumes,
		Flags: slices.Concat(experimentFlags(experiment.TreeMatches), []cli.Flag{
			pooledConcurrencyFlag(), playoutsFlag(),
			&cli.BoolFlag{Name: "canonical", Usage: "play MCTS2 on canonical positions against MCTS2 instead"},
		}, serverFlags()),
		Action: cmdline.WithArguments(tree),
	}
}

func tree(c *cli.Context) error {
	t, err := readTrial(c)
	if err != nil {
		return err
	}
	name, eventOf := "tree", experiment.TreeEvent
	if c.Bool("canonical") {
		name, eventOf = "tree-canonical", experiment.CanonicalTreeEvent
	}
	event, err := eventOf(t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := t.folder.Check(name); err != nil {
		return err
	}
	if err := t.play(c.Context, []tournament.Event{event}); err != nil {
		return t.reportInterrupt(err)
	}
	report, err := t.tree(c.Context, event)
	if err != nil {
		return t.reportInterrupt(err)
	}
	return t.report(name, report, report.WriteCSV)
}

// tree returns the report on the recorded searches of an event.
func (t trial) tree(ctx context.Context, event tournament.Event) (experiment.TreeReport, error) {
	var growth experiment.Growth
	recorded, err := t.eachGame(ctx, event, growth.Add)
	if err != nil {
		return experiment.TreeReport{}, err
	}
	return growth.Report(recorded), nil
}

func improvementsCommand() *cli.Command {
	return &cli.Command{
		Name:      "improvements",
		Usage:     "variants of MCTS2, as the paper suggests for later work, against MCTS2 at equal time per move",
		ArgsUsage: "[VARIANT...]",
		Description: "Plays an ordinary event for each variant, inside this process or with --server on its\n" +
			"arena, in batches until a sequential test decides that the variant is better, worse or not much\n" +
			"different, or until --matches are played. After any interruption the same command\n" +
			"resumes.\n\n" +
			"The variants, all of them if none is named:\n" + variantsText(),
		Flags: slices.Concat(experimentFlags(40), []cli.Flag{
			cmdline.SettingFlag("concurrency"),
			&cli.IntFlag{Name: "time", Value: 2, Usage: "milliseconds a move, for both bots"},
			&cli.BoolFlag{Name: "no-stop", Usage: "play all matches, in events of other names"},
		}, serverFlags()),
		Action: improvements,
	}
}

func variantsText() (text string) {
	for _, v := range experiment.Variants() {
		text += fmt.Sprintf("  %-10s %s\n", v.Name, v.Change)
	}
	return text
}

func improvements(c *cli.Context) error {
	variants, err := experiment.VariantsNamed(c.Args().Slice())
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	t, err := readTrial(c)
	if err != nil {
		return err
	}
	events, err := experiment.ImprovementEvents(variants, t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	name, play := "improvements", t.playUntilDecided
	if c.Bool("no-stop") {
		name, play = "improvements-no-stop", t.play
		for i := range events {
			events[i].Name += " (no stop)"
		}
	}
	if err := t.folder.Check(name); err != nil {
		return err
	}
	if err := play(c.Context, events); err != nil {
		return t.reportInterrupt(err)
	}
	played, err := t.readPlayed(c.Context, events)
	if err != nil {
		return t.reportInterrupt(err)
	}
	report := experiment.NewImprovements(variants, played)
	return t.report(name, report, findingsTable(report).WriteCSV)
}

// findingsTable returns the finding about each variant.
func findingsTable(i experiment.Improvements) terminal.Table {
	all := terminal.Table{Columns: terminal.Columns("variant", "event", "matches", "won", "drawn", "lost", "share", "share_low", "share_high", "difference", "difference_low", "difference_high", "finding")}
	for _, r := range i.Rows {
		m, d := r.Games.Matches, r.Games.Difference
		all.Add(r.Name, r.Event, m.Played(), m.Won, m.Drawn, m.Lost, r.Share.Value, r.Share.Low, r.Share.High, d.Value, d.Low, d.High, r.Finding)
	}
	return all
}

// timedFlags are the flags of experiments at equal time per move. By default these experiments play one game at a time,
// so that no two searches share the machine.
func timedFlags(matches int) []cli.Flag {
	return slices.Concat(experimentFlags(matches), []cli.Flag{
		&cli.IntFlag{Name: "time", Value: 1, Usage: "milliseconds a move, for all bots that search"},
		cmdline.SettingFlag("rules"),
		&cli.BoolFlag{Name: "complete", Usage: "play second games to their end even when their match is decided, in events of other names"},
		&cli.BoolFlag{Name: "search", Value: true, DefaultText: "set; --search=false for none", Usage: "record reports on searches, for depths and processor times; they take most of the database"},
		&cli.IntFlag{Name: "concurrency", Value: 1, Usage: "games played at once; processor times are measured for one at a time only"},
		cmdline.StartTimeoutFlag(),
	}, serverFlags())
}

// experimentProgram describes a program as a bot of an experiment.
const experimentProgram = "NAME=exec:COMMAND, a program with\n" +
	"the time for a move in its command"

func strengthCommand() *cli.Command {
	return &cli.Command{
		Name:      "strength",
		Usage:     "the ladder of strength: bots against each other at equal time per move",
		ArgsUsage: "[BOT...]",
		Description: "Plays one ordinary event without clocks, inside this process or with --server on its\n" +
			"arena: a round-robin from openings that the seed draws. A BOT is one of the bots below, SPEC or\n" +
			"NAME=SPEC without the time, or " + experimentProgram + "; without any, all of these play:\n" + contendersText() + "\n" + experimentResumes,
		Flags: append(timedFlags(4),
			&cli.StringSliceFlag{Name: "bot", Usage: "a `BOT` beside the others; repeat it for more"},
			&cli.IntFlag{Name: "best", DefaultText: "all", Usage: "only the best `N` of the bots, by the recorded event with the time of --of"},
			&cli.IntFlag{Name: "of", Value: 10, Usage: "the milliseconds for a move in the event that --best reads"}),
		Action: strength,
	}
}

func contendersText() (text string) {
	for _, c := range experiment.Contenders() {
		text += fmt.Sprintf("  %-10s %s\n", c.Name, c.Spec)
	}
	return text
}

func strength(c *cli.Context) error {
	switch {
	case c.IsSet("best") && c.Int("best") < 1:
		return cmdline.Usagef("--best %d: want 1 or more", c.Int("best"))
	case c.IsSet("of") && !c.IsSet("best"):
		return cmdline.Usagef("--of: only with --best N")
	}
	t, contenders, err := readMeeting(c)
	if err != nil {
		return err
	}
	if c.IsSet("best") {
		if contenders, err = t.best(c.Context, contenders, c.Int("best"), c.Int("of")); err != nil {
			return err
		}
	}
	event, err := experiment.StrengthEvent(contenders, t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	name := documentName(event.Name)
	if err := t.folder.Check(name); err != nil {
		return err
	}
	played, thinking, err := t.playTimed(c.Context, []tournament.Event{event})
	if err != nil {
		return t.reportInterrupt(err)
	}
	report := experiment.NewStrength(played[0], thinking)
	return t.report(name, report, rungsTable(report).WriteCSV)
}

// readMeeting reads an experiment at equal time per move, and its bots: the arguments, or the bots of the ladder if
// there are no arguments, and then the bots of --bot.
func readMeeting(c *cli.Context) (t trial, contenders []experiment.Contender, err error) {
	if c.Args().Len() == 0 {
		contenders = experiment.Contenders()
	}
	programs, bots, err := roster.SplitCommands(append(c.Args().Slice(), c.StringSlice("bot")...))
	if err != nil {
		return t, nil, cmdline.WrongUsage(err)
	}
	for _, bot := range bots {
		contender := experiment.Contender{Name: bot}
		if programs[bot] == nil {
			if contender, err = experiment.ParseContender(bot); err != nil {
				return t, nil, cmdline.WrongUsage(err)
			}
		}
		contenders = append(contenders, contender)
	}
	if err := hosting.CheckPrograms(c, programs); err != nil {
		return t, nil, err
	}
	t, err = readTrial(c)
	t.programs, t.startTimeout = programs, c.Duration(cmdline.StartTimeout)
	return t, contenders, err
}

// best returns the n best contenders of the recorded event with the given time per move.
func (t trial) best(ctx context.Context, contenders []experiment.Contender, n, milliseconds int) ([]experiment.Contender, error) {
	settings := t.settings
	settings.Time, settings.Search = milliseconds, false // ratings need no reports of searches
	event, err := experiment.StrengthEvent(contenders, settings)
	if err != nil {
		return nil, cmdline.WrongUsage(err)
	}
	played, err := t.readPlayed(ctx, []tournament.Event{event})
	if err != nil {
		return nil, err
	}
	return experiment.Best(contenders, played[0], n)
}

// playTimed plays the remaining games of events at equal time per move. It returns all games, and the think times in
// the first event.
func (t trial) playTimed(ctx context.Context, events []tournament.Event) ([]experiment.Played, *experiment.Thinking, error) {
	if err := t.play(ctx, events); err != nil {
		return nil, nil, err
	}
	played, err := t.readPlayed(ctx, events)
	if err != nil {
		return nil, nil, err
	}
	thinking := new(experiment.Thinking)
	_, err = t.eachGame(ctx, events[0], thinking.Add)
	return played, thinking, err
}

// documentName returns the name of an event in a form for names of files.
func documentName(event string) string {
	return strings.NewReplacer(" ", "-", "/", "-", ":", "-", ",", "-", "=", "-").Replace(event)
}

// rungsTable returns the results of every two bots against each other.
func rungsTable(l experiment.Strength) terminal.Table {
	all := terminal.Table{Columns: terminal.Columns("defender", "elo", "elo_low", "elo_high", "attacker", "games", "mean", "mean_low", "mean_high")}
	for i, r := range l.Rungs {
		for j, d := range r.Against {
			if i != j {
				all.Add(r.Name, r.Elo.Value, r.Elo.Low, r.Elo.High, l.Rungs[j].Name, d.Games, d.Mean.Value, d.Mean.Low, d.Mean.High)
			}
		}
	}
	return all
}

func contestCommand() *cli.Command {
	return &cli.Command{
		Name:      "contest",
		Usage:     "a fixed number of matches between two bots at equal time per move, and whether goals are met",
		ArgsUsage: "BOT OPPONENT",
		Description: "Plays an ordinary event without clocks, inside this process or with --server on its arena,\n" +
			"from openings that the seed draws. A bot is SPEC or NAME=SPEC without the time, a bot of\n" +
			"lab experiment strength, or " + experimentProgram + ".\n" + experimentResumes,
		Flags: append(timedFlags(100),
			&cli.IntFlag{Name: "goal", Value: 90, Usage: "percent of the matches that BOT is to win"},
			&cli.BoolFlag{Name: "scores", Usage: "also let OPPONENT play half as many matches against itself; compared with these, BOT is to score twice as much against OPPONENT, and OPPONENT half as much against BOT"},
			&cli.BoolFlag{Name: "short", Usage: "BOT attacks first in every match, so that its own long games end once the match is decided"}),
		Action: cmdline.WithArguments(contest),
	}
}

func contest(c *cli.Context) error {
	t, contenders, err := readMeeting(c)
	if err != nil {
		return err
	}
	if command := t.programs[contenders[1].Name]; command != nil {
		t.programs[contenders[1].Again().Name] = command
	}
	claims := experiment.Claims{Share: float64(c.Int("goal")) / 100, Scores: c.Bool("scores"), Short: c.Bool("short")}
	events, err := experiment.ContestEvents(contenders[0], contenders[1], claims, t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	name := documentName(events[0].Name)
	if err := t.folder.Check(name); err != nil {
		return err
	}
	played, thinking, err := t.playTimed(c.Context, events)
	if err != nil {
		return t.reportInterrupt(err)
	}
	report := experiment.NewContest(played, thinking, claims)
	return t.report(name, report, goalsTable(report).WriteCSV)
}

// goalsTable returns the goals of a contest.
func goalsTable(c experiment.Contest) terminal.Table {
	all := terminal.Table{Columns: terminal.Columns("goal", "bound", "reached", "low", "high", "met")}
	for _, g := range c.Goals {
		all.Add(g.Claim, g.Bound, g.Reached.Value, g.Reached.Low, g.Reached.High, g.Met())
	}
	return all
}
