package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

func experimentCommand() *cli.Command {
	return &cli.Command{
		Name:        "experiment",
		Usage:       "repeat a published experiment and compare",
		Subcommands: []*cli.Command{table1Command(), treeCommand(), improvementsCommand()},
	}
}

// experimentResumes ends the description of the experiments.
const experimentResumes = "After any interruption\n" +
	"the same command resumes; what is finished is only reported. The time left is the mean time\n" +
	"of the games that have ended since the start, times the games left."

// experimentFlags say what is played of an experiment, and how it is reported.
func experimentFlags(matches int, concurrency cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "db", Value: "experiment.db", Usage: "the database"},
		&cli.IntFlag{Name: "matches", Value: matches, Usage: "matches of each pairing, two games each; a recorded event gets more, never fewer"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, if not the paper's"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices of each event, below 2^53"},
		concurrency,
		&cli.BoolFlag{Name: "report-only", Usage: "play nothing; report what is recorded, even while it is being played"},
		quietFlag(),
	}, append(documentFlags("Markdown, JSON, SVG, PNG and possibly CSV"), cmdline.OutputFlags()...)...)
}

// pooledConcurrencyFlag is concurrencyFlag for events in which a game takes less of the processor's time
// the more games are played at once: see players.Pool. With 16 for each core that was least.
func pooledConcurrencyFlag() cli.Flag {
	return &cli.IntFlag{
		Name: "concurrency", Value: 16 * runtime.NumCPU(), DefaultText: "16 for each core",
		Usage: "games played at once, whose playouts are made side by side",
	}
}

func playoutsFlag() cli.Flag {
	return &cli.IntFlag{Name: "playouts", Value: experiment.PaperPlayouts, Usage: "playouts a move, if not the paper's"}
}

// trial is an experiment as the flags of a command ask for it.
type trial struct {
	settings   experiment.Config
	db         string
	reportOnly bool
	folder     documentFolder // for the report
	quiet      bool
	messages   io.Writer // for progress
	out        cmdline.Output
}

// readTrial reads experimentFlags.
func readTrial(c *cli.Context) (trial, error) {
	t := trial{
		settings: experiment.Config{
			Matches:     c.Int("matches"),
			Playouts:    c.Int("playouts"),
			Time:        c.Int("time"),
			Seed:        c.Uint64("seed"),
			Concurrency: c.Int("concurrency"),
		},
		db:         c.String("db"),
		reportOnly: c.Bool("report-only"),
		folder:     readDocumentFolder(c),
		quiet:      c.Bool("quiet"),
		messages:   c.App.ErrWriter,
	}
	var err error
	if t.out, err = cmdline.ReadOutput(c); err != nil {
		return t, err
	}
	t.settings.Size, err = rules.ParseSize(c.String("size"))
	return t, cmdline.WrongUsage(err)
}

func table1Command() *cli.Command {
	return &cli.Command{
		Name:        "table1",
		Usage:       "Table 1 of Oka, Matsuzaki and Haraguchi 2015: MCTS, MCTS2 and evMiniMax against each other",
		Description: "Plays three ordinary events without time limits, inside this process. " + experimentResumes,
		Flags:       append(experimentFlags(experiment.PaperMatches, pooledConcurrencyFlag()), playoutsFlag()),
		Action:      table1,
	}
}

