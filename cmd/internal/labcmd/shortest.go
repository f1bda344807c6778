package labcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/viewer"
	"versus2048/internal/text/terminal"
	"versus2048/lab/census"
	"versus2048/rules"
	"versus2048/rules/record"
)

// shortestCommand returns the command shortest, which finds the shortest games.
func shortestCommand() *cli.Command {
	return &cli.Command{
		Name:  "shortest",
		Usage: "find the shortest games: their final positions, how many lines lead to each, and one such line",
		Description: "Follows all lines from the empty board or another position, ply by ply, and treats\n" +
			"positions that are equal under a symmetry as one. From the empty 4x4 board 61 plies take a\n" +
			"few seconds and 1 GiB of memory, 71 plies half a minute and 4 GiB. Games end after placements:\n" +
			"a row has the positions before the last placement, and the mated positions and the lines after it.",
		Flags: slices.Concat(startFlags(), []cli.Flag{
			&cli.IntFlag{Name: "plies", Value: 61, Usage: "look at games of up to this many plies, from the start position on"},
			&cli.IntFlag{Name: "positions", Value: 1, Usage: "for each ply in which games end, print games to this many final positions, beginning with the positions with the most lines"},
			&cli.StringFlag{Name: "out", Usage: "write these games into this file, as records"},
			cmdline.ForceFlag(),
			memoryFlag("stop when more memory than this is needed, such as 4GiB"),
			cmdline.QuietFlag(),
		}, cmdline.OutputFlags()),
		Action: cmdline.Printing(findShortest),
	}
}

func findShortest(c *cli.Context, out cmdline.Output) error {
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
	if err := cmdline.CheckFile(c.String("out"), c.Bool("force")); err != nil {
		return fmt.Errorf("writing the games: %w", err)
	}
	found, stopped := followLines(c, start)
	if stopped != nil && len(found.Turns) == 0 {
		return stopped
	}
	if err := found.report(out, c.String("out"), c.Bool("force")); err != nil {
		return err
	}
	if errors.Is(stopped, context.Canceled) {
		fmt.Fprintf(c.App.ErrWriter, "interrupted: only games of up to %d plies were examined\n", found.Plies)
		return cmdline.ErrSilent
	}
	if stopped != nil {
		return fmt.Errorf("only games of up to %d plies were examined: %w", found.Plies, stopped)
	}
	return nil
}

// followLines finds the shortest games from start. With an error, followLines returns the games found before the error.
func followLines(c *cli.Context, start rules.Position) (shortestGames, error) {
	found := shortestGames{Rules: start.Rules(), Start: start.String(), Turns: []endingTurn{}}
	search, err := census.NewLineSearch(start)
	if err != nil {
		return found, err
	}
	memory, err := cmdline.AllowedMemory(c, 4)
	if err != nil {
		return found, err
	}
	debug.SetMemoryLimit(memory)
	show := cmdline.NewComputation(c.App.ErrWriter, c.Bool("quiet"))
	defer show.End()
	for search.Plies() < c.Int("plies") {
		turn, err := search.Turn(c.Context)
		if errors.Is(err, census.ErrOver) {
			break
		}
		if err != nil {
			return found, err
		}
		show.Draw(10*turn.Plies/c.Int("plies"), turnLine(turn, c.Int("plies"), show.Elapsed()))
		if err := found.add(search, turn, c.Int("positions")); err != nil {
			return found, err
		}
		if search.Plies() < c.Int("plies") && usedMemory() > memory {
			return found, fmt.Errorf("for %d plies more memory than %s is needed: allow more with --memory", search.Plies()+1, cmdline.FormatBytes(memory))
		}
	}
	found.Plies = c.Int("plies")
	return found, nil
}

// turnLine returns a line such as "51 of 71 plies, 402816 positions, 1 mated, 0:02".
func turnLine(t census.Turn, plies int, elapsed time.Duration) string {
	return fmt.Sprintf("%d of %d plies, %d positions, %d mated, %s", t.Plies, plies, t.Positions, len(t.Mated), cmdline.Clock(elapsed))
}

// shortestGames are the shortest games from a position, in the JSON of lab shortest.
type shortestGames struct {
	Rules rules.Ruleset `json:"rules"`
	Start string        `json:"start"`
	Plies int           `json:"plies"` // examined
	Turns []endingTurn  `json:"turns"` // with ends of games
}

