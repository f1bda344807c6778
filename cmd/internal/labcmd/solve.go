package labcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// solveCommand returns the command solve, which computes exact values.
func solveCommand() *cli.Command {
	return &cli.Command{
		Name:  "solve",
		Usage: "solve the game on a small board: compute the value of every position under perfect play",
		Description: "Solves boards of up to 9 cells; 3x3 takes about 15 seconds and less than 1 GiB. Perfect play aims\n" +
			"first at the higher or lower final score, and then at the longer or shorter game. With --growth larger\n" +
			"boards are enumerated as far as the memory allows, to see how they grow. With --fours the attacker may\n" +
			"place a limited number of 4s: the game lies between gpcc2015, without any, and gpcc2016.",
		Flags: slices.Concat([]cli.Flag{
			cmdline.SettingFlag("rules"),
			&cli.StringFlag{Name: "size", Value: "3x3", Usage: "the board, 2x2 to 3x3 and 4x2"},
			&cli.StringFlag{Name: "table", Usage: "keep all values in this file, for: lab probe"},
			&cli.BoolFlag{Name: "layers", Usage: "also print how many positions each sum of tiles has, as CSV and Markdown always do"},
			&cli.BoolFlag{Name: "growth", Usage: "solve nothing; count the positions of each sum of tiles, on any board"},
			&cli.IntFlag{Name: "sums", DefaultText: "no limit", Usage: "with --growth: stop after this sum of tiles"},
			&cli.IntFlag{Name: "fours", DefaultText: "none", Usage: "solve the game with at most 0, 1, 2 and so on up to `N` 4s"},
			memoryFlag("give up, or with --growth stop, when more would be needed, such as 4GiB"),
			cmdline.QuietFlag(),
			cmdline.CSVFlag(),
		}, documentFlags("Markdown, JSON, CSV, SVG and PNG, with --fours"), cmdline.OutputFlags()),
		Action: solve,
	}
}

// solving is the task of the command, from its flags.
type solving struct {
	rules    rules.Ruleset
	size     rules.Size
	memory   int64  // the limit, in bytes
	table    string // the file for the values, or ""
	force    bool   // whether to replace that file
	layers   bool
	sums     int          // the last sum, with --growth
	fours    int          // the largest number of 4s, -1 without --fours
	folder   reportFolder // with fours
	quiet    bool
	messages io.Writer // for progress
	out      cmdline.Output
}

func readSolving(c *cli.Context) (s solving, err error) {
	s = solving{
		table: c.String("table"), force: c.Bool("force"), layers: c.Bool("layers"), sums: math.MaxInt, fours: -1,
		folder: readReportFolder(c), quiet: c.Bool("quiet"), messages: c.App.ErrWriter,
	}
	if err = cmdline.Arguments(c); err != nil {
		return s, err
	}
	if s.rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return s, cmdline.WrongUsage(err)
	}
	if s.size, err = rules.ParseSize(c.String("size")); err != nil {
		return s, cmdline.WrongUsage(err)
	}
	if s.memory, err = cmdline.AllowedMemory(c, 4); err != nil {
		return s, err
	}
	if s.out, err = cmdline.ReadOutput(c); err != nil {
		return s, err
	}
	if c.IsSet("sums") {
		s.sums = c.Int("sums")
	}
	if c.IsSet("fours") {
		s.fours, s.rules = c.Int("fours"), rules.GPCC2016
	}
	return s, cmp.Or(checkGrowth(c), checkFours(c))
}

// checkFours checks the flags that need --fours or exclude it.
func checkFours(c *cli.Context) error {
	switch {
	case c.IsSet("out") && !c.IsSet("fours"):
		return cmdline.Usagef("--out: only with --fours")
	case !c.IsSet("fours"):
		return nil
	case c.Int("fours") < 0 || c.Int("fours") > retrograde.MostFours:
		return cmdline.Usagef("--fours %d: want 0 to %d", c.Int("fours"), retrograde.MostFours)
	}
	for _, other := range []string{"rules", "table", "layers", "growth"} {
		if c.IsSet(other) {
			return cmdline.Usagef("--%s: not with --fours, which solves several games and keeps their scores", other)
		}
	}
	return nil
}

