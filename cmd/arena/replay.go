package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"versus2048/cmd/internal/cmdline"
	"versus2048/plain"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
)

// textFormat is the format of replay that prints the text form of a game's record.
const textFormat = "text"

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "show a game step by step, or print its record",
		ArgsUsage: "GAME",
		Description: "On a terminal Enter shows the next ply and quits after the last, b shows the previous\n" +
			"one, a number jumps to that ply and q quits. Elsewhere all positions are printed. With\n" +
			"--format the record is printed instead: text and json hold all of it, csv and markdown\n" +
			"have a row for each ply.",
		Flags: append([]cli.Flag{
			dbFlag(),
			&cli.IntFlag{Name: "ply", Usage: "start at this ply"},
			&cli.BoolFlag{Name: "search", Usage: "show with each ply what the bot reported about its search"},
		}, cmdline.OutputFlags(textFormat)...),
		Action: replay,
	}
}

func replay(c *cli.Context) error {
	id, err := numberArgument(c, "GAME")
	if err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c, textFormat)
	if err != nil {
		return err
	}
	if c.Bool("search") && out.Format != cmdline.TableFormat && out.Format != cmdline.JSONFormat {
		return cmdline.Usagef("--search: the %s form has no search reports; leave out --format, or use --format json", out.Format)
	}
	record, err := readRecord(c.Context, c.String("db"), id)
	if err != nil {
		return err
	}
	if c.Bool("search") && record.Searches == nil {
		return fmt.Errorf("game %d has no search reports: they are recorded by arena tournament run --search, of bots that search", id)
	}
	switch out.Format {
	case textFormat:
		return record.WriteText(out.Writer)
	case cmdline.JSONFormat:
		return cmdline.WriteJSON(out.Writer, record)
	}
	v, err := newViewer(record)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(record, v.table(), func(io.Writer) error { return view(c, v) }))
}

func readRecord(ctx context.Context, db string, id int64) (*record.Record, error) {
	store, err := results.OpenReader(ctx, db)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	game, err := store.Game(ctx, id)
	return &game.Record, err
}

// view shows the positions from --ply on: step by step on a terminal, else all.
func view(c *cli.Context, v *viewer) error {
	if c.Int("ply") < 0 || c.Int("ply") >= len(v.positions) {
		return cmdline.Usagef("--ply %d: the game has plies 0 to %d", c.Int("ply"), len(v.positions)-1)
	}
	v.at, v.search = c.Int("ply"), c.Bool("search")
	if term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())) {
		signal.Reset(os.Interrupt) // there is nothing to clean up
		return v.step(c.App.Reader, c.App.Writer)
	}
	return v.all(c.App.Writer)
}

