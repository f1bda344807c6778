package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/picture"
	"versus2048/plain"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "compute the standings, crosstable, ratings and head-to-head statistics of an event",
		Flags: append([]cli.Flag{
			dbFlag(),
			&cli.Int64Flag{Name: "event", Usage: "the event (default: the last one)"},
			&cli.StringFlag{Name: "anchor", Usage: "fix a bot's rating: NAME=ELO (default: the mean is 0)"},
			&cli.StringFlag{Name: "plot", Usage: "draw ratings, scores and tiles into this file, .svg or .png"},
			cmdline.ForceFlag(),
		}, cmdline.OutputFlags()...),
		Action: stats,
	}
}

func stats(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	anchor, err := readAnchor(c.String("anchor"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := cmdline.CheckFile(c.String("plot"), c.Bool("force")); err != nil {
		return fmt.Errorf("the file of --plot: %w", err)
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	event, err := chosenEvent(c, store)
	if err != nil {
		return err
	}
	s, matches, err := statistics(c.Context, store, event, anchor)
	if err != nil {
		return err
	}
	if path := c.String("plot"); path != "" {
		if err := plotStats(path, c.Bool("force"), event, s, matches); err != nil {
			return err
		}
	}
	return out.Print(cmdline.Result{
		Value:    s,
		Text:     func(w io.Writer) error { return writeStats(w, event, s) },
		CSV:      func(w io.Writer) error { return report.WriteCSV(w, s.Tables()) },
		Markdown: func(w io.Writer) error { return report.WriteMarkdown(w, s.Tables()) },
	})
}

// readAnchor parses the value of --anchor. A name may contain equals signs.
func readAnchor(text string) (*report.Anchor, error) {
	if text == "" {
		return nil, nil
	}
	at := strings.LastIndexByte(text, '=')
	elo, err := strconv.ParseFloat(text[at+1:], 64)
	if at < 1 || err != nil || math.IsNaN(elo) || math.IsInf(elo, 0) {
		return nil, fmt.Errorf("--anchor %q: want NAME=ELO, such as greedy=1000", text)
	}
	return &report.Anchor{Name: text[:at], Elo: elo}, nil
}

func writeStats(w io.Writer, e tournament.Event, s report.Statistics) error {
	fmt.Fprintf(w, "event %d: %s, %v %v, %d matches\n\n", e.ID, plain.Line(e.Name), e.Rules, e.Size, s.Matches)
	if err := writeTables(w, s.Standings, s.Crosstable); err != nil {
		return err
	}
	for _, write := range []func(io.Writer) error{
		s.Ratings.WriteText,
		func(w io.Writer) error { return report.WriteRoles(w, s.Roles) },
		func(w io.Writer) error { return report.WriteHeadToHeads(w, s.HeadToHeads) },
	} {
		fmt.Fprintln(w)
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// plotStats draws the statistics into a file whose extension is the format.
func plotStats(path string, force bool, e tournament.Event, s report.Statistics, matches []tournament.MatchResult) error {
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	if format != picture.SVG && format != picture.PNG {
		return cmdline.Usagef("--plot %s: want a name that ends in .%s or .%s", path, picture.SVG, picture.PNG)
	}
	return cmdline.WriteFile(path, force, func(w io.Writer) error { return report.WriteChart(w, format, e, s, matches) })
}

// chosenEvent returns the event that --event names, or the last one.
func chosenEvent(c *cli.Context, store *results.Store) (tournament.Event, error) {
	if id := c.Int64("event"); id != 0 {
		return store.Event(c.Context, id)
	}
	event, err := store.LastEvent(c.Context)
	if missing := (*results.NotFoundError)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("no event has been played in %s yet", c.String("db"))
	}
	return event, err
}

// statistics computes the statistics of an event. It also returns the matches that
// they are based on.
func statistics(ctx context.Context, store *results.Store, e tournament.Event, anchor *report.Anchor) (s report.Statistics, matches []tournament.MatchResult, err error) {
	if matches, err = store.Matches(ctx, e); err != nil {
		return s, nil, err
	}
	times, err := store.Timesheet(ctx, e, e.Counting(matches))
	if err != nil {
		return s, nil, err
	}
	s, err = report.NewStatistics(e, matches, times, anchor)
	return s, matches, err
}
