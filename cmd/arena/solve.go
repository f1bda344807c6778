package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/exact"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

func solveCommand() *cli.Command {
	memory := byteSize(3 << 30)
	return &cli.Command{
		Name:  "solve",
		Usage: "solve the game on a small board: what every position is worth under perfect play",
		Description: "Boards of up to 9 cells; 3x3 takes some 15 seconds and less than 1 GiB. Perfect play is for the higher or\n" +
			"lower final score first, and then for the longer or shorter game. With --growth larger boards are\n" +
			"enumerated as far as the memory goes, to see how they grow.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "rules", Value: rules.GPCC2015.String(), Usage: "gpcc2015, gpcc2016 or solo"},
			&cli.StringFlag{Name: "size", Value: "3x3", Usage: "the board, 2x2 to 3x3 and 4x2"},
			&cli.StringFlag{Name: "table", Usage: "keep all values in this file, for: arena probe"},
			&cli.BoolFlag{Name: "layers", Usage: "also print how many positions each sum of tiles has"},
			&cli.BoolFlag{Name: "csv", Usage: "print only the positions of each sum of tiles, as CSV"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
			&cli.BoolFlag{Name: "growth", Usage: "solve nothing; count the positions of each sum of tiles, on any board"},
			&cli.IntFlag{Name: "sums", Usage: "with --growth: end after this sum of tiles"},
			&cli.GenericFlag{Name: "memory", Value: &memory, Usage: "give up, or with --growth end, where more would be needed"},
			&cli.BoolFlag{Name: "quiet", Usage: "show no progress"},
		},
		Action: solve,
	}
}

func solve(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	r, err := rules.ParseRuleset(c.String("rules"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	size, err := rules.ParseSize(c.String("size"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if c.Bool("growth") {
		err = grow(c, r, size)
	} else {
		err = solveBoard(c, r, size)
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "interrupted; nothing is kept")
		return cmdline.ErrSilent
	}
	return err
}

func solveBoard(c *cli.Context, r rules.Ruleset, size rules.Size) error {
	if err := exact.Solvable(size); err != nil {
		return cmdline.WrongUsage(fmt.Errorf("%w; --growth measures how it grows", err))
	}
	path := c.String("table")
	if err := writable(path); err != nil {
		return err
	}
	begin := time.Now()
	solution, err := solving(c, r, size)
	if err != nil {
		return err
	}
	report, err := newSolveReport(solution, time.Since(begin))
	if err == nil && path != "" {
		report.Table = &tableReport{path, solution.Bytes(), float64(solution.Bytes()) / float64(solution.States())}
		err = solution.WriteFile(path)
	}
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return writeJSON(c.App.Writer, report)
	case c.Bool("csv"):
		return report.writeCSV(c.App.Writer)
	}
	return report.writeText(c.App.Writer, c.Bool("layers"))
}

// solving solves with progress, within the memory that the flags allow.
func solving(c *cli.Context, r rules.Ruleset, size rules.Size) (*exact.Solution, error) {
	ctx, cancel := context.WithCancelCause(c.Context)
	defer cancel(nil)
	memory := c.Generic("memory").(*byteSize)
	show := newSolveDisplay(c)
	defer show.end()
	return exact.Solve(ctx, r, size, func(p exact.Progress) {
		show.progress(p)
		if p.Bytes > int(*memory) {
			cancel(fmt.Errorf("%v on %v needs more memory than %v at sum %d: allow more with --memory", r, size, memory, p.Sum))
		}
	})
}

// writable makes sure that a file can be made, before the work rather than after.
func writable(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("table %s: it is a folder, want a file", path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("table %s: %w", path, err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
