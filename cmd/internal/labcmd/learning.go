package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/experiment/regret"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/players/neural"
	"versus2048/rules"
)

// learners are the kinds of bots with networks in the program.
var learners = []string{"td", "dqn", "ppo", "muzero", "az"}

// yardsticks are the bots that play in each game beside the learners.
var yardsticks = []string{"random", "evminimax", "evminimax:depth=6", "mcts:playouts=1000", "dag:playouts=1000", "ntuple"}

// learningCommand returns the command that compares learned players with perfect play.
func learningCommand() *cli.Command {
	return &cli.Command{
		Name:      "learning",
		Usage:     "compare players that have learned the game, and players that search, with perfect play",
		ArgsUsage: "[BOT...]",
		Description: "Solves each board and measures the networks that come with the program: the share of the points of\n" +
			"perfect play that the networks score, how often their moves are optimal, and the loss by the other moves. A board\n" +
			"that is too large to be solved has scores alone, under solo. A BOT is SPEC or NAME=SPEC; if the command\n" +
			"names bots, only these are measured. --run measures the networks that a run of training saved, as a\n" +
			"curve; runs of the same name that differ in their seed are put together. Nothing is trained.",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "game", DefaultText: "all games that the bots have learned", Usage: "a game such as solo/3x3; repeat it"},
			&cli.StringSliceFlag{Name: "bot", Usage: "a BOT beside the others; repeat it"},
			&cli.StringSliceFlag{Name: "run", Usage: "the folder of a run of training; repeat it"},
			&cli.IntFlag{Name: "positions", Value: 250, Usage: "positions of each role in each quarter of the game"},
			&cli.IntFlag{Name: "games", Value: 1000, Usage: "games of each bot in each role"},
			&cli.IntFlag{Name: "opening", Value: 4, Usage: "random plies before a game against perfect play"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
			&cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "positions or games at once"},
			cmdline.QuietFlag(),
		}, append(documentFlags("Markdown, JSON, CSV, SVG and PNG"), cmdline.OutputFlags()...)...),
		Action: cmdline.Printing(measureLearning),
	}
}

func measureLearning(c *cli.Context, out cmdline.Output) error {
	folder := readReportFolder(c)
	if err := folder.Check("learning"); err != nil {
		return err
	}
	l, err := readComparison(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	report, err := l.measure(c.Context)
	if err != nil {
		return nothingKept(c, err)
	}
	if err := folder.Write("learning", report); err != nil {
		return err
	}
	return out.Print(documentResult(out, report))
}

// comparedGame is a game with the bots that are measured in it.
type comparedGame struct {
	rules rules.Ruleset
	size  rules.Size
	bots  []regret.LearnedBot
}

// comparison is the task of the command, from its flags.
type comparison struct {
	games    []comparedGame
	settings regret.LearnedConfig
	quiet    bool
	messages io.Writer
}

func readComparison(c *cli.Context) (comparison, error) {
	l := comparison{
		settings: regret.LearnedConfig{
			Positions: c.Int("positions"), Games: c.Int("games"), Opening: c.Int("opening"),
			Seed: c.Uint64("seed"), Workers: c.Int("concurrency"),
		},
		quiet: c.Bool("quiet"), messages: c.App.ErrWriter,
	}
	for _, name := range []string{"positions", "games", "concurrency"} {
		if c.Int(name) < 1 {
			return l, fmt.Errorf("--%s %d: want at least 1", name, c.Int(name))
		}
	}
	if c.Int("opening") < 0 {
		return l, fmt.Errorf("--opening %d: want at least 0", c.Int("opening"))
	}
	named, err := namedBots(c)
	if err != nil {
		return l, err
	}
	snapshots, err := readRuns(c.StringSlice("run"))
	if err != nil {
		return l, err
	}
	games, err := readGames(c.StringSlice("game"))
	if err != nil {
		return l, err
	}
	l.games, err = assign(games, snapshots, named, c.NArg() == 0)
	return l, err
}

// namedBots returns the bots of the arguments and of --bot.
func namedBots(c *cli.Context) (bots []regret.LearnedBot, err error) {
	for _, text := range append(c.Args().Slice(), c.StringSlice("bot")...) {
		name, spec := text, text
		if before, after, named := strings.Cut(text, "="); named && !strings.ContainsAny(before, ":,") {
			name, spec = before, after
		}
		parsed, err := players.Parse(spec)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(bots, func(b regret.LearnedBot) bool { return b.Name == name }) {
			return nil, fmt.Errorf("two bots are called %s: give one another name, as in NAME=SPEC", name)
		}
		bots = append(bots, regret.LearnedBot{Name: name, Spec: parsed})
	}
	return bots, nil
}

// readGames parses games such as solo/3x3.
func readGames(texts []string) (games []comparedGame, err error) {
	for _, text := range texts {
		r, s, found := strings.Cut(text, "/")
		if !found {
			return nil, fmt.Errorf("--game %s: want rules and a size, such as solo/3x3", text)
		}
		var g comparedGame
		if g.rules, err = rules.ParseRuleset(r); err == nil {
			g.size, err = rules.ParseSize(s)
		}
		if err == nil && !g.rules.Chance() {
			err = exact.Solvable(g.size)
		}
		if err != nil {
			return nil, fmt.Errorf("--game %s: %w", text, err)
		}
		if slices.ContainsFunc(games, func(known comparedGame) bool { return known.rules == g.rules && known.size == g.size }) {
			return nil, fmt.Errorf("--game %s is given twice", text)
		}
		games = append(games, g)
	}
	return games, nil
}

// learnable returns the games that may have networks.
func learnable() (games []comparedGame) {
	for _, r := range rules.Rulesets() {
		for _, s := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 3, Height: 3}, rules.Full} {
			if exact.Solvable(s) == nil || r.Chance() {
				games = append(games, comparedGame{rules: r, size: s})
			}
		}
	}
	return games
}