// checkGrowth checks the flags that need --growth or exclude it.
func checkGrowth(c *cli.Context) error {
	switch {
	case c.IsSet("sums") && !c.Bool("growth"):
		return cmdline.Usagef("--sums: only with --growth")
	case c.IsSet("sums") && c.Int("sums") < 2:
		return cmdline.Usagef("--sums %d: want at least 2", c.Int("sums"))
	case !c.Bool("growth"):
		return nil
	}
	for _, other := range []string{"table", "layers"} {
		if c.IsSet(other) {
			return cmdline.Usagef("--%s: not with --growth, which solves nothing", other)
		}
	}
	return nil
}

func solve(c *cli.Context) error {
	s, err := readSolving(c)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("growth"):
		err = s.grow(c.Context)
	case exact.Solvable(s.size) != nil:
		err = cmdline.WrongUsage(fmt.Errorf("%w; --growth measures how the game grows", exact.Solvable(s.size)))
	case s.fours >= 0:
		err = s.solveCapped(c.Context)
	default:
		err = s.solve(c.Context)
	}
	return nothingKept(c, err)
}

// solve solves the game, writes the table of its values and prints a report.
func (s solving) solve(ctx context.Context) error {
	if err := cmdline.CheckFile(s.table, s.force); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	begin := time.Now()
	solution, err := limited(ctx, s, func(ctx context.Context, report func(retrograde.Progress)) (*retrograde.Solution, error) {
		return retrograde.Solve(ctx, s.rules, s.size, report)
	})
	if err != nil {
		return err
	}
	report, err := newSolveReport(solution, time.Since(begin))
	if err == nil && s.table != "" {
		report.Table = &tableReport{s.table, solution.Bytes(), float64(solution.Bytes()) / float64(solution.States())}
		err = cmdline.Existing(solution.WriteFile(s.table, s.force))
	}
	if err != nil {
		return err
	}
	return s.out.Print(cmdline.Tabular(report, report.table(), func(w io.Writer) error { return report.writeText(w, s.layers, s.out.Width) }))
}

// solveCapped solves the game for each number of 4s up to --fours, and prints a report.
func (s solving) solveCapped(ctx context.Context) error {
	name := fmt.Sprintf("fours-%v", s.size)
	if err := s.folder.Check(name); err != nil {
		return err
	}
	values, err := limited(ctx, s, func(ctx context.Context, report func(retrograde.Progress)) ([]retrograde.Capped, error) {
		return retrograde.SolveCapped(ctx, s.size, s.fours, report)
	})
	if err != nil {
		return err
	}
	r := retrograde.CappedReport{Size: s.size, Values: values}
	if err := s.folder.Write(name, r); err != nil {
		return err
	}
	return s.out.Print(documentResult(s.out, r))
}

// limited runs a solver within the memory, and shows its progress.
func limited[T any](ctx context.Context, s solving, solve func(context.Context, func(retrograde.Progress)) (T, error)) (T, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	show := solveDisplay{computation: cmdline.NewComputation(s.messages, s.quiet), phase: time.Now()}
	defer show.computation.End()
	return solve(ctx, func(p retrograde.Progress) {
		show.progress(p)
		if p.Bytes > s.memory {
			cancel(fmt.Errorf("%v on %v needs more memory than %s at sum %d: allow more with --memory",
				s.rules, s.size, cmdline.FormatBytes(s.memory), p.Sum))
		}
	})
}

// solveDisplay shows the progress of a solver.
type solveDisplay struct {
	computation cmdline.Computation
	phase       time.Time // when the enumeration or, later, the solving began
	solving     bool
}

