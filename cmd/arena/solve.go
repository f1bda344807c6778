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
			memoryFlag("give up, or with --growth end, where more would be needed, such as 4GiB"),
			&cli.BoolFlag{Name: "quiet", Usage: "show no progress"},
		},
		Action: solve,
	}
}

// solving is what the flags ask to be solved.
type solving struct {
	*cli.Context
	rules  rules.Ruleset
	size   rules.Size
	memory int64
}

func newSolving(c *cli.Context) (s solving, err error) {
	s = solving{Context: c}
	if err = cmdline.Arguments(c); err != nil {
		return s, err
	}
	if s.rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return s, cmdline.WrongUsage(err)
	}
	if s.size, err = rules.ParseSize(c.String("size")); err != nil {
		return s, cmdline.WrongUsage(err)
	}
	if s.memory, err = allowedMemory(c); err != nil {
		return s, err
	}
	return s, s.check()
}

// check finds flags that do not go together.
func (s solving) check() error {
	switch {
	case s.Bool("json") && s.Bool("csv"):
		return cmdline.Usagef("--json and --csv: one of them")
	case s.IsSet("sums") && !s.Bool("growth"):
		return cmdline.Usagef("--sums: only with --growth")
	case s.IsSet("sums") && s.Int("sums") < 2:
		return cmdline.Usagef("--sums %d: want at least 2", s.Int("sums"))
	}
	return nil
}

func solve(c *cli.Context) error {
	s, err := newSolving(c)
	if err != nil {
		return err
	}
	if c.Bool("growth") {
		err = s.grow()
	} else {
		err = s.solve()
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "interrupted; nothing is kept")
		return cmdline.ErrSilent
	}
	return err
}

func (s solving) solve() error {
	if err := exact.Solvable(s.size); err != nil {
		return cmdline.WrongUsage(fmt.Errorf("%w; --growth measures how it grows", err))
	}
	path := s.String("table")
	if err := writable(path); err != nil {
		return err
	}
	begin := time.Now()
	solution, err := s.run()
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
	case s.Bool("json"):
		return writeJSON(s.App.Writer, report)
	case s.Bool("csv"):
		return report.writeCSV(s.App.Writer)
	}
	return report.writeText(s.App.Writer, s.Bool("layers"))
}

// run solves with progress, within the memory.
func (s solving) run() (*exact.Solution, error) {
	ctx, cancel := context.WithCancelCause(s.Context.Context)
	defer cancel(nil)
	show := solveDisplay{newComputation(s.App.ErrWriter, s.Bool("quiet")), time.Now(), false}
	defer show.end()
	return exact.Solve(ctx, s.rules, s.size, func(p exact.Progress) {
		show.progress(p)
		if p.Bytes > s.memory {
			cancel(fmt.Errorf("%v on %v needs more memory than %s at sum %d: allow more with --memory",
				s.rules, s.size, formatBytes(s.memory), p.Sum))
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
