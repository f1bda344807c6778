package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/disk"
	"versus2048/lab/learning"
	"versus2048/lab/picture"
	"versus2048/players/exact"
	"versus2048/rules"
)

func trainCommand() *cli.Command {
	return &cli.Command{
		Name:  "train",
		Usage: "learn to play by self-play",
		Subcommands: []*cli.Command{{
			Name:  "ntuple",
			Usage: "learn the value of boards as an n-tuple network, for the bot ntuple:weights=FILE",
			Description: "Plays games against itself, or under solo against chance, until the budget of time or games is\n" +
				"used up or an interrupt comes. It then writes FILE with the weights, FILE.csv and FILE.svg with\n" +
				"the learning curve, and FILE.checkpoint for --resume. The checkpoint is also\n" +
				"written every --save, so that little is lost whatever happens. See docs/learning.md.",
			Flags: slices.Concat([]cli.Flag{
				cmdline.SettingFlag("rules"),
				&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, 2x2 to 4x4"},
				&cli.StringFlag{Name: "structure", DefaultText: "the smallest", Usage: "the name of the groups of cells that the network looks at, see docs/learning.md"},
				&cli.StringFlag{Name: "out", Usage: "write the network into this file", Required: true},
				&cli.StringFlag{Name: "stages", DefaultText: "none", Usage: "tiles such as 2048,8192: boards with one of these tiles, or a larger one, have weights of their own"},
				cmdline.ForceFlag(),
				&cli.BoolFlag{Name: "resume", Usage: "continue from FILE.checkpoint, with its settings"},
				&cli.DurationFlag{Name: "budget", DefaultText: "none", Usage: "stop after this time, such as 2h, which counts from the start of this command"},
				&cli.Uint64Flag{Name: "games", DefaultText: "no limit", Usage: "stop after this number of games, games before --resume included"},
				&cli.DurationFlag{Name: "save", Value: 5 * time.Minute, Usage: "the time between two checkpoints"},
				&cli.BoolFlag{Name: "mapped", Usage: "do not pack the weights: a large file; bots read only the weights that they use"},
			}, settingFlags(), []cli.Flag{cmdline.QuietFlag()}),
			Action: trainNTuple,
		}, azGamesCommand()},
	}
}

// settingFlags are the flags of learning.Settings besides the game and the structure.
func settingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
		&cli.IntFlag{Name: "threads", Value: 1, Usage: "games at once; with one, the same settings learn the same"},
		&cli.Float64Flag{Name: "lambda", DefaultText: "0.5, or 0 under solo on 3x2 and 2x3", Usage: "the share of a board's error that also corrects the board before it, 0 to 1"},
		&cli.Float64Flag{Name: "rate", DefaultText: "1", Usage: "the share of an error that an update removes, above 0 and at most 1"},
		&cli.BoolFlag{Name: "no-coherence", DefaultText: "set under solo on 3x2 and 2x3", Usage: "the same rate for all weights, instead of one for each by temporal coherence"},
		&cli.Float64Flag{Name: "average", DefaultText: "0.25 under solo on more than 6 cells, else 0", Usage: "write the mean of the weights over the last games, about this share of all games; 0 for the last weights"},
		&cli.Float64Flag{Name: "optimism", DefaultText: "0, or 500 under solo on 3x2 and 2x3", Usage: "the value of every board before anything is learned, in points"},
		&cli.IntFlag{Name: "coarse", Value: 1, Usage: "round the weights to multiples of this many units, for a smaller file; the largest weight has 32,767 units"},
		&cli.IntFlag{Name: "lookahead", Value: 1, Usage: "not under solo: how many slides ahead the best turn is searched, 1 to 3"},
		&cli.BoolFlag{Name: "expected", DefaultText: "set under solo on 3x2 and 2x3", Usage: "only under solo: learn from the mean over all tiles that chance may place, instead of from the placed one"},
		&cli.BoolFlag{Name: "treestrap", Usage: "learn all boards of the lookahead, not only the played ones"},
		&cli.StringFlag{Name: "teacher", DefaultText: "none", Usage: "learn the exact values in this table of the board, from: lab solve --table"},
		&cli.IntFlag{Name: "opening", DefaultText: "4 for each cell", Usage: "not under solo: the greatest number of random plies at the start of a game"},
		&cli.Float64Flag{Name: "noise", DefaultText: "0.02, or 0.1 up to 9 cells", Usage: "not under solo: the share of random moves, 0 to 1"},
		&cli.Float64Flag{Name: "strangers", DefaultText: "0.05", Usage: "not under solo: the share of games against other bots and earlier selves, 0 to 1"},
		&cli.Float64Flag{Name: "restart", DefaultText: "0", Usage: "not under solo: the share of games that begin from boards of earlier games, 0 to 1"},
	}
}