// progress shows p once the computation has lasted for a while: on a terminal always, otherwise at every tenth of the
// sums, and then of the positions.
func (d *solveDisplay) progress(p retrograde.Progress) {
	if p.Solving != d.solving {
		d.phase, d.solving = time.Now(), p.Solving
	}
	tenths := 10 * p.Sum / p.Largest
	if p.Solving {
		tenths = 10 * p.Done / p.Total
	}
	d.computation.Draw([2]any{p.Solving, tenths}, solveLine(p, time.Since(d.phase)))
}

// solveLine returns a line such as "solving [==========          ] 12/24 positions, 4.1 M/s, 0:12 left". The total is
// unknown while positions are enumerated.
func solveLine(p retrograde.Progress, elapsed time.Duration) string {
	rate := float64(p.Done) / max(elapsed.Seconds(), 1e-3) / 1e6
	if !p.Solving {
		return fmt.Sprintf("enumerating %s sum %d/%d, %d positions, %.1f M/s", cmdline.Bar(p.Sum, p.Largest), p.Sum, p.Largest, p.Done, rate)
	}
	left := time.Duration(float64(elapsed) * float64(p.Total-p.Done) / float64(max(1, p.Done)))
	return fmt.Sprintf("solving %s %d/%d positions, %.1f M/s, %s left", cmdline.Bar(p.Done, p.Total), p.Done, p.Total, rate, cmdline.Clock(left))
}

// grow prints the number of positions for each sum of tiles. It prints a table line by line, as the positions are
// counted, and other formats at the end.
func (s solving) grow(ctx context.Context) error {
	layers := []grownLayer{}
	var unprinted error
	printf := func(format string, args ...any) {
		_, err := fmt.Fprintf(s.out.Writer, format, args...)
		unprinted = cmp.Or(unprinted, err)
	}
	live := s.out.Format == cmdline.TableFormat
	if live {
		printf("   sum     attacker     defender        mated   growth    seconds     memory\n")
	}
	before := 1
	err := retrograde.Grow(ctx, s.rules, s.size, s.memory, s.sums, func(g retrograde.Growth) {
		layer := grownLayer{g, float64(g.Defender) / float64(max(before, 1))}
		layers, before = append(layers, layer), g.Defender
		if live {
			printf("%6d %12d %12d %12d %8.3f %10.3f %10s\n", g.Sum, g.Attacker, g.Defender, g.Mated, layer.Factor, g.Time.Seconds(), cmdline.FormatBytes(g.Bytes))
		}
	})
	if err = cmp.Or(err, unprinted); err != nil || live {
		return err
	}
	return s.out.Print(cmdline.Tabular(layers, growthTable(layers), nil))
}

// grownLayer is a layer with its growth from the layer before it.
type grownLayer struct {
	retrograde.Growth
	// Factor is the number of positions with the defender to move, divided by the number of such positions in the layer
	// before, or by 1 in the first layer.
	Factor float64 `json:"growth"`
}

func growthTable(layers []grownLayer) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("sum", "attacker", "defender", "mated", "growth", "seconds", "bytes")}
	for _, g := range layers {
		t.Add(g.Sum, g.Attacker, g.Defender, g.Mated, g.Factor, g.Time.Seconds(), g.Bytes)
	}
	return t
}

// solveReport is the output of lab solve about a solved game.
type solveReport struct {
	Rules        rules.Ruleset        `json:"rules"`
	Size         rules.Size           `json:"size"`
	Attacker     int                  `json:"attacker"` // positions with the attacker to move
	Defender     int                  `json:"defender"`
	Mated        int                  `json:"mated"`
	Value        exact.Value          `json:"value"` // of the empty board
	LargestScore int                  `json:"largest_score"`
	TwoTiles     *retrograde.TwoTiles `json:"two_tiles,omitempty"`
	Game         *record.Record       `json:"game,omitempty"` // a perfect game
	Table        *tableReport         `json:"table,omitempty"`
	Seconds      float64              `json:"seconds"`
	MemoryBytes  uint64               `json:"memory_bytes"`
	Layers       []retrograde.Layer   `json:"layers"`
}