// assign gives each game its bots: the snapshots of runs, the named bots that can play the game, and, if all is set,
// the program's own networks and the yardsticks. Without games it takes the games of the runs and networks.
func assign(games []comparedGame, snapshots []snapshot, named []regret.LearnedBot, all bool) (assigned []comparedGame, err error) {
	own, err := botsOf(learners)
	if err != nil {
		return nil, err
	}
	others, err := botsOf(yardsticks)
	if err != nil {
		return nil, err
	}
	search := len(games) == 0
	if search {
		games = learnable()
	}
	for _, g := range games {
		for _, s := range snapshots {
			if s.rules == g.rules && s.size == g.size {
				g.bots = append(g.bots, s.bot)
			}
		}
		if all {
			g.add(own...)
		}
		if search && len(g.bots) == 0 {
			continue
		}
		g.add(named...)
		if all {
			g.add(others...)
		}
		if len(g.bots) == 0 {
			return nil, fmt.Errorf("%v on %v: none of the bots can play it", g.rules, g.size)
		}
		assigned = append(assigned, g)
	}
	if len(assigned) == 0 {
		return nil, errors.New("there is no game to measure: give a --game such as solo/3x3, or a --run")
	}
	for _, b := range named {
		if !slices.ContainsFunc(assigned, func(g comparedGame) bool { return b.Spec.Plays(g.rules, g.size) == nil }) {
			return nil, fmt.Errorf("bot %s: it can play none of the games", b.Name)
		}
	}
	return assigned, nil
}

// add adds the bots that can play the game, each once.
func (g *comparedGame) add(bots ...regret.LearnedBot) {
	for _, b := range bots {
		known := slices.ContainsFunc(g.bots, func(k regret.LearnedBot) bool { return k.Name == b.Name })
		if !known && b.Spec.Plays(g.rules, g.size) == nil {
			g.bots = append(g.bots, b)
		}
	}
}

// botsOf returns the bots of specs such as learners or yardsticks.
func botsOf(specs []string) (bots []regret.LearnedBot, err error) {
	for _, text := range specs {
		spec, err := players.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("bot %s: %w", text, err)
		}
		bots = append(bots, regret.LearnedBot{Name: text, Spec: spec})
	}
	return bots, nil
}

// snapshot is a bot from a run of training, with the game of the run.
type snapshot struct {
	rules rules.Ruleset
	size  rules.Size
	bot   regret.LearnedBot
}

