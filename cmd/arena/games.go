package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/rules/record"
)

func gamesCommand() *cli.Command {
	return &cli.Command{
		Name:  "games",
		Usage: "list games: the last ones of all events, or the games of an event or a bot",
		Description: fmt.Sprintf("Without --event and --last these are the last %d games at most. "+
			"The events have a list of their own: arena event list.", usualGames),
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			eventNumberFlag("list the games of this event, all of them", "all events"),
			&cli.StringFlag{Name: "bot", Usage: "list the games of this bot"},
			&cli.StringFlag{Name: "ending", Usage: "list the games with this ending: mate, illegal-move, time, disconnect, resigned, max-turns, max-tile, decided or unfinished"},
			&cli.IntFlag{Name: "last", DefaultText: fmt.Sprintf("%d; with --event all", usualGames), Usage: "list only the last games, at most this many", Action: cmdline.AtLeast("last", 1)},
		}, cmdline.OutputFlags()),
		Action: onRecord(cmdline.Printing(listGames)),
	}
}

// usualGames is the number of games in the list if the user names neither an event nor a number.
const usualGames = 100

func listGames(c *cli.Context, out cmdline.Output) error {
	chosen, err := readListing(c)
	if err != nil {
		return err
	}
	games, more, err := readGames(c, chosen)
	if err != nil {
		return err
	}
	if len(games) == 0 && out.Format == cmdline.TableFormat {
		return tellNoGames(c, chosen)
	}
	if err := out.PrintTable(games, gameTable(games), shownGames(games)); err != nil {
		return err
	}
	if more && !c.IsSet("last") {
		_, err = fmt.Fprintf(c.App.ErrWriter, "these are the last %d games; more: --last N, or all of an event: --event N\n", len(games))
	}
	return err
}

// tellNoGames prints that the list is empty, with advice if no game has been played at all.
func tellNoGames(c *cli.Context, chosen results.Listing) error {
	text := "no game is like that"
	if chosen.Event == 0 && chosen.Bot == "" && chosen.Ending == "" {
		text = "no game has been played here yet; play an event with: " + runHere(c)
	}
	_, err := fmt.Fprintln(c.App.Writer, text)
	return err
}

// readListing reads the selection of games from the flags, the latest first. A Limit of 0 means all games of an event.
func readListing(c *cli.Context) (results.Listing, error) {
	l := results.Listing{Event: c.Int64("event"), Bot: c.String("bot"), Limit: c.Int("last"), Voided: true, Order: results.ByStart, Reverse: true}
	if l.Limit == 0 && l.Event == 0 {
		l.Limit = usualGames
	}
	if text := c.String("ending"); text != "" {
		ending, err := record.ParseEnding(text)
		if err != nil {
			return l, cmdline.WrongUsage(err)
		}
		l.Ending = ending
	}
	return l, nil
}

type gameRow struct {
	Game        int64         `json:"game"`
	Event       int64         `json:"event"`
	Match       int           `json:"match"`
	Leg         int           `json:"leg"`
	Date        string        `json:"date"`
	Attacker    string        `json:"attacker"`
	Defender    string        `json:"defender"`
	Ending      record.Ending `json:"ending"`
	Detail      string        `json:"detail,omitempty"`
	Score       int           `json:"score"`
	LargestTile int           `json:"largest_tile"`
	Plies       int           `json:"plies"`
	Voided      time.Time     `json:"voided,omitzero"` // when its match was voided
}

// readGames returns the games that a listing selects, in the order of their numbers, and whether there are more than
// its limit. It returns an error if the event of the listing does not exist.
func readGames(c *cli.Context, l results.Listing) (rows []gameRow, more bool, err error) {
	limit := l.Limit
	if limit > 0 {
		l.Limit++ // one more shows whether there are more
	}
	l.Known = 1 // the total is not needed, and takes time to count
	games, err := read(c, func(arena *server.Client) ([]results.Listed, error) { return remoteGames(c.Context, arena, l) },
		func(store *results.Reader) ([]results.Listed, error) { return recordedGames(c.Context, store, l) })
	if err != nil {
		return nil, false, err
	}
	if more = limit > 0 && len(games) > limit; more {
		games = games[:limit]
	}
	rows = []gameRow{}
	for _, g := range slices.Backward(games) {
		rows = append(rows, newGameRow(&g))
	}
	return rows, more, nil
}

