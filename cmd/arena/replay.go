package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/viewer"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
)

// textFormat is the format of replay that prints the text form of a game's record.
const textFormat = "text"

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "show a game on the terminal with keys, or print it",
		ArgsUsage: "GAME|FILE|-",
		Description: "GAME is a game's number in the database, or on the running arena of --server. A file holds a game's record as --format text or\n" +
			"--format json prints it, and - stands for such a record on the standard input.\n\n" +
			"On a terminal the game fills the screen: the arrows left and right go by one ply, up and\n" +
			"down by ten, Home and End to its ends; space plays it, + and - change the speed; n and p go\n" +
			"to the next and the previous mark, s shows the bot's report on its search, q quits.\n" +
			"Marks (!) stand at the fault or resignation that ended the game, and at up to three moves of each\n" +
			"side: its worst ones, by a search of evminimax three slides deep.\n\n" +
			"Elsewhere, and with --plain, all positions are printed. With --format the record is printed\n" +
			"instead: json has all of it, text all but times, pauses and search reports; csv and\n" +
			"markdown have a row for each ply.",
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			&cli.IntFlag{Name: "ply", Usage: "start at this ply"},
			&cli.BoolFlag{Name: "search", Usage: "show with each ply the bot's report on its search"},
			&cli.BoolFlag{Name: "stderr", Usage: "print the standard error of the game's programs (NAME=exec:COMMAND), the last 64 KiB of each, instead of the game"},
			&cli.BoolFlag{Name: "plain", Usage: "print the positions, on a terminal too"},
		}, cmdline.OutputFlags(textFormat)),
		Action: onRecord(cmdline.Printing(replay, textFormat)),
	}
}

func replay(c *cli.Context, out cmdline.Output) error {
	if err := checkReplayFlags(c, out); err != nil {
		return err
	}
	if c.Bool("stderr") {
		return printLogs(c, out)
	}
	record, err := findRecord(c, c.Args().First())
	if err != nil {
		return err
	}
	if c.Bool("search") && record.Searches == nil {
		return fmt.Errorf("%s has no search reports: arena event run --search records them, for bots that search",
			plain.Line(strings.TrimSpace("game "+record.Game)))
	}
	switch out.Format {
	case textFormat:
		return record.WriteText(out.Writer)
	case cmdline.JSONFormat:
		return cmdline.WriteJSON(out.Writer, record)
	}
	game, err := viewer.New(record)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(record, plyTable(game), func(io.Writer) error { return showGame(c, game) }))
}

// checkReplayFlags returns a usage error for flags that contradict each other.
func checkReplayFlags(c *cli.Context, out cmdline.Output) error {
	for _, other := range []string{"ply", "search", "plain"} {
		if c.Bool("stderr") && c.IsSet(other) {
			return cmdline.Usagef("--stderr: not with --%s, which is about the positions", other)
		}
	}
	switch {
	case c.IsSet("ply") && out.Format != cmdline.TableFormat:
		return cmdline.Usagef("--ply: the %s form has the whole game; leave out --ply or --format", out.Format)
	case c.Bool("search") && out.Format != cmdline.TableFormat && out.Format != cmdline.JSONFormat:
		return cmdline.Usagef("--search: the %s form has no search reports; leave out --format, or use --format json", out.Format)
	}
	return nil
}

// findRecord returns the record that the argument of replay names: by the number of a game in the database or on the
// arena of --server, by a file, or by - for the standard input.
func findRecord(c *cli.Context, name string) (*record.Record, error) {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil && id > 0 {
		return readRecord(c, id)
	}
	if name != stdio {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return nil, cmdline.Usagef("GAME %q: want its number, a file with its record, or %s", name, stdio)
		}
	}
	in, err := openInput(c, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxRecord+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxRecord {
		return nil, fmt.Errorf("%s: a record of more than %s: want one game", shownInput(name), cmdline.FormatBytes(maxRecord))
	}
	game, err := parseRecord(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shownInput(name), err)
	}
	return &game, nil
}

// maxRecord is the length in bytes of the largest record that is read from a file: the longest games with search
// reports fit.
const maxRecord = 256 << 20

// parseRecord reads a record in its text or its JSON form.
func parseRecord(text []byte) (game record.Record, err error) {
	text = plain.TrimBOM(text)
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		err = json.Unmarshal(text, &game)
		return game, err
	}
	return record.Parse(string(text))
}

