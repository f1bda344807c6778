package labcmd

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/puzzles"
	"versus2048/rules"
)

// puzzlesCommand returns the command puzzles, which makes the puzzles of the pages.
func puzzlesCommand() *cli.Command {
	return &cli.Command{
		Name:  "puzzles",
		Usage: "make puzzles: positions in which only one move keeps the score, with the exact value of every move",
		Description: "Solves each board of up to 9 cells and takes positions from games between players that mix perfect\n" +
			"and random moves. On 4x4 it takes endings that a search decides, from games between strong\n" +
			"bots. At least half of the best moves are moves that a greedy player would not choose. The same\n" +
			"seed makes the same file.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "out", Required: true, Usage: "the file of the puzzles"},
			cmdline.ForceFlag(),
			&cli.IntFlag{Name: "each", Value: 400, Usage: "the largest number of puzzles for each combination of rules, size and role"},
			&cli.StringSliceFlag{Name: "size", Value: cli.NewStringSlice(defaultSizes...), DefaultText: strings.Join(defaultSizes, ", "), Usage: "a board; repeat it"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the source of all random choices"},
			&cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "games at once"},
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()),
		Action: cmdline.Printing(makePuzzles),
	}
}

var defaultSizes = []string{"2x2", "3x2", "4x2", "3x3", "4x4"}

func makePuzzles(c *cli.Context, out cmdline.Output) error {
	s := puzzles.Settings{Seed: c.Uint64("seed"), PerKind: c.Int("each"), Workers: c.Int("concurrency")}
	for _, text := range c.StringSlice("size") {
		size, err := rules.ParseSize(text)
		if err != nil {
			return cmdline.WrongUsage(err)
		}
		s.Sizes = append(s.Sizes, size)
	}
	if err := s.Validate(); err != nil {
		return cmdline.WrongUsage(err)
	}
	path, force := c.String("out"), c.Bool("force")
	if err := cmdline.CheckFile(path, force); err != nil {
		return fmt.Errorf("writing the puzzles: %w", err)
	}
	show := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	book, err := puzzles.Make(c.Context, s, func(p puzzles.Progress) { show.Draw(puzzlesTenth(p), puzzlesLine(p)) })
	show.End()
	if err != nil {
		return nothingKept(c, err)
	}
	err = cmdline.WriteFile(path, force, func(w io.Writer) error { return book.Write(w, "made by "+puzzlesMaker(s)) })
	if err != nil {
		return fmt.Errorf("writing the puzzles: %w", err)
	}
	kinds := puzzles.Kinds(book)
	if len(kinds) == 0 {
		kinds = []puzzles.Kind{}
		fmt.Fprintf(c.App.ErrWriter, "%s has no puzzles: the games gave none; give a larger board with --size\n", path)
	}
	t := kindsTable(kinds)
	return out.PrintTable(kinds, t, t)
}

// puzzlesTenth returns the milestone of the progress. Outside of a terminal a line is printed for each board, and for
// each tenth of its puzzles.
func puzzlesTenth(p puzzles.Progress) any {
	p.Found, p.Games = 10*p.Found/p.Wanted, 0
	return p
}

// puzzlesLine returns a line such as "3x3 under solo: [=====               ] 75/300 puzzles in 128 games".
func puzzlesLine(p puzzles.Progress) string {
	if p.Solving {
		return fmt.Sprintf("%v under %v: preparing", p.Size, p.Rules)
	}
	return fmt.Sprintf("%v under %v: %s %d/%d puzzles in %d games", p.Size, p.Rules, cmdline.Bar(p.Found, p.Wanted), p.Found, p.Wanted, p.Games)
}

// puzzlesMaker returns the command that makes the same puzzles.
func puzzlesMaker(s puzzles.Settings) string {
	text := fmt.Sprintf("lab puzzles --seed %d --each %d", s.Seed, s.PerKind)
	for _, size := range s.Sizes {
		text += fmt.Sprintf(" --size %v", size)
	}
	return text
}

// kindsTable returns the number of puzzles of each kind.
func kindsTable(kinds []puzzles.Kind) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("rules", "size", "role", "puzzles", "easy", "medium", "hard")}
	for i := range t.Columns {
		t.Columns[i].Right = i > 2
	}
	for _, k := range kinds {
		t.Add(k.Rules, k.Size, k.Role, k.Puzzles, k.Easy, k.Medium, k.Hard)
	}
	return t
}