func table1(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	t, err := readTrial(c)
	if err != nil {
		return err
	}
	events, err := experiment.Table1Events(t.settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := t.folder.check("table1"); err != nil {
		return err
	}
	if err := t.play(c.Context, events); err != nil {
		return t.interrupted(err)
	}
	played, err := t.played(c.Context, events)
	if err != nil {
		return t.interrupted(err)
	}
	report := experiment.NewTable1(played)
	return t.report("table1", report, figuresTable(report).WriteCSV)
}

// figuresTable returns the figures of Table 1 beside the paper's, a row for each
// defender of each pairing.
func figuresTable(t experiment.Table1) cmdline.Table {
	all := cmdline.Table{Columns: []string{
		"pairing", "matches", "of", "defender", "games", "mean", "sd", "share_2048",
		"paper_games", "paper_mean", "paper_sd", "paper_share_2048", "mean_verdict", "share_2048_verdict",
	}}
	for _, r := range t.Rows {
		for _, c := range []experiment.Contestant{r.First, r.Second} {
			all.Add(r.Name, r.Matches, r.Of, c.Name, c.Ours.Games, c.Ours.Mean, c.Ours.SD, c.Share.Ours.Value,
				c.Paper.Games, c.Paper.Mean, c.Paper.SD, c.Share.Paper.Value, c.Score.Verdict, c.Share.Verdict)
		}
	}
	return all
}

func treeCommand() *cli.Command {
	return &cli.Command{
		Name:  "tree",
		Usage: "Figures 6 to 9 of that paper: the nodes that MCTS and MCTS2 expand, by ply of the game and depth in the tree",
		Description: "Plays MCTS2 against MCTS as an ordinary event without time limits, inside this\n" +
			"process, with reports on all searches. " + experimentResumes,
		Flags: append(experimentFlags(experiment.TreeMatches, pooledConcurrencyFlag()), playoutsFlag(),
			&cli.BoolFlag{Name: "canonical", Usage: "play MCTS2 on canonical positions against MCTS2 instead"}),
		Action: tree,
	}
}

func tree(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
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
	if err := t.folder.check(name); err != nil {
		return err
	}
	if err := t.play(c.Context, []tournament.Event{event}); err != nil {
		return t.interrupted(err)
	}
	report, err := t.tree(c.Context, event)
	if err != nil {
		return t.interrupted(err)
	}
	return t.report(name, report, report.WriteCSV)
}

// tree reads the search reports of an event game by game: all of them together are
// large.
func (t trial) tree(ctx context.Context, event tournament.Event) (experiment.Tree, error) {
	store, err := results.OpenReader(ctx, t.db)
	if err != nil {
		return experiment.Tree{}, err
	}
	defer store.Close()
	recorded, err := experiment.Find(ctx, store, event)
	if err != nil {
		return experiment.Tree{}, advised(err)
	}
	var growth experiment.Growth
	if recorded.ID != 0 { // otherwise nothing is recorded
		filter := results.Filter{Event: recorded.ID, Finished: true, Searches: true}
		err = store.Games(ctx, filter, func(g results.Stored) error {
			growth.Add(g.Game)
			return nil
		})
	}
	if err != nil {
		return experiment.Tree{}, err
	}
	return growth.Tree(recorded), nil
}

func improvementsCommand() *cli.Command {
	return &cli.Command{
		Name:      "improvements",
		Usage:     "what the paper left for later: variants of MCTS2 against MCTS2 at equal time per move",
		ArgsUsage: "[VARIANT...]",
		Description: "Plays an ordinary event for each variant, inside this process, in batches until a\n" +
			"sequential test decides that it is better, worse or not much different, or until\n" +
			"--matches are played. After any interruption the same command resumes.\n\n" +
			"The variants, all of them if none is named:\n" + variantsText(),
		Flags: append(experimentFlags(40, concurrencyFlag()),
			&cli.IntFlag{Name: "time", Value: 2, Usage: "milliseconds a move, for both bots"},
			&cli.BoolFlag{Name: "no-stop", Usage: "play all matches, in events of other names"}),
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
	if err := t.folder.check(name); err != nil {
		return err
	}
	if err := play(c.Context, events); err != nil {
		return t.interrupted(err)
	}
	played, err := t.played(c.Context, events)
	if err != nil {
		return t.interrupted(err)
	}
	report := experiment.NewImprovements(variants, played)
	return t.report(name, report, findingsTable(report).WriteCSV)
}

// findingsTable returns what was found of each variant.
func findingsTable(i experiment.Improvements) cmdline.Table {
	all := cmdline.Table{Columns: []string{"variant", "event", "matches", "won", "drawn", "lost", "share", "share_low", "share_high", "difference", "difference_low", "difference_high", "finding"}}
	for _, r := range i.Rows {
		m, d := r.Games.Matches, r.Games.Difference
		all.Add(r.Name, r.Event, m.Played(), m.Won, m.Drawn, m.Lost, r.Share.Value, r.Share.Low, r.Share.High, d.Value, d.Low, d.High, r.Finding)
	}
	return all
}

// played reads the games that are recorded of the events.
func (t trial) played(ctx context.Context, events []tournament.Event) ([]experiment.Played, error) {
	store, err := results.OpenReader(ctx, t.db)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	played, err := experiment.Read(ctx, store, events)
	return played, advised(err)
}

// report prints the report and writes it into the folder of --out.
func (t trial) report(name string, d document, csv func(io.Writer) error) error {
	if err := t.folder.write(name, d); err != nil {
		return err
	}
	return t.out.Print(cmdline.Result{Value: d, CSV: csv, Markdown: d.WriteMarkdown})
}

// interrupted reports an interrupt that came between two events; while an event is
// being played, following it reports the interrupt. It returns other errors
// unchanged.
func (t trial) interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(t.messages, "interrupted with no game in progress; what is finished is kept\nresume: %s\n", sameCommand())
		return cmdline.ErrSilent
	}
	return err
}

// advised adds to a mismatch what to do about it.
func advised(err error) error {
	if mismatch := new(experiment.MismatchError); errors.As(err, &mismatch) {
		return fmt.Errorf("%w (give the flags that it was played with, or choose another --db)", err)
	}
	return err
}