// training has the settings of lab train ntuple.
type training struct {
	settings learning.Settings
	out      string
	force    bool
	resume   bool
	budget   time.Duration
	games    uint64
	save     time.Duration
	mapped   bool
	quiet    bool
	messages io.Writer // for progress
}

func (t training) checkpoint() string { return t.out + ".checkpoint" }

func readTraining(c *cli.Context) (t training, err error) {
	t = training{
		out: c.String("out"), force: c.Bool("force"), resume: c.Bool("resume"), budget: c.Duration("budget"), games: learning.MostGames,
		save: c.Duration("save"), mapped: c.Bool("mapped"), quiet: c.Bool("quiet"), messages: c.App.ErrWriter,
	}
	if c.IsSet("games") {
		t.games = min(c.Uint64("games"), learning.MostGames)
	}
	if err := cmdline.Arguments(c); err != nil {
		return t, err
	}
	switch {
	case c.IsSet("budget") && t.budget <= 0:
		return t, cmdline.Usagef("--budget %v: want more than 0", t.budget)
	case t.save <= 0:
		return t, cmdline.Usagef("--save %v: want more than 0", t.save)
	case t.games == 0:
		return t, cmdline.Usagef("--games 0: want 1 or more")
	case t.budget == 0 && !c.IsSet("games"):
		return t, cmdline.Usagef("how long? give --budget, such as 10m, or --games")
	}
	t.settings, err = readSettings(c)
	return t, cmdline.WrongUsage(err)
}

// readSettings reads the settings of the learner.
func readSettings(c *cli.Context) (learning.Settings, error) {
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return learning.Settings{}, err
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return learning.Settings{}, err
	}
	for _, name := range []string{"opening", "noise", "strangers", "restart"} {
		if r.Chance() && c.IsSet(name) {
			return learning.Settings{}, fmt.Errorf("--%s: under %v all games begin with the empty board and have no random moves of a player; give it only with rules for two", name, r)
		}
	}
	s := learning.Defaults(r, size)
	s.Seed, s.Threads, s.Lookahead, s.Strap = c.Uint64("seed"), c.Int("threads"), c.Int("lookahead"), c.Bool("treestrap")
	s.Coarse = c.Int("coarse")
	if c.IsSet("expected") {
		s.Expected = c.Bool("expected")
	}
	if c.IsSet("no-coherence") {
		s.Coherence = !c.Bool("no-coherence")
	}
	if path := c.String("teacher"); path != "" {
		if s.Teacher, err = filepath.Abs(path); err != nil {
			return s, err
		}
	}
	if c.IsSet("structure") {
		s.Structure = c.String("structure")
	}
	if c.IsSet("stages") {
		for text := range strings.SplitSeq(c.String("stages"), ",") {
			tile, err := strconv.Atoi(text)
			if err != nil {
				return s, fmt.Errorf("--stages %.40q: want tiles with commas between them, such as 2048,8192", c.String("stages"))
			}
			s.Stages = append(s.Stages, tile)
		}
	}
	if c.IsSet("opening") {
		s.Opening = c.Int("opening")
	}
	for name, field := range map[string]*float64{
		"lambda": &s.Lambda, "rate": &s.Rate, "average": &s.Average, "optimism": &s.Optimism, "noise": &s.Noise, "strangers": &s.Strangers, "restart": &s.Restart,
	} {
		if c.IsSet(name) {
			*field = c.Float64(name)
		}
	}
	return s, s.Validate()
}

func trainNTuple(c *cli.Context) error {
	t, err := readTraining(c)
	if err != nil {
		return err
	}
	trainer, err := t.trainer(c)
	if err != nil {
		return err
	}
	if path := trainer.Settings().Teacher; path != "" {
		teacher, err := openTeacher(path, trainer.Settings())
		if err != nil {
			return err
		}
		defer teacher.Close()
		trainer.Teach(teacher)
	}
	if had := trainer.Games(); had >= t.games {
		fmt.Fprintf(t.messages, "%s has %d games already: --games %d counts them, so nothing more is learned\n", t.checkpoint(), had, t.games)
	}
	if err := t.learn(c.Context, trainer); err != nil {
		return err
	}
	if err := t.write(trainer); err != nil {
		return err
	}
	if c.Context.Err() != nil {
		fmt.Fprintf(c.App.ErrWriter, "interrupted after %d games; --resume continues\n", trainer.Games())
		return cmdline.ErrSilent
	}
	return nil
}

