package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/census"
	"versus2048/rules"
)

// censusCommand returns the command census, which counts all positions.
func censusCommand() *cli.Command {
	return &cli.Command{
		Name:  "census",
		Usage: "count all positions of gpcc2015 ply by ply: Figures 2, 3 and 4 of Oka, Matsuzaki and Haraguchi 2015",
		Description: "Positions that are equal under rotation and reflection count once. On 4x4 every two plies\n" +
			"multiply the time by about 1.3 at ply 60, and by 1.15 at ply 100: 60 plies take a second, 80 a\n" +
			"few seconds, 100 half a minute, 120 two minutes. Only gpcc2015 is counted.\n\n" +
			"Layers of a million positions and more are kept in the folder of --dir, which also takes the\n" +
			"positions that do not fit into --memory. After any interruption the same command resumes after the last\n" +
			"layer that is kept; with more --plies it continues from where it ended.",
		Flags: slices.Concat(startFlags(), []cli.Flag{
			&cli.IntFlag{Name: "plies", Value: 60, Usage: "the number of plies to count from the start"},
			&cli.BoolFlag{Name: "defenders", Usage: "also count the positions with the defender to move; takes 1.6 times as long"},
			memoryFlag("memory to use, at least " + cmdline.FormatBytes(census.LeastMemory) + ", such as 6GiB"),
			&cli.StringFlag{Name: "dir", DefaultText: "such as census-4x4, created when it is needed", Usage: "keep the layers in this folder, from the first one on"},
			&cli.StringFlag{Name: "verify", Usage: "count nothing; check the files of a census in this `FOLDER`"},
			&cli.BoolFlag{Name: "keep", Usage: "keep all layers, not only the last one"},
			cmdline.QuietFlag(),
			cmdline.CSVFlag(),
		}, documentFlags("Markdown, CSV, JSON, SVG and PNG"), cmdline.OutputFlags()),
		Action: cmdline.Printing(runCensus),
	}
}

func runCensus(c *cli.Context, out cmdline.Output) error {
	if folder := c.String("verify"); folder != "" {
		return verifyCensus(c, out, folder)
	}
	settings, err := readCensus(c)
	if err != nil {
		return err
	}
	folder := readReportFolder(c)
	if err := folder.Check("census"); err != nil {
		return err
	}
	show := cmdline.NewDisplay(c.App.ErrWriter, c.Bool("quiet"))
	settings.Progress = func(p census.Progress) { show.Draw(p.Plies, censusLine(p)) }
	debug.SetMemoryLimit(settings.Memory)
	layers, err := census.Run(c.Context, settings)
	show.End()
	if err != nil {
		return censusError(c.App.ErrWriter, len(layers), census.Recorded(settings.Folder), err)
	}
	report := census.NewReport(settings.Start, layers)
	if err := folder.Write("census", report); err != nil {
		return err
	}
	return out.Print(documentResult(out, report))
}

// censusSmall is the number of positions below which a layer is not kept without --dir: such a layer is quickly counted
// again.
const censusSmall = 1 << 20

func readCensus(c *cli.Context) (census.Config, error) {
	s := census.Config{Plies: c.Int("plies"), Defenders: c.Bool("defenders"), Folder: c.String("dir"), Keep: c.Bool("keep")}
	var err error
	if s.Start, err = readStart(c); err != nil {
		return s, err
	}
	if s.Memory, err = allowedMemory(c, census.LeastMemory); err != nil {
		return s, err
	}
	if s.Folder == "" {
		s.Folder, s.Small = censusFolder(s), censusSmall
	}
	return s, cmdline.WrongUsage(s.Check())
}

// allowedMemory reads --memory of a command that needs at least the given number of bytes. The error for a text that is
// no amount of memory names that number.
func allowedMemory(c *cli.Context, least int64) (int64, error) {
	n, err := cmdline.AllowedMemory(c, 4)
	if err != nil {
		err = cmdline.Usagef("%w; at least %s", err, cmdline.FormatBytes(least))
	}
	return n, err
}