// viewer shows the positions of one game.
type viewer struct {
	record    *record.Record
	positions []rules.Position // before the first ply and after each
	at        int
	search    bool // also show search reports
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

// all shows every position from the current one to the last.
func (v *viewer) all(w io.Writer) error {
	for ; v.at < len(v.positions); v.at++ {
		if err := v.show(w); err != nil {
			return err
		}
	}
	return nil
}

// step shows the positions that the lines of in ask for.
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

// obey carries out one line. It returns false if the line asks to quit.
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

// show prints the current position with the move that led to it, and for the last
// position also how the game ended.
func (v *viewer) show(w io.Writer) error {
	p := v.positions[v.at]
	_, err := fmt.Fprintf(w, "%s\n%s", v.caption(), boardText(p))
	if v.search && v.at > 0 && v.record.Searches[v.at-1] != nil && err == nil {
		err = writeSearch(w, v.record.Searches[v.at-1])
	}
	if v.at == len(v.positions)-1 && err == nil {
		_, err = fmt.Fprintln(w, v.ending(p))
	}
	if err == nil {
		_, err = fmt.Fprintln(w)
	}
	return err
}

// caption returns a line such as "ply 12 of 880, turn 6: bob slides W, score 24, 12 ms".
func (v *viewer) caption() string {
	r := v.record
	if v.at == 0 {
		return fmt.Sprintf("game %s: %s attacks, %s defends, %v %v", r.Game, plain.Line(r.Attacker), plain.Line(r.Defender), r.Start.Rules(), r.Start.Size())
	}
	move := r.Moves[v.at-1]
	name, verb := mover(r, move), "places"
	if move.IsSlide() {
		verb = "slides"
	}
	text := fmt.Sprintf("ply %d of %d: %s %s %v, score %d", v.at, len(r.Moves), name, verb, move, v.positions[v.at].Score())
	if v.at <= len(r.Times) {
		text += fmt.Sprintf(", %.1f ms", float64(r.Times[v.at-1].Microseconds())/1000)
	}
	return text
}

// mover returns the name of the bot that made a move.
func mover(r *record.Record, m rules.Move) string {
	if m.IsSlide() {
		return plain.Line(r.Defender)
	}
	return plain.Line(r.Attacker)
}

// ending returns a line such as "mate: bob scored 1204, largest tile 128".
func (v *viewer) ending(p rules.Position) string {
	r := v.record
	text := fmt.Sprintf("%s: %s scored %d, largest tile %d", r.Ending, plain.Line(r.Defender), p.Score(), p.LargestTile())
	if winner, ok := r.Winner(); ok {
		text += fmt.Sprintf("; the %v wins the game: %s", winner, plain.Line(r.Detail))
	} else if r.Detail != "" {
		text += "; " + plain.Line(r.Detail)
	}
	return text
}

// table returns the plies of the game as a table.
func (v *viewer) table() cmdline.Table {
	t := cmdline.Table{Columns: []string{"ply", "bot", "side", "move", "score", "largest_tile", "ms"}}
	for i, m := range v.record.Moves {
		var ms any = ""
		if i < len(v.record.Times) {
			ms = float64(v.record.Times[i].Microseconds()) / 1000
		}
		before, after := v.positions[i], v.positions[i+1]
		t.Add(i+1, mover(v.record, m), before.SideToMove(), m, after.Score(), after.LargestTile(), ms)
	}
	return t
}

// boardText draws a board with its tiles right-aligned in columns of equal width.
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

// shownMoves is how many root moves of a search are shown.
const shownMoves = 5

// writeSearch writes a bot's report on its search.
func writeSearch(w io.Writer, s *record.SearchReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "  search: %s\n", searchFacts(s))
	writeRootMoves(&b, s.Moves)
	if len(s.Expanded) > 0 {
		fmt.Fprintf(&b, "  expanded by depth: %s\n", strings.Trim(fmt.Sprint(s.Expanded), "[]"))
	}
	if len(s.Variation) > 0 {
		fmt.Fprintf(&b, "  principal variation: %s\n", strings.Trim(fmt.Sprint(s.Variation), "[]"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// searchFacts returns the known numbers of a search, such as
// "1000 playouts, 385 nodes, 1.8 ms".
func searchFacts(s *record.SearchReport) string {
	var facts []string
	if s.Playouts > 0 {
		facts = append(facts, fmt.Sprintf("%d playouts", s.Playouts))
	}
	if s.Nodes > 0 {
		facts = append(facts, fmt.Sprintf("%d nodes", s.Nodes))
	}
	if s.Time > 0 {
		facts = append(facts, fmt.Sprintf("%.1f ms", float64(s.Time)/float64(time.Millisecond)))
	}
	if facts == nil {
		return "the bot gave no numbers"
	}
	return strings.Join(facts, ", ")
}

func writeRootMoves(w io.Writer, moves []record.RootMove) {
	if len(moves) == 0 {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "  move\tvalue\tvisits\t")
	for _, m := range moves[:min(len(moves), shownMoves)] {
		fmt.Fprintf(table, "  %v\t%.6g\t%d\t\n", m.Move, m.Value, m.Visits)
	}
	_ = table.Flush() // into memory
	if more := len(moves) - shownMoves; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