type tableReport struct {
	Path             string  `json:"path"`
	Bytes            int     `json:"bytes"`
	BytesPerPosition float64 `json:"bytes_per_position"`
}

func newSolveReport(s *retrograde.Solution, took time.Duration) (*solveReport, error) {
	r := &solveReport{Rules: s.Rules(), Size: s.Size(), Layers: s.Layers, Seconds: took.Seconds()}
	for _, l := range s.Layers {
		r.Attacker += l.Attacker
		r.Defender += l.Defender
		r.Mated += l.Mated
	}
	r.LargestScore = exact.LargestScore(r.Rules, r.Size)
	start := rules.NewPosition(r.Rules, r.Size)
	var err error
	if r.Value, err = s.Value(start); err != nil {
		return nil, err
	}
	if r.Rules.Chance() {
		two, err := s.TwoTiles()
		r.TwoTiles = &two
		return r.withMemory(), err
	}
	moves, err := s.PrincipalVariation(start)
	r.Game = &record.Record{Attacker: "perfect", Defender: "perfect", Start: start, Moves: moves, Ending: record.Mate}
	return r.withMemory(), err
}

// withMemory adds the memory that the process has taken, and returns the report.
func (r *solveReport) withMemory() *solveReport {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.MemoryBytes = memory.Sys
	return r
}

func (r *solveReport) writeText(w io.Writer, layers bool, width int) error {
	var b strings.Builder
	heading := fmt.Sprintf("%v on %v, solved in %.1f s with %s of memory\n\n", r.Rules, r.Size, r.Seconds, cmdline.FormatBytes(int64(r.MemoryBytes)))
	b.WriteString(terminal.Wrap(heading, width, "  "))
	b.WriteString(terminal.Hang(r.facts(), width) + "\n")
	if layers {
		b.WriteString(r.table().Text(width) + "\n")
	}
	if r.Game != nil {
		if err := r.Game.WriteText(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// facts returns the known facts about the game in lines, each with a name and a value.
func (r *solveReport) facts() string {
	facts := terminal.Table{Columns: make([]terminal.Column, 2)}
	add := func(name, form string, values ...any) { facts.Add(name, fmt.Sprintf(form, values...)) }
	add("positions with the attacker to move", "%d (equal ones under a symmetry count once)", r.Attacker)
	add("positions with the defender to move", "%d", r.Defender)
	add("mated ones among them", "%d", r.Mated)
	add("sums of tiles", "%d to %d", r.Layers[1].Sum, r.Layers[len(r.Layers)-1].Sum)
	if two := r.TwoTiles; two == nil {
		add("score under perfect play", "%.0f; the board could hold %d", r.Value.Gain, r.LargestScore)
		add("length under perfect play", "%d plies", r.Value.Plies)
	} else {
		add("expected score from the empty board", "%.4f; the board could hold %d", r.Value.Gain, r.LargestScore)
		add("begun with two tiles: states before a slide", "%d", two.States)
		add("expected score from two 2s", "%.4f, or %.4f to %.4f by their cells", two.Twos, two.Least, two.Most)
		add("expected score from two random tiles", "%.4f", two.Random)
	}
	if r.Table != nil {
		add("table", "%s, %d bytes, %.2f for each position with the attacker to move", r.Table.Path, r.Table.Bytes, r.Table.BytesPerPosition)
	}
	return facts.Text(0)
}

// table returns the number of positions for each sum of tiles.
func (r *solveReport) table() terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("sum", "attacker", "defender", "mated")}
	for i := range t.Columns {
		t.Columns[i].Right = true
	}
	for _, l := range r.Layers {
		t.Add(l.Sum, l.Attacker, l.Defender, l.Mated)
	}
	return t
}