// endingTurn is a turn with ends of games. Numbers of lines are strings, because they are too large for most readers of
// JSON.
type endingTurn struct {
	Plies     int          `json:"plies"`
	Positions int          `json:"positions"` // before the last placement
	Mated     int          `json:"mated"`
	Ended     string       `json:"ended"`
	Lines     string       `json:"lines"`
	Games     []endingGame `json:"games"`
}

// endingGame is one game to a mated position.
type endingGame struct {
	Lines  string        `json:"lines"` // the number of lines to this position
	Record record.Record `json:"record"`
	last   rules.Position
}

// add adds a turn, unless no game ends in it. The turn gets games to its first mated positions, one to each; positions
// is the largest number of these games.
func (s *shortestGames) add(search *census.LineSearch, t census.Turn, positions int) error {
	s.Plies = t.Plies
	if len(t.Mated) == 0 {
		return nil
	}
	turn := endingTurn{t.Plies, t.Positions, len(t.Mated), t.Ended.String(), t.Lines.String(), []endingGame{}}
	for i, m := range t.Mated[:min(positions, len(t.Mated))] {
		game, err := newEndingGame(search, m)
		if err != nil {
			return err
		}
		game.Record.Detail = fmt.Sprintf("mate %d of %d, lines to it: %v", i+1, len(t.Mated), m.Lines)
		turn.Games = append(turn.Games, game)
	}
	s.Turns = append(s.Turns, turn)
	return nil
}

func newEndingGame(search *census.LineSearch, m census.Mated) (g endingGame, err error) {
	g.Lines = m.Lines.String()
	if g.Record, err = search.Record(m); err != nil {
		return g, err
	}
	g.Record.Event = "the shortest games"
	g.last, err = g.Record.Replay()
	return g, err
}

// report prints the table and the games. If out is not "", the games go into that file instead. CSV and Markdown have
// only the table.
func (s *shortestGames) report(o cmdline.Output, out string, force bool) error {
	if out != "" {
		if err := cmdline.WriteFile(out, force, s.writeRecords); err != nil {
			return fmt.Errorf("writing the games: %w", err)
		}
	}
	return o.Print(cmdline.Tabular(s, s.table(), func(w io.Writer) error {
		if err := s.writeTable(w, o.Width); err != nil || out != "" {
			return err
		}
		return s.writeGames(w)
	}))
}

func (s *shortestGames) table() terminal.Table {
	t := terminal.Table{Columns: []terminal.Column{
		{Title: "plies", Right: true},
		{Title: "positions before", Name: "positions", Right: true, Fold: true},
		{Title: "mated", Right: true, Fold: true},
		{Title: "lines that end", Name: "ended", Right: true, Fold: true},
		{Title: "all lines", Name: "lines", Right: true, Fold: true},
	}}
	for _, turn := range s.Turns {
		t.Add(turn.Plies, turn.Positions, turn.Mated, turn.Ended, turn.Lines)
	}
	return t
}

func (s *shortestGames) writeTable(w io.Writer, width int) error {
	if len(s.Turns) == 0 {
		none := fmt.Sprintf("%v, from %s: no game ends within %d plies\n", s.Rules, s.Start, s.Plies)
		_, err := io.WriteString(w, terminal.Wrap(none, width, "  "))
		return err
	}
	heading := fmt.Sprintf("%v, from %s: the shortest game lasts %d plies\n\n", s.Rules, s.Start, s.Turns[0].Plies)
	_, err := io.WriteString(w, terminal.Wrap(heading, width, "  ")+s.table().Text(width))
	return err
}

// writeGames shows the games with their last boards.
func (s *shortestGames) writeGames(w io.Writer) error {
	fmt.Fprintln(w)
	return s.eachGame(func(g endingGame) error {
		if _, err := fmt.Fprintf(w, "%s\n", viewer.BoardText(g.last)); err != nil {
			return err
		}
		return g.Record.WriteText(w)
	})
}

// writeRecords writes the records of the games one after another.
func (s *shortestGames) writeRecords(w io.Writer) error {
	return s.eachGame(func(g endingGame) error { return g.Record.WriteText(w) })
}

func (s *shortestGames) eachGame(write func(endingGame) error) error {
	for _, t := range s.Turns {
		for _, g := range t.Games {
			if err := write(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// usedMemory returns the number of bytes that this process has from the system and has not returned.
func usedMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
