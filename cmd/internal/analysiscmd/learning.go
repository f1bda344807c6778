package analysiscmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/exact"
	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/display"
	"versus2048/experiment/learning"
	"versus2048/players"
	"versus2048/players/neural"
	"versus2048/rules"
)

// learners are the kinds of bots whose networks come with the program.
var learners = []string{"td", "dqn", "ppo", "muzero", "az", "cnn"}

// yardsticks are the bots that play in each game beside those that learned it.
var yardsticks = []string{"random", "evminimax", "evminimax:depth=6", "mcts:playouts=1000", "dag:playouts=1000", "ntuple"}

// Learning returns the command that holds players that have learned against perfect play.
func Learning() *cli.Command {
	return &cli.Command{
		Name:      "learning",
		Usage:     "players that have learned the game against perfect play, beside players that search",
		ArgsUsage: "[BOT...]",
		Description: "Solves each board and measures the networks that come with the program: how many points they make\n" +
			"of those that perfect play makes, how often their moves are optimal, and what the others lose. A board\n" +
			"that is too large to be solved has scores alone, under solo. A BOT is SPEC or NAME=SPEC; if the command\n" +
			"names bots, only these are measured. --run measures what a run of training saved while it went on, as a\n" +
			"curve; runs of the same name that differ in their seed are put together. Nothing is trained.",
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "game", DefaultText: "all for which the bots have learned", Usage: "a game such as solo/3x3; repeat it"},
			&cli.StringSliceFlag{Name: "bot", Usage: "a BOT beside the others; repeat it"},
			&cli.StringSliceFlag{Name: "run", Usage: "the folder of a run of training; repeat it"},
			&cli.IntFlag{Name: "positions", Value: 250, Usage: "positions of each role in each quarter of the game"},
			&cli.IntFlag{Name: "games", Value: 1000, Usage: "games of each bot in each role"},
			&cli.IntFlag{Name: "opening", Value: 4, Usage: "random plies before a game against perfect play"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
			&cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "positions or games at once"},
			cmdline.QuietFlag(),
		}, append(cmdline.DocumentFlags("Markdown, JSON, CSV, SVG and PNG"), cmdline.OutputFlags()...)...),
		Action: measureLearning,
	}
}

func measureLearning(c *cli.Context) error {
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	folder := cmdline.ReadDocumentFolder(c)
	if err := folder.Check("learning"); err != nil {
		return err
	}
	l, err := readLessons(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	report, err := l.measure(c.Context)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "interrupted; nothing is kept")
		return cmdline.ErrSilent
	}
	if err != nil {
		return err
	}
	if err := folder.Write("learning", report); err != nil {
		return err
	}
	return out.Print(cmdline.DocumentResult(report))
}

// lesson is a game with the bots that are measured in it.
type lesson struct {
	rules rules.Ruleset
	size  rules.Size
	bots  []learning.Bot
}

// lessons are all games of the command.
type lessons struct {
	games    []lesson
	settings learning.Config
	quiet    bool
	messages io.Writer
}

// readLessons reads the flags.
func readLessons(c *cli.Context) (lessons, error) {
	l := lessons{
		settings: learning.Config{
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
	l.games = choose(games, append(snapshots, named...), c.NArg() == 0)
	if len(l.games) == 0 {
		return l, errors.New("no bot has learned any of these games: name a BOT and a --game, or give a --run")
	}
	return l, l.check()
}

// check returns an error for a game that cannot be measured, or that has no bots.
func (l lessons) check() error {
	for _, g := range l.games {
		if err := exact.Solvable(g.size); err != nil && !g.rules.Chance() {
			return fmt.Errorf("%v on %v: %w", g.rules, g.size, err)
		}
		if len(g.bots) == 0 {
			return fmt.Errorf("%v on %v: none of the bots can play it", g.rules, g.size)
		}
	}
	return nil
}

// namedBots returns the bots of the arguments and of --bot.
func namedBots(c *cli.Context) (bots []learning.Bot, err error) {
	for _, text := range append(c.Args().Slice(), c.StringSlice("bot")...) {
		name, spec := text, text
		if before, after, named := strings.Cut(text, "="); named && !strings.ContainsAny(before, ":,") {
			name, spec = before, after
		}
		parsed, err := players.Parse(spec)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(bots, func(b learning.Bot) bool { return b.Name == name }) {
			return nil, fmt.Errorf("two bots are called %s: give one another name, as in NAME=SPEC", name)
		}
		bots = append(bots, learning.Bot{Name: name, Spec: parsed})
	}
	return bots, nil
}

// readGames parses games such as solo/3x3.
func readGames(texts []string) (games []lesson, err error) {
	for _, text := range texts {
		r, s, found := strings.Cut(text, "/")
		if !found {
			return nil, fmt.Errorf("--game %s: want rules and a size, such as solo/3x3", text)
		}
		var g lesson
		if g.rules, err = rules.ParseRuleset(r); err == nil {
			g.size, err = rules.ParseSize(s)
		}
		if err != nil {
			return nil, fmt.Errorf("--game %s: %w", text, err)
		}
		games = append(games, g)
	}
	return games, nil
}

// learnable are the games in which networks are looked for.
func learnable() (games []lesson) {
	for _, r := range rules.Rulesets() {
		for _, s := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 3, Height: 3}, rules.Full} {
			if exact.Solvable(s) == nil || r.Chance() {
				games = append(games, lesson{rules: r, size: s})
			}
		}
	}
	return games
}

// choose returns the games with their bots: the given ones, and with all the program's own. Without games
// it takes those for which there is a bot that learned.
func choose(games []lesson, given []learning.Bot, all bool) (chosen []lesson) {
	search := len(games) == 0
	if search {
		games = learnable()
	}
	for _, g := range games {
		learned := g.playing(given)
		if all {
			learned = append(own(learners, g, true), learned...)
		}
		if search && !slices.ContainsFunc(learned, func(b learning.Bot) bool { return learnedHere(b, g) }) {
			continue
		}
		if g.bots = learned; all {
			g.bots = append(g.bots, own(yardsticks, g, false)...)
		}
		chosen = append(chosen, g)
	}
	return chosen
}

// learnedHere reports whether a bot has a network for just this game.
func learnedHere(b learning.Bot, g lesson) bool {
	n, ok := network(b.Spec)
	return ok && n.Rules() == g.rules && n.Size() == g.size
}
