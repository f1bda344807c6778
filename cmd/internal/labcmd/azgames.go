package labcmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/lab/chore"
	"versus2048/players/neural"
	"versus2048/players/puct"
)

// azGamesCommand returns the command that plays games for a learner.
func azGamesCommand() *cli.Command {
	return &cli.Command{
		Name:  "az-games",
		Usage: "play games of AlphaZero's search against itself, as examples for a learner",
		Description: "Plays games of a network, trained for the bot az, against itself, and writes the examples for a learner\n" +
			"as a safetensors file: the positions with a choice, the visits of the moves,\n" +
			"and the points that were scored. The games are the same for the same network, seed and numbers.\n" +
			"See docs/learning.md.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "weights", Usage: "the network; its rules and size are played; with --server the same file must be in the folder of the arena's --tables, under the same name", Required: true},
			&cli.StringFlag{Name: "out", Usage: "write the games into this file", Required: true},
			&cli.IntFlag{Name: "games", Usage: "the number of games", Required: true},
			&cli.IntFlag{Name: "first", Usage: "the number of the first game; games with other numbers differ"},
			&cli.IntFlag{Name: "simulations", Value: 50, Usage: "simulations of the search for each move"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
			&cli.IntFlag{Name: "opening", DefaultText: "2 for each cell", Usage: "the greatest number of random plies at the start of a game"},
			&cli.IntFlag{Name: "warm", DefaultText: "all", Usage: "the number of plies from the start of a game, opening included, in which moves are drawn by their visits; later the most visited move is played"},
			&cli.Float64Flag{Name: "noise", Value: 0.25, Usage: "share of Dirichlet noise in the policy, 0 to 1"},
			&cli.Float64Flag{Name: "alpha", Value: 1, Usage: "parameter of that noise"},
			&cli.Float64Flag{Name: "temperature", Value: 1, Usage: "moves are drawn by visits^(1/temperature)"},
			&cli.IntFlag{Name: "together", Value: 64, Usage: "games at once in a thread; the network rates a position of each game in one batch"},
			&cli.IntFlag{Name: "threads", Value: 1, Usage: "threads that play"},
			cmdline.ForceFlag(), cmdline.QuietFlag(),
		}, roundFlags("play")...),
		Action: cmdline.WithArguments(playAZGames),
	}
}

func playAZGames(c *cli.Context) error {
	out := c.String("out")
	if err := cmdline.CheckFile(out, c.Bool("force")); err != nil {
		return err
	}
	network, err := neural.Open(c.String("weights"))
	if err != nil {
		return err
	}
	s := azGamesSettings(c, network)
	if err := s.Validate(); err != nil {
		return cmdline.WrongUsage(err)
	}
	remote, err := readWork(c, chore.SelfPlay)
	if err != nil {
		return err
	}
	began := time.Now()
	var games []chore.Game
	if remote != nil {
		games, err = playOnWorkers(c, *remote, s)
	} else {
		games, err = chore.PlayGames(c.Context, s, azEvaluator(c, network, s))
	}
	switch {
	case cutShort(c.Context, games, s):
		return fmt.Errorf("%d of %d games were played; nothing was written", len(games), s.Games)
	case err != nil:
		return err
	}
	if err := cmdline.WriteFile(out, c.Bool("force"), func(w io.Writer) error { return chore.WriteGames(w, s, azGamesAgain(c, s), games) }); err != nil {
		return err
	}
	if !c.Bool("quiet") {
		fmt.Fprintln(c.App.ErrWriter, azGamesLine(out, s, games, time.Since(began)))
	}
	return nil
}

// cutShort reports whether an interrupt came before the last game was over.
func cutShort(ctx context.Context, games []chore.Game, s chore.SelfPlaySettings) bool {
	return ctx.Err() != nil && len(games) < s.Games
}

// azEvaluator returns a function that makes an evaluator. It is called once for each thread.
func azEvaluator(c *cli.Context, network *neural.Network, s chore.SelfPlaySettings) func() (puct.Evaluator, error) {
	return func() (puct.Evaluator, error) {
		e, err := puct.NewNetwork(network, s.Together)
		if err != nil {
			return nil, fmt.Errorf("--weights %s: %w", c.String("weights"), err)
		}
		return e, nil
	}
}

// playOnWorkers plays the games as chore.PlayGames does, but on the workers of a running arena.
func playOnWorkers(c *cli.Context, w work, s chore.SelfPlaySettings) (games []chore.Game, err error) {
	path := c.String("weights")
	sum, err := chore.Checksum(path)
	if err != nil {
		return nil, err
	}
	w.bot, w.local, w.title = azSpec(filepath.Base(path)), azSpec(path), "games"
	results, err := do[chore.GamesSettings, chore.GamesResult](c.Context, w, chore.SplitGames(s, sum))
	for _, r := range results {
		list, err := r.List(s.Rules)
		if err != nil {
			return nil, err
		}
		games = append(games, list...)
	}
	return games, err
}

// azSpec returns the spec of the bot that plays with a network.
func azSpec(path string) string { return "az:weights=" + path }

// azGamesSettings reads the settings of the games.
func azGamesSettings(c *cli.Context, n *neural.Network) chore.SelfPlaySettings {
	s := chore.SelfPlayDefaults(n.Rules(), n.Size())
	s.Games, s.First, s.Seed = c.Int("games"), c.Int("first"), c.Uint64("seed")
	s.Together, s.Threads = c.Int("together"), c.Int("threads")
	s.Simulations, s.Search.Noise = c.Int("simulations"), c.Float64("noise")
	s.Search.Alpha, s.Search.Temperature = c.Float64("alpha"), c.Float64("temperature")
	if c.IsSet("opening") {
		s.Opening = c.Int("opening")
	}
	if c.IsSet("warm") {
		s.Warm = c.Int("warm")
	}
	return s
}

// azGamesAgain returns the command that plays the same games again, and writes them into again.safetensors.
func azGamesAgain(c *cli.Context, s chore.SelfPlaySettings) string {
	words := []string{"lab train az-games", "--weights " + cmdline.Quote(c.String("weights"))}
	for _, f := range []struct {
		name  string
		value any
	}{
		{"games", s.Games},
		{"first", s.First},
		{"simulations", s.Simulations},
		{"seed", s.Seed},
		{"opening", s.Opening},
		{"warm", s.Warm},
		{"noise", s.Search.Noise},
		{"alpha", s.Search.Alpha},
		{"temperature", s.Search.Temperature},
	} {
		words = append(words, fmt.Sprintf("--%s %v", f.name, f.value))
	}
	return strings.Join(append(words, "--out again.safetensors"), " ")
}

// azGamesLine returns a line such as "games.safetensors: 100 games, 1520 turns, mean score 36.0, 21000 simulations/s".
func azGamesLine(out string, s chore.SelfPlaySettings, games []chore.Game, took time.Duration) string {
	turns, points := 0, 0
	for _, g := range games {
		turns, points = turns+len(g.Turns), points+g.Score
	}
	return fmt.Sprintf("%s: %d games, %d turns, mean score %.1f, %.0f simulations/s",
		out, len(games), turns, float64(points)/float64(len(games)), float64(turns*s.Simulations)/took.Seconds())
}
