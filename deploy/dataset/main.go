package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/standing"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := app().RunContext(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "dataset:", err)
		os.Exit(1)
	}
}

func app() *cli.App {
	return &cli.App{
		Name:  "dataset",
		Usage: "write a dataset of games between bots, with its card",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "dist/dataset", Usage: "the `FOLDER` for the files, which must not exist"},
			&cli.IntFlag{Name: "openings", Value: 10, Usage: "the `NUMBER` of openings, 2 or more; every two bots play two matches from each"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the `SEED` of the openings and of all random choices"},
			&cli.StringFlag{Name: "rules", Value: "gpcc2015", Usage: "gpcc2015 or gpcc2016"},
			&cli.StringFlag{Name: "size", Value: "4x4", Usage: "the board, 2x2 to 4x4"},
			&cli.StringSliceFlag{Name: "bot", Usage: "a `SPEC` that plays, instead of the reference bots; its choices must not depend on the time"},
		},
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			s := settings{
				openings: c.Int("openings"), seed: c.Uint64("seed"), rules: c.String("rules"), size: c.String("size"), bots: c.StringSlice("bot"),
			}
			return write(c.Context, c.App.Writer, c.String("out"), s)
		},
	}
}

// settings determine a dataset.
type settings struct {
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

// arguments returns the arguments of the arena that play the games into a database.
func (s settings) arguments(database string) []string {
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

// write plays the games, writes the files into a new folder and tells their size on w.
func write(ctx context.Context, w io.Writer, out string, s settings) error {
	if s.openings < 2 {
		return fmt.Errorf("--openings %d: want 2 or more, one of which is for the test", s.openings)
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
	splits, err := fill(ctx, out, s)
	if err != nil {
		return errors.Join(err, os.RemoveAll(out))
	}
	return tell(w, out, splits)
}

// fill plays the games and writes all files into a folder.
func fill(ctx context.Context, out string, s settings) ([]split, error) {
	temporary, err := os.MkdirTemp("", "dataset")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	database := filepath.Join(temporary, "games.db")
	if _, err := output(ctx, "go", append([]string{"run", "versus2048/cmd/arena"}, s.arguments(database)...)...); err != nil {
		return nil, err
	}
	splits, err := writeTables(ctx, database, out, s.openings)
	if err != nil {
		return nil, err
	}
	return splits, describe(ctx, out, s, splits)
}

// output runs a program and returns its standard output.
func output(ctx context.Context, name string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, name, arguments...) // #nosec G204 -- go and git
	var failure strings.Builder
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, failure.String())
	}
	return strings.TrimSpace(string(out)), err
}
