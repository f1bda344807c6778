package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/shortest"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

func shortestCommand() *cli.Command {
	return &cli.Command{
		Name:  "shortest",
		Usage: "find the shortest games: the positions in which they end, how many lines lead there, and such a line",
		Description: "Follows all lines from the empty board or another position, ply by ply, positions that\n" +
			"equal each other under a symmetry together. From the empty 4x4 board 61 plies take some\n" +
			"seconds and 1 GiB of memory, 71 plies half a minute and 4 GiB.",
		Flags: append(startFlags(),
			&cli.IntFlag{Name: "plies", Value: 61, Usage: "look at games of up to this many plies, from the start position on"},
			&cli.IntFlag{Name: "positions", Value: 1, Usage: "print a game for this many positions of a ply in which games end, those with the most lines first"},
			&cli.StringFlag{Name: "out", Usage: "write these games into this file, as records"},
			memoryFlag("end where more would be needed, such as 4GiB"),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		),
		Action: findShortest,
	}
}

func findShortest(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	if c.Int("plies") < 1 {
		return cmdline.Usagef("--plies %d: want at least 1", c.Int("plies"))
	}
	if c.Int("positions") < 0 {
		return cmdline.Usagef("--positions %d: want at least 0", c.Int("positions"))
	}
	start, err := readStart(c)
	if err != nil {
		return err
	}
	found, stopped := followLines(c, start)
	if errors.Is(stopped, context.Canceled) {
		stopped = errors.New("interrupted")
	}
	if stopped != nil && len(found.Turns) == 0 {
		return stopped
	}
	if err := found.report(c); err != nil {
		return err
	}
	if stopped != nil {
		return fmt.Errorf("only games of up to %d plies were looked at: %w", found.Plies, stopped)
	}
	return nil
}

// followLines finds the shortest games from start. With an error it returns what
// it found before.
func followLines(c *cli.Context, start rules.Position) (shortestGames, error) {
	found := shortestGames{Rules: start.Rules(), Start: start.String(), Turns: []endingTurn{}}
	search, err := shortest.NewSearch(start)
	if err != nil {
		return found, err
	}
	memory, err := allowedMemory(c)
	if err != nil {
		return found, err
	}
	debug.SetMemoryLimit(memory)
	show := newComputation(c.App.ErrWriter, false)
	defer show.end()
	for search.Plies() < c.Int("plies") {
		turn, err := search.Turn(c.Context)
		if errors.Is(err, shortest.ErrOver) {
			break
		}
		if err != nil {
			return found, err
		}
		show.draw(10*turn.Plies/c.Int("plies"), turnLine(turn, c.Int("plies"), time.Since(show.began)))
		if err := found.add(search, turn, c.Int("positions")); err != nil {
			return found, err
		}
		if usedMemory() > memory {
			return found, fmt.Errorf("for %d plies more memory than %s is needed: allow more with --memory", search.Plies()+1, formatBytes(memory))
		}
	}
	found.Plies = c.Int("plies")
	return found, nil
}

// turnLine is such as "51 of 71 plies, 402816 positions, 1 mated, 0:02".
func turnLine(t shortest.Turn, plies int, elapsed time.Duration) string {
	return fmt.Sprintf("%d of %d plies, %d positions, %d mated, %s", t.Plies, plies, t.Positions, len(t.Mated), clock(elapsed))
}