// readRuns reads the networks that runs have saved: the networks in DIR/weights, and the last network,
// DIR/final.safetensors. A short run has only the last network.
func readRuns(folders []string) (all []snapshot, err error) {
	for _, folder := range folders {
		paths, err := networksIn(filepath.Join(folder, "weights"))
		if err != nil {
			return nil, fmt.Errorf("--run %s: %w", folder, err)
		}
		if last := filepath.Join(folder, "final.safetensors"); exists(last) {
			paths = append(paths, last)
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("--run %s: it has no weights/*.safetensors and no final.safetensors: give a folder where python -m training has saved a network", folder)
		}
		for _, path := range paths {
			s, err := readSnapshot(folder, path)
			if err != nil {
				return nil, fmt.Errorf("--run %s: %w", folder, err)
			}
			if slices.ContainsFunc(all, s.repeats) {
				return nil, fmt.Errorf("--run %s: %s of a run %s with the seed %d is given twice: runs of one name must differ in their seeds", folder, s.bot.Learned.Snapshot, s.bot.Learned.Run, s.bot.Learned.Seed)
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// repeats reports whether two snapshots are the same snapshot of the same run with the same seed. Together they would
// count as two seeds of the run.
func (s snapshot) repeats(other snapshot) bool {
	a, b := s.bot.Learned, other.bot.Learned
	return s.rules == other.rules && s.size == other.size && a.Run == b.Run && a.Seed == b.Seed && a.Snapshot == b.Snapshot
}

// networksIn returns the files of networks in a folder. It returns none if the folder does not exist.
func networksIn(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".safetensors" {
			paths = append(paths, filepath.Join(folder, entry.Name()))
		}
	}
	return paths, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// runNumber matches the end of a folder's name that distinguishes several runs, such as the -2 of td-3x3-2, but not the
// 3 of td-3x3.
var runNumber = regexp.MustCompile(`[-_.][0-9]+$`)

// readSnapshot reads one network of a run.
func readSnapshot(folder, path string) (snapshot, error) {
	network, err := neural.Open(path)
	if err != nil {
		return snapshot{}, err
	}
	spec, err := players.Parse(network.Method() + ":weights=" + path)
	if err != nil {
		return snapshot{}, err
	}
	run, recipe := filepath.Base(filepath.Clean(folder)), network.Recipe()
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	learned := regret.Learned{Run: runNumber.ReplaceAllString(run, ""), Seed: recipe.Seed, Snapshot: name, Steps: recipe.Steps, Seconds: recipe.Processor}
	if learned.Seconds == 0 { // older files have no processor time
		learned.Seconds = recipe.Seconds
	}
	return snapshot{network.Rules(), network.Size(), regret.LearnedBot{Name: run + "@" + name, Spec: spec, Learned: &learned}}, nil
}

// measure measures the games one after the other.
func (l comparison) measure(ctx context.Context) (regret.LearnedReport, error) {
	var boards []regret.LearnedBoard
	for _, g := range l.games {
		board, err := l.measureGame(ctx, g)
		if err != nil {
			return regret.LearnedReport{}, err
		}
		boards = append(boards, board)
	}
	return regret.NewLearnedReport(boards, l.settings), nil
}

// measureGame solves a game, if that is possible, and measures its bots.
func (l comparison) measureGame(ctx context.Context, g comparedGame) (regret.LearnedBoard, error) {
	game := regret.Unsolved(g.size)
	if exact.Solvable(g.size) == nil {
		solution, err := l.solve(ctx, g)
		if err != nil {
			return regret.LearnedBoard{}, err
		}
		game = regret.Solved(solution.Table)
	}
	show := cmdline.NewCounter(l.messages, l.quiet, game.String(), "positions")
	defer show.End()
	return regret.Measure(ctx, game, g.bots, l.settings, show.Count)
}

// solve solves a game, and shows its progress.
func (l comparison) solve(ctx context.Context, g comparedGame) (*retrograde.Solution, error) {
	show := solveDisplay{computation: cmdline.NewComputation(l.messages, l.quiet), phase: time.Now()}
	defer show.computation.End()
	return retrograde.Solve(ctx, g.rules, g.size, show.progress)
}
