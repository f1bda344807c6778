package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "show a game step by step, or print its record",
		ArgsUsage: "GAME",
		Description: "On a terminal Enter shows the next ply and leaves after the last, b shows the one\n" +
			"before, a number goes to that ply and q leaves. Elsewhere all positions are printed.",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.StringFlag{Name: "format", Usage: "print the game's record instead: text or json"},
			&cli.IntFlag{Name: "ply", Usage: "begin at this ply"},
			&cli.BoolFlag{Name: "search", Usage: "show with each ply what the bot reported of its search"},
		},
		Action: replay,
	}
}

func replay(c *cli.Context) error {
	id, err := numberArgument(c, "GAME")
	if err != nil {
		return err
	}
	format := c.String("format")
	if format != "" && format != "text" && format != "json" {
		return cmdline.Usagef("--format %q: want text or json", format)
	}
	if c.Bool("search") && format == "text" {
		return cmdline.Usagef("--search: the text form has no search reports; leave out --format, or take --format json")
	}
	record, err := readRecord(c, id)
	if err != nil {
		return err
	}
	switch format {
	case "text":
		return record.WriteText(c.App.Writer)
	case "json":
		return writeJSON(c.App.Writer, record)
	}
	v, err := newViewer(record)
	if err != nil {
		return err
	}
	if c.Int("ply") < 0 || c.Int("ply") >= len(v.positions) {
		return cmdline.Usagef("--ply %d: the game has plies 0 to %d", c.Int("ply"), len(v.positions)-1)
	}
	v.at, v.search = c.Int("ply"), c.Bool("search")
	if term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) {
		signal.Reset(os.Interrupt) // nothing has to be put in order
		return v.step(c.App.Reader, c.App.Writer)
	}
	return v.all(c.App.Writer)
}

func readRecord(c *cli.Context, id int64) (*record.Record, error) {
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	game, err := store.Game(c.Context, id)
	if err != nil {
		return nil, err
	}
	if c.Bool("search") && game.Record.Searches == nil {
		return nil, fmt.Errorf("game %d has no search reports: they are recorded by arena tournament run --search, of bots that search", id)
	}
	return &game.Record, nil
}

// viewer shows the positions of one game.
type viewer struct {
	record    *record.Record
	positions []rules.Position // before the first ply and after each
	at        int
	search    bool // show search reports too
}

func newViewer(r *record.Record) (*viewer, error) {
	v := &viewer{record: r, positions: []rules.Position{r.Start}}
	for _, m := range r.Moves {
		next, err := v.positions[len(v.positions)-1].Play(m)
		if err != nil {
			return nil, fmt.Errorf("game %s does not replay: %w", r.Game, err)
		}
		v.positions = append(v.positions, next)
	}
	return v, nil
}

// all shows every position from here on.
func (v *viewer) all(w io.Writer) error {
	for ; v.at < len(v.positions); v.at++ {
		if err := v.show(w); err != nil {
			return err
		}
	}
	return nil
}

// step shows positions as it is told on in, line by line.
func (v *viewer) step(in io.Reader, w io.Writer) error {
	lines := bufio.NewScanner(in)
	for {
		if err := v.show(w); err != nil {
			return err
		}
		fmt.Fprint(w, "[Enter next, b back, number, q quit] ")
		if !lines.Scan() || !v.obey(strings.TrimSpace(lines.Text()), w) {
			return lines.Err()
		}
	}
}

// obey carries out one line; false means to leave.
func (v *viewer) obey(line string, w io.Writer) bool {
	to := v.at + 1
	switch number, err := strconv.Atoi(line); {
	case line == "q", line == "" && v.at == len(v.positions)-1:
		return false
	case line == "b":
		to = v.at - 1
	case err == nil:
		to = number
	case line != "":
		fmt.Fprintf(w, "%q: want Enter, b, a ply's number or q\n", line)
		to = v.at
	}
	v.at = max(0, min(to, len(v.positions)-1))
	return true
}

// show prints the position, how it came about, and at the end how the game ended.
func (v *viewer) show(w io.Writer) error {
	p := v.positions[v.at]
	_, err := fmt.Fprintf(w, "%s\n%s", v.caption(), boardText(p))
	if v.search && v.at > 0 && v.record.Searches[v.at-1] != nil && err == nil {
		err = writeSearch(w, v.record.Searches[v.at-1])
	}
	if v.at == len(v.positions)-1 && err == nil {
		_, err = fmt.Fprintln(w, v.conclusion(p))
	}
	if err == nil {
		_, err = fmt.Fprintln(w)
	}
	return err
}

// caption is such as "ply 12 of 880, turn 6: bob slides W, score 24, 12 ms".
func (v *viewer) caption() string {
	r := v.record
	if v.at == 0 {
		return fmt.Sprintf("game %s: %s attacks, %s defends, %v %v", r.Game, r.Attacker, r.Defender, r.Start.Rules(), r.Start.Size())
	}
	move := r.Moves[v.at-1]
	name, verb := r.Attacker, "places"
	if move.IsSlide() {
		name, verb = r.Defender, "slides"
	}
	text := fmt.Sprintf("ply %d of %d: %s %s %v, score %d", v.at, len(r.Moves), name, verb, move, v.positions[v.at].Score())
	if v.at <= len(r.Times) {
		text += fmt.Sprintf(", %.1f ms", float64(r.Times[v.at-1].Microseconds())/1000)
	}
	return text
}

// conclusion is such as "mate: bob scored 1204, largest tile 128".
func (v *viewer) conclusion(p rules.Position) string {
	r := v.record
	text := fmt.Sprintf("%s: %s scored %d, largest tile %d", r.Ending, r.Defender, p.Score(), p.LargestTile())
	if winner, ok := r.Winner(); ok {
		text += fmt.Sprintf("; the %v wins the game: %s", winner, r.Detail)
	} else if r.Detail != "" {
		text += "; " + r.Detail
	}
	return text
}

// boardText draws the board with its tiles right-aligned in equal columns.
func boardText(p rules.Position) string {
	width := max(1, len(strconv.Itoa(p.LargestTile())))
	var b strings.Builder
	for _, row := range p.Tiles() {
		for _, tile := range row {
			text := "."
			if tile > 0 {
				text = strconv.Itoa(tile)
			}
			fmt.Fprintf(&b, "  %*s", width, text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
