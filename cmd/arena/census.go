package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/analysis/census"
	"versus2048/cmd/internal/cmdline"
	"versus2048/rules"
)

func censusCommand() *cli.Command {
	return &cli.Command{
		Name:  "census",
		Usage: "count all positions of gpcc2015 ply by ply: Figures 2, 3 and 4 of Oka, Matsuzaki and Haraguchi 2015",
		Description: "Positions that equal each other under rotation and reflection count once. On 4x4 two more\n" +
			"plies take about 1.3 times as long at ply 60, 1.15 times at ply 100: 60 plies a second, 80 some\n" +
			"seconds, 100 half a minute, 120 two minutes. Only gpcc2015 is counted.\n\n" +
			"Layers of a million positions and more are kept in the folder of --dir, which also takes what\n" +
			"--memory does not hold. After any stop the same command goes on after the last finished layer;\n" +
			"with more --plies it goes on from where it ended.",
		Flags: append(startFlags(),
			&cli.IntFlag{Name: "plies", Value: 60, Usage: "how far to go from the start"},
			&cli.BoolFlag{Name: "defenders", Usage: "count the positions with the defender to move, too; takes 1.6 times as long"},
			memoryFlag("use so much, at least "+formatBytes(census.LeastMemory)+", such as 6GiB"),
			&cli.StringFlag{Name: "dir", DefaultText: "such as census-4x4, made when it is needed", Usage: "keep the layers in this folder, from the first one on"},
			&cli.BoolFlag{Name: "keep", Usage: "keep all layers, not only the last one"},
			&cli.StringFlag{Name: "out", Usage: "also write the report into this folder, as Markdown, CSV, JSON, SVG and PNG"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON instead of Markdown"},
			&cli.BoolFlag{Name: "csv", Usage: "print CSV instead of Markdown"},
			&cli.BoolFlag{Name: "quiet", Usage: "show no progress"},
		),
		Action: runCensus,
	}
}

func runCensus(c *cli.Context) error {
	settings, err := readCensus(c)
	if err != nil {
		return err
	}
	show := newDisplay(c.App.ErrWriter, c.Bool("quiet"))
	settings.Progress = func(p census.Progress) { show.draw(p.Plies, censusLine(p)) }
	debug.SetMemoryLimit(settings.Memory)
	layers, err := census.Run(c.Context, settings)
	show.end()
	if err != nil {
		return stoppedCensus(c, settings, layers, err)
	}
	return reportCensus(c, census.NewReport(settings.Start, layers))
}

// censusSmall is how many positions a layer has at least if the next one is kept
// without --dir: making it takes a moment.
const censusSmall = 1 << 20

func readCensus(c *cli.Context) (census.Config, error) {
	s := census.Config{Plies: c.Int("plies"), Defenders: c.Bool("defenders"), Folder: c.String("dir"), Keep: c.Bool("keep")}
	if err := cmdline.Arguments(c); err != nil {
		return s, err
	}
	if c.Bool("json") && c.Bool("csv") {
		return s, cmdline.Usagef("--json and --csv: one of them")
	}
	var err error
	if s.Start, err = readStart(c); err != nil {
		return s, err
	}
	if s.Memory, err = allowedMemory(c); err != nil {
		return s, err
	}
	if s.Folder == "" {
		s.Folder, s.Small = censusFolder(s), censusSmall
	}
	return s, cmdline.WrongUsage(s.Check())
}

// censusFolder is where a census is kept if nobody says where.
func censusFolder(s census.Config) string {
	name := "census-" + s.Start.Size().String()
	if s.Start != rules.NewPosition(s.Start.Rules(), s.Start.Size()) {
		name = "census-" + strings.NewReplacer("/", "_", " ", "-").Replace(s.Start.String())
	}
	if s.Defenders {
		name += "-defenders"
	}
	return name
}

// stoppedCensus says what is finished and how to go on.
func stoppedCensus(c *cli.Context, s census.Config, layers []census.Layer, err error) error {
	damaged, path := new(census.DamagedError), new(fs.PathError)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(c.App.ErrWriter, "interrupted with %d layers finished\ngo on: %s\n", len(layers), sameCommand())
		return cmdline.ErrSilent
	case errors.As(err, &damaged):
		return fmt.Errorf("%w (remove the folder, or take another --dir, to begin anew)", err)
	case errors.As(err, &path) && len(layers) == 0:
		return fmt.Errorf("%w (make the folder usable and give the same command, or take another --dir)", err)
	case errors.As(err, &path):
		return fmt.Errorf("%w (the %d finished layers are safe: make room there and give the same command, or take another --dir)", err, len(layers))
	}
	return err
}

func reportCensus(c *cli.Context, r census.Report) error {
	if folder := c.String("out"); folder != "" {
		if err := writeReport(folder, "census", r); err != nil {
			return err
		}
	}
	switch {
	case c.Bool("json"):
		return writeJSON(c.App.Writer, r)
	case c.Bool("csv"):
		return r.WriteCSV(c.App.Writer)
	}
	return r.WriteMarkdown(c.App.Writer)
}