func recordedGames(ctx context.Context, store *results.Reader, l results.Listing) ([]results.Listed, error) {
	if l.Event != 0 {
		if _, err := store.Event(ctx, l.Event); err != nil {
			return nil, err
		}
	}
	games, _, err := store.List(ctx, l)
	return games, err
}

func newGameRow(g *results.Listed) gameRow {
	return gameRow{
		Game: g.ID, Event: g.Event, Match: g.Match, Leg: g.Leg, Date: g.Started.Format(time.DateOnly),
		Attacker: g.Attacker, Defender: g.Defender, Ending: g.Ending, Detail: g.Detail,
		Score: g.Score, LargestTile: g.LargestTile, Plies: g.Plies, Voided: g.Voided,
	}
}

// voided returns the time when the game's match was voided, "" for a game that counts.
func (g *gameRow) voided() string {
	if g.Voided.IsZero() {
		return ""
	}
	return g.Voided.Format(time.RFC3339)
}

func gameTable(games []gameRow) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("game", "event", "match", "leg", "date", "attacker", "defender", "ending", "detail", "score", "largest_tile", "plies", "voided")}
	for _, g := range games {
		t.Add(g.Game, g.Event, g.Match, g.Leg, g.Date, g.Attacker, g.Defender, g.Ending, g.Detail, g.Score, g.LargestTile, g.Plies, g.voided())
	}
	return t
}

// shownGames returns the games as people see them.
func shownGames(games []gameRow) terminal.Table {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "game"},
		{Title: "event", Drop: 2},
		{Title: "match"},
		{Title: "attacker", Least: 12},
		{Title: "defender", Least: 12},
		{Title: "score"},
		{Title: "tile", Drop: 1},
		{Title: "plies", Drop: 3},
		{Title: "ending"},
		{Least: 12},
	}}
	for _, g := range games {
		var score, tile, plies any = "-", "-", "-"
		if g.Ending != record.Unfinished {
			score, tile, plies = g.Score, g.LargestTile, g.Plies
		}
		note := g.Detail
		if !g.Voided.IsZero() {
			note = "voided, played again: " + note
		}
		table.Add(g.Game, g.Event, fmt.Sprintf("%d.%d", g.Match, g.Leg), g.Attacker, g.Defender, score, tile, plies, g.Ending, note)
	}
	return table
}

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "play every stored game again and compare it with its record",
		Flags: append([]cli.Flag{
			hosting.DatabaseFlag(),
			eventNumberFlag("only the games of this event", "all events"),
			&cli.StringFlag{Name: "census", Hidden: true},
		}, cmdline.OutputFlags()...),
		Action: onRecord(cmdline.Printing(verify)),
	}
}

func verify(c *cli.Context, out cmdline.Output) error {
	if folder := c.String("census"); folder != "" {
		return cmdline.Usagef("arena verify --census is in the program lab now: lab census --verify %s", cmdline.Quote(folder))
	}
	v, err := recorded(c, func(store *results.Reader) (v results.Verification, err error) {
		event := c.Int64("event")
		if event != 0 {
			if _, err := store.Event(c.Context, event); err != nil {
				return v, err
			}
		}
		return store.Verify(c.Context, results.Filter{Event: event}, func(g results.Stored, why error) {
			fmt.Fprintf(c.App.ErrWriter, "game %d differs from its record: %s\n", g.ID, plain.Line(why.Error()))
		})
	})
	if err != nil {
		return err
	}
	if err := out.Print(verified(v)); err != nil {
		return err
	}
	return cmdline.FailIf(v.Bad > 0)
}

// verified returns the result of verify: the numbers of games and plies that were played again, and of games that
// differ.
func verified(v results.Verification) cmdline.Result {
	t := terminal.Table{Columns: terminal.Columns("games", "plies", "bad")}
	t.Add(v.Games, v.Plies, v.Bad)
	return cmdline.Tabular(v, t, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s, %s played again: %d differ\n", terminal.Count(v.Games, "game", "games"), terminal.Count(v.Plies, "ply", "plies"), v.Bad)
		if err != nil || v.Unsummed == 0 {
			return err
		}
		_, err = fmt.Fprintf(w, "%d of the games have no checksum, since an earlier version recorded them: "+
			"changes of their times, dates and search reports are not found\n", v.Unsummed)
		return err
	})
}