// openTeacher opens the table of exact values for a network to learn.
func openTeacher(path string, s learning.Settings) (*exact.Table, error) {
	table, err := exact.Open(path)
	if err != nil {
		return nil, err
	}
	if table.Rules() != s.Rules || table.Size() != s.Size {
		err := fmt.Errorf("--teacher %s: the table is of %v on %v, the network of %v on %v", path, table.Rules(), table.Size(), s.Rules, s.Size)
		return nil, errors.Join(err, table.Close())
	}
	return table, nil
}

// trainer returns a new trainer, or with --resume the trainer of the checkpoint. For a new trainer it checks that the
// files can be written.
func (t training) trainer(c *cli.Context) (*learning.Trainer, error) {
	if !t.resume {
		for _, path := range []string{t.out, t.checkpoint(), t.out + ".csv", t.out + ".svg"} {
			if err := cmdline.CheckFile(path, t.force); err != nil {
				return nil, err
			}
		}
		return learning.New(t.settings)
	}
	for _, f := range slices.Concat(settingFlags(), []cli.Flag{&cli.StringFlag{Name: "rules"}, &cli.StringFlag{Name: "size"}, &cli.StringFlag{Name: "structure"}, &cli.StringFlag{Name: "stages"}}) {
		if c.IsSet(f.Names()[0]) {
			return nil, cmdline.Usagef("--%s: not with --resume, which continues with the settings of the checkpoint", f.Names()[0])
		}
	}
	return learning.Open(t.checkpoint())
}

// learn plays and learns, and keeps checkpoints. It ends with the budget, with ctx, or after the last game.
func (t training) learn(ctx context.Context, trainer *learning.Trainer) error {
	if t.budget > 0 {
		limited, cancel := context.WithTimeout(ctx, t.budget)
		defer cancel()
		ctx = limited
	}
	show := cmdline.NewComputation(t.messages, t.quiet)
	defer show.End()
	for saved := time.Now(); ctx.Err() == nil && trainer.Games() < t.games; {
		trainer.Play(ctx, t.games)
		show.Draw(bits.Len64(trainer.Games()), trainingLine(trainer)) // outside of a terminal: when the games have doubled
		if time.Since(saved) > t.save {
			if err := trainer.WriteFile(t.checkpoint()); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	return nil
}

// trainingLine returns a line about the latest point of the learning curve, such as
// "12000 games, mean score 5120, 0.8% with a 2048, error 31.2, 412000 plies/s, 0:31".
func trainingLine(trainer *learning.Trainer) string {
	curve := trainer.Curve()
	if len(curve) == 0 {
		return fmt.Sprintf("%d games", trainer.Games())
	}
	last, before := curve[len(curve)-1], learning.Point{}
	if len(curve) > 1 {
		before = curve[len(curve)-2]
	}
	speed := float64(last.Plies-before.Plies) / (last.Time - before.Time).Seconds()
	return fmt.Sprintf("%d games, mean score %.0f, %.1f%% with a 2048, error %.1f, %.0f plies/s, %s",
		last.Games, last.Score, 100*last.Won, last.Error, speed, cmdline.Clock(last.Time))
}

// write writes the checkpoint, the network and the learning curve.
func (t training) write(trainer *learning.Trainer) error {
	network, err := trainer.Network()
	if err != nil {
		return err
	}
	replace := t.force || t.resume
	if err := errors.Join(trainer.WriteFile(t.checkpoint()), adviseExisting(network.WriteFile(t.out, !t.mapped, replace))); err != nil {
		return err
	}
	curve := trainer.Curve()
	if err := adviseExisting(disk.Write(t.out+".csv", replace, curve.WriteCSV)); err != nil {
		return fmt.Errorf("writing the learning curve: %w", err)
	}
	err = adviseExisting(disk.Write(t.out+".svg", replace, func(w io.Writer) error { return curve.WritePlot(w, picture.SVG) }))
	if err != nil {
		return fmt.Errorf("drawing the learning curve: %w", err)
	}
	info, err := os.Stat(t.out)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.messages, "%s: %s, after %d games; play it as %s\n", t.out, cmdline.FormatBytes(info.Size()), trainer.Games(), "ntuple:weights="+t.out)
	return nil
}

// adviseExisting adds advice to the error for a file that exists, though it did not when the method trainer checked.
func adviseExisting(err error) error {
	if exists := (*disk.ExistsError)(nil); errors.As(err, &exists) {
		return fmt.Errorf("%w, since learning began: move it away, and write the network with --resume", err)
	}
	return err
}
