package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/recipe"
)

func openingsCommand() *cli.Command {
	return &cli.Command{
		Name:  "openings",
		Usage: "make openings for: arena event run --openings FILE",
		Description: "Prints positions after random plies, no two of them equal under a symmetry. It draws up to four times\n" +
			"as many as --count, lets a bot play against itself from each of them, and keeps the ones\n" +
			"with mean scores nearest to the median.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "plies", Value: 8, Usage: "random plies from the empty board, 1 to 100"},
			&cli.IntFlag{Name: "count", Value: 100, Usage: "the number of openings, at most 10000"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices, below 2^53"},
			cmdline.SettingFlag("rules"),
			cmdline.SettingFlag("size"),
			&cli.StringFlag{Name: "bot", Value: "evminimax:depth=2", Usage: "the bot that tries them, a SPEC"},
			&cli.IntFlag{Name: "games", Value: 4, Action: cmdline.AtLeast("games", 0), Usage: "games from each candidate; 0 to keep the first openings that are drawn"},
		},
		Action: cmdline.WithArguments(makeOpenings),
	}
}

// candidatesEach is the largest number of candidates that are drawn for each opening.
const candidatesEach = 4

func makeOpenings(c *cli.Context) error {
	game, trial, err := readOpenings(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	plies, count := c.Int("plies"), c.Int("count")
	positions := recipe.DrawOpenings(game, plies, count*min(candidatesEach, 1+trial.Games), trial.Seed)
	if len(positions) == 0 {
		return fmt.Errorf("no opening of %d plies is found on %v under %v; try another number of plies", plies, game.Size, game.Rules)
	}
	tried := fmt.Sprintf("the nearest to the median of %d, by %d games each of %v", len(positions), trial.Games, trial.Bot)
	if trial.Games == 0 {
		tried = "not tried"
		positions = positions[:min(count, len(positions))]
	} else if positions, err = recipe.BalanceOpenings(c.Context, positions, count, trial); err != nil {
		return err
	}
	if len(positions) < count {
		fmt.Fprintf(c.App.ErrWriter, "%d openings of %d plies, where %d are wanted: no more are found on %v under %v; take more plies, or an odd number\n",
			len(positions), plies, count, game.Size, game.Rules)
	}
	return recipe.WriteOpenings(c.App.Writer, positions, fmt.Sprintf("openings of versus 2048: %v %v, %d plies, seed %d\n%s",
		game.Rules, game.Size, plies, trial.Seed, tried))
}

// readOpenings reads the game that the openings are for, and the settings of their trial.
func readOpenings(c *cli.Context) (game recipe.Variant, trial recipe.OpeningTrial, err error) {
	if n := c.Int("plies"); n < 1 || n > 100 {
		return game, trial, fmt.Errorf("--plies %d: want 1 to 100", n)
	}
	if n := c.Int("count"); n < 1 || n > 10_000 {
		return game, trial, fmt.Errorf("--count %d: want 1 to 10000", n)
	}
	trial.Games, trial.Seed = c.Int("games"), c.Uint64("seed")
	if trial.Seed >= 1<<53 {
		return game, trial, fmt.Errorf("--seed %d: want a number below 2^53", trial.Seed)
	}
	if trial.Bot, err = players.Parse(c.String("bot")); err != nil {
		return game, trial, err
	}
	if game.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return game, trial, err
	}
	if game.Size, err = rules.ParseSize(c.String("size")); err == nil && trial.Games > 0 {
		err = trial.Bot.Suits(game.Rules, game.Size)
	}
	return game, trial, err
}