func readRecord(c *cli.Context, id int64) (*record.Record, error) {
	r, err := read(c, func(arena *server.Client) (record.Record, error) { return arena.Record(c.Context, id) },
		func(store *results.Reader) (record.Record, error) {
			game, err := store.Game(c.Context, id)
			return game.Record, err
		})
	return &r, err
}

// gameLog is the text that the program of one side of a game wrote to standard error.
type gameLog struct {
	Side rules.Side `json:"side"`
	Bot  string     `json:"bot"`
	Text string     `json:"text"`
}

func printLogs(c *cli.Context, out cmdline.Output) error {
	id, err := parseNumber("GAME", c.Args().First())
	if err != nil {
		return err
	}
	logs, err := readLogs(c, id)
	if err != nil {
		return err
	}
	table := terminal.Table{Columns: terminal.Columns("side", "bot", "line")}
	for _, l := range logs {
		for line := range strings.Lines(l.Text) {
			table.Add(l.Side, l.Bot, strings.TrimRight(line, "\r\n"))
		}
	}
	return out.Print(cmdline.Tabular(logs, table, func(w io.Writer) error { return writeLogs(w, id, logs) }))
}

func readLogs(c *cli.Context, id int64) ([]gameLog, error) {
	return read(c, func(arena *server.Client) (logs []gameLog, err error) {
		err = arena.Read(c.Context, fmt.Sprintf("/api/games/%d/logs", id), &logs)
		return logs, err
	}, func(store *results.Reader) ([]gameLog, error) { return recordedLogs(c.Context, store, id) })
}

func recordedLogs(ctx context.Context, store *results.Reader, id int64) ([]gameLog, error) {
	game, err := store.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	texts, err := store.Logs(ctx, id)
	if err != nil {
		return nil, err
	}
	logs := []gameLog{}
	for side, bot := range []string{game.Record.Attacker, game.Record.Defender} {
		if text := texts[side]; text != nil {
			logs = append(logs, gameLog{rules.Side(side), bot, string(bytes.ToValidUTF8(text, []byte("\uFFFD")))})
		}
	}
	return logs, nil
}

func writeLogs(w io.Writer, game int64, logs []gameLog) error {
	if len(logs) == 0 {
		_, err := fmt.Fprintf(w, "no program wrote to standard error in game %d. Only a program that the arena itself starts (exec:) has a log, and only when its game is over.\n", game)
		return err
	}
	for _, l := range logs {
		if _, err := fmt.Fprintf(w, "%s, the %s:\n", plain.Line(l.Bot), l.Side); err != nil {
			return err
		}
		for line := range strings.Lines(l.Text) {
			if _, err := fmt.Fprintln(w, "  "+plain.Line(strings.TrimRight(line, "\r\n"))); err != nil {
				return err
			}
		}
	}
	return nil
}

// showGame shows a game from --ply on: full-screen with keys on a terminal, otherwise as text.
func showGame(c *cli.Context, game *viewer.Game) error {
	ply := c.Int("ply")
	if ply < 0 || ply > game.Last() {
		return cmdline.Usagef("--ply %d: the game has plies 0 to %d", ply, game.Last())
	}
	screen, ok := c.App.Writer.(*os.File)
	if !ok || c.Bool("plain") || !terminal.Is(screen) || os.Getenv("TERM") == "dumb" {
		return game.WriteFrom(c.App.Writer, ply, c.Bool("search"))
	}
	keys, err := keyboard()
	if err != nil {
		return game.WriteFrom(c.App.Writer, ply, c.Bool("search"))
	}
	defer keys.Close()
	return game.Run(c.Context, viewer.Terminal{Keys: keys, Screen: screen}, ply, c.Bool("search"))
}

// keyboard returns the terminal for keys: the standard input, or if that is no terminal, the terminal of this process.
func keyboard() (*os.File, error) {
	if terminal.Is(os.Stdin) {
		return os.Stdin, nil
	}
	return os.OpenFile("/dev/tty", os.O_RDWR, 0)
}

func plyTable(g *viewer.Game) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("ply", "bot", "side", "move", "score", "largest_tile", "ms")}
	for i, m := range g.Record.Moves {
		var ms any = ""
		if i < len(g.Record.Times) {
			ms = float64(g.Record.Times[i].Microseconds()) / 1000
		}
		before, after := g.Positions[i], g.Positions[i+1]
		t.Add(i+1, g.Mover(i+1), before.SideToMove(), m, after.Score(), after.LargestTile(), ms)
	}
	return t
}