// censusFolder returns the default folder of a census.
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

// censusError adds advice to the error that stopped a census: how to resume it after the layers that its folder
// keeps. It reports an interrupt on w, with the number of finished layers.
func censusError(w io.Writer, layers, kept int, err error) error {
	damaged, path := new(census.DamagedError), new(fs.PathError)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(w, "interrupted with %s finished%s: %s\n", terminal.Count(layers, "layer", "layers"), resumeText(layers, kept), cmdline.SameCommand())
		return cmdline.ErrSilent
	case errors.As(err, &damaged):
		return fmt.Errorf("%w (remove the folder, or choose another --dir, to start again)", err)
	case errors.As(err, &path) && kept == 0:
		return fmt.Errorf("%w (make the folder usable and repeat the command, or choose another --dir)", err)
	case errors.As(err, &path):
		return fmt.Errorf("%w (%s kept: make room there and repeat the command, or choose another --dir)", err, terminal.Count(kept, "layer is", "layers are"))
	}
	return err
}

// resumeText says whether the same command goes on or starts again. If some finished layers are not kept, it also says
// how many are kept.
func resumeText(layers, kept int) string {
	switch {
	case kept == 0:
		return ", none kept\nstart again"
	case kept < layers:
		return fmt.Sprintf(", %d kept\ngo on", kept)
	}
	return "\ngo on"
}

// censusLine returns a line such as "ply 84 of 100 [========            ] 4.9M of 11.8M positions, 21.3M placements/s,
// 0:05 left, about 1:20 in all".
func censusLine(p census.Progress) string {
	line := fmt.Sprintf("ply %d of %d %s %s of %s positions", p.Plies, p.LastPlies, cmdline.Bar(int(1000*p.Expanded/max(1, p.Positions)), 1000),
		short(p.Expanded), short(p.Positions))
	if seconds := p.Elapsed.Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %s placements/s", short(int64(float64(p.Placements)/seconds)))
	}
	if p.Expanded > 0 {
		left := time.Duration(float64(p.InLayer) * float64(p.Positions-p.Expanded) / float64(p.Expanded))
		line += fmt.Sprintf(", %s left, about %s in all", cmdline.Clock(left), cmdline.Clock(left+laterLayers(p, p.InLayer+left)))
	}
	return line
}

// laterLayers estimates the time for the layers after the present layer. this is the time for the present layer.
func laterLayers(p census.Progress, this time.Duration) (all time.Duration) {
	for plies := p.Plies + 2; plies <= p.LastPlies; plies += 2 {
		this = time.Duration(float64(this) * likelyGrowth(plies))
		all += this
	}
	return all
}

// likelyGrowth returns roughly the growth over two plies on the 4x4 board, fitted to measurements: 1.27 at ply 60,
// 1.16 at ply 84.
func likelyGrowth(plies int) float64 { return 1 + 0.27*math.Exp(-float64(plies-60)/48) }

// short formats a number with three digits and k, M or G.
func short(n int64) string {
	x, suffix := float64(n), ""
	for _, s := range []string{"k", "M", "G"} {
		if x >= 999.5 {
			x, suffix = x/1000, s
		}
	}
	return fmt.Sprintf("%.3g%s", x, suffix)
}

// verifyCensus checks the files of a census.
func verifyCensus(c *cli.Context, out cmdline.Output, folder string) error {
	v, err := census.Verify(c.Context, folder)
	if err != nil {
		return err
	}
	t := terminal.Table{Columns: terminal.Columns("layers", "files", "bytes", "sealed")}
	t.Add(v.Layers, v.Files, v.Bytes, v.Sealed)
	return out.Print(cmdline.Tabular(v, t, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "census.json lists %s; %s of %s intact\n",
			terminal.Count(v.Layers, "layer", "layers"), terminal.Count(v.Files, "file", "files"), cmdline.FormatBytes(v.Bytes))
		if err != nil || v.Sealed {
			return err
		}
		_, err = fmt.Fprintln(w, "census.json has no checksum, since an earlier version wrote it")
		return err
	}))
}
