package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/picture"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "compute an event's standings, crosstable, ratings and head-to-head statistics",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.Int64Flag{Name: "event", Usage: "the event (default: the last one)"},
			&cli.StringFlag{Name: "format", Value: tableFormat, Usage: strings.Join(statsFormats(), ", ")},
			&cli.BoolFlag{Name: "json", Usage: "print JSON: the same as --format json"},
			&cli.StringFlag{Name: "anchor", Usage: "fix a bot's rating: NAME=ELO (default: the mean is 0)"},
			&cli.StringFlag{Name: "plot", Usage: "draw ratings, scores and tiles into this file, .svg or .png"},
		},
		Action: stats,
	}
}

// The formats of statistics.
const (
	tableFormat    = "table"
	jsonFormat     = "json"
	csvFormat      = "csv"
	markdownFormat = "markdown"
)

func statsFormats() []string {
	return []string{tableFormat, jsonFormat, csvFormat, markdownFormat}
}

func stats(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	format := c.String("format")
	if !slices.Contains(statsFormats(), format) {
		return cmdline.Usagef("--format %q: want one of %s", format, strings.Join(statsFormats(), ", "))
	}
	if c.Bool("json") {
		format = jsonFormat
	}
	anchor, err := readAnchor(c.String("anchor"))
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	return reading(c, func(store *results.Store) error {
		event, err := chosenEvent(c, store)
		if err != nil {
			return err
		}
		s, matches, err := statistics(c.Context, store, event, anchor)
		if err != nil {
			return err
		}
		if path := c.String("plot"); path != "" {
			if err := plotStats(path, event, s, matches); err != nil {
				return err
			}
		}
		return writeStats(c.App.Writer, format, event, s)
	})
}

// readAnchor reads the value of --anchor. A name may have an equals sign itself.
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

func writeStats(w io.Writer, format string, e tournament.Event, s report.Statistics) error {
	switch format {
	case jsonFormat:
		return writeJSON(w, s)
	case csvFormat:
		return report.WriteCSV(w, s.Tables())
	case markdownFormat:
		return report.WriteMarkdown(w, s.Tables())
	}
	fmt.Fprintf(w, "event %d: %s, %v %v, %d matches\n\n", e.ID, e.Name, e.Rules, e.Size, s.Matches)
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

// plotStats draws the statistics into a file whose name says the format.
func plotStats(path string, e tournament.Event, s report.Statistics, matches []tournament.MatchResult) error {
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	if format != picture.SVG && format != picture.PNG {
		return cmdline.Usagef("--plot %s: want a name that ends in .%s or .%s", path, picture.SVG, picture.PNG)
	}
	return writeFile(path, func(w io.Writer) error { return report.WriteChart(w, format, e, s, matches) })
}

// chosenEvent is the event that --event names, or the last one.
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

// statistics are those of an event, and the matches that they are of.
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
