package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/standing"
)

// datasetCommand returns the command that writes a dataset of games: a round-robin of the bots of docs/RATINGS.md from
// drawn openings, as Parquet files with a card in the style of Hugging Face, a licence and checksums. The settings
// and the commit determine every byte; the dataset has no times, because they would differ.
func datasetCommand() *cli.Command {
	return &cli.Command{
		Name:  "dataset",
		Usage: "write a dataset of games between bots, with its card",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "dist/dataset", Usage: "the `FOLDER` for the files; it must not exist yet"},
			&cli.IntFlag{Name: "openings", Value: 10, Usage: "the `NUMBER` of openings, 2 or more; every two bots play two matches from each"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the `SEED` of the openings and of all random choices"},
			&cli.StringFlag{Name: "rules", Value: "gpcc2015", Usage: "gpcc2015 or gpcc2016"},
			&cli.StringFlag{Name: "size", Value: "4x4", Usage: "the board, 2x2 to 4x4"},
			&cli.StringSliceFlag{Name: "bot", Usage: "the `SPEC` of a bot that plays, in place of the reference bots; its choices must not depend on the time"},
		},
		Action: func(c *cli.Context) error {
			s := datasetSettings{
				openings: c.Int("openings"), seed: c.Uint64("seed"), rules: c.String("rules"), size: c.String("size"), bots: c.StringSlice("bot"),
			}
			return writeDataset(c.Context, c.App.Writer, c.String("out"), s)
		},
	}
}

// datasetSettings determine a dataset.
type datasetSettings struct {
	openings    int
	seed        uint64
	rules, size string
	bots        []string // specs
}

// referenceBots returns the specs of the rated bots of docs/RATINGS.md.
func referenceBots() (specs []string) {
	list, _ := standing.Opponents(nil, nil, "", &tournament.Event{Rules: rules.GPCC2015, Size: rules.Full})
	for _, o := range list {
		specs = append(specs, o.Bot)
	}
	return specs
}

// arguments returns the arguments of the program arena that play the games and record them in a database.
func (s datasetSettings) arguments(database string) []string {
	seed := strconv.FormatUint(s.seed, 10)
	arguments := []string{
		"event", "run", "--in-process", "--quiet", "--search", "--time-per-move", "0",
		"--rules", s.rules, "--size", s.size, "--seed", seed, "--matches", strconv.Itoa(2 * s.openings),
		"--openings", fmt.Sprintf("random:plies=11,seed=%s,count=%d", seed, s.openings), "--db", database,
	}
	for _, bot := range s.bots {
		arguments = append(arguments, "--bot", bot)
	}
	return arguments
}

// writeDataset plays the games, writes the files into a new folder and tells their size on w.
func writeDataset(ctx context.Context, w io.Writer, out string, s datasetSettings) error {
	if s.openings < 2 {
		return fmt.Errorf("--openings %d: want 2 or more, since at least one is for the split \"test\"", s.openings)
	}
	if len(s.bots) == 0 {
		s.bots = referenceBots()
	}
	// #nosec G301 -- its files are for everybody
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil { // #nosec G301 -- its files are for everybody
		return err
	}
	splits, err := fillDataset(ctx, out, s)
	if err != nil {
		return errors.Join(err, os.RemoveAll(out))
	}
	return tellDataset(w, out, splits)
}

// fillDataset plays the games and writes all files into a folder.
func fillDataset(ctx context.Context, out string, s datasetSettings) ([]split, error) {
	temporary, err := os.MkdirTemp("", "dataset")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	database := filepath.Join(temporary, "games.db")
	if _, err := trimmed(ctx, "", nil, "go", append([]string{"run", "versus2048/cmd/arena"}, s.arguments(database)...)...); err != nil {
		return nil, err
	}
	splits, err := writeTables(ctx, database, out, s.openings)
	if err != nil {
		return nil, err
	}
	return splits, describeDataset(ctx, out, s, splits)
}
