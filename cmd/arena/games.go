package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func gamesCommand() *cli.Command {
	return &cli.Command{
		Name:  "games",
		Usage: "list the events of a database, or the games of an event",
		Flags: append([]cli.Flag{
			hosting.DatabaseFlag(),
			eventNumberFlag("list the games of this event", ""),
			&cli.StringFlag{Name: "bot", Usage: "list the games of this bot"},
			&cli.StringFlag{Name: "ending", Usage: "list the games with this ending: mate, illegal-move, time, disconnect, resigned, max-turns, max-tile, decided or unfinished"},
			&cli.IntFlag{Name: "last", Usage: "list only the last games, at most this many", Action: cmdline.AtLeast("last", 1)},
		}, cmdline.OutputFlags()...),
		Action: onRecord(listGames),
	}
}

func listGames(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	filter, err := readFilter(c)
	if err != nil {
		return err
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	if filter == (results.Filter{}) {
		events, err := readEvents(c.Context, store)
		if err != nil {
			return err
		}
		return out.Print(cmdline.Tabular(events, eventTable(events), func(w io.Writer) error { return writeEvents(w, events, c.String("db"), out.Width) }))
	}
	filter.Voided = true
	games, err := readGames(c.Context, store, filter)
	if err != nil {
		return err
	}
	return out.Print(cmdline.Tabular(games, gameTable(games), func(w io.Writer) error { return writeGames(w, games, out.Width) }))
}

// readFilter reads which games are to be listed. Without any flag it is the empty
// filter.
func readFilter(c *cli.Context) (results.Filter, error) {
	filter := results.Filter{Event: c.Int64("event"), Bot: c.String("bot"), Last: c.Int("last")}
	if filter.Last < 0 {
		return filter, cmdline.Usagef("--last %d: want 1 or more", filter.Last)
	}
	if text := c.String("ending"); text != "" {
		ending, err := record.ParseEnding(text)
		if err != nil {
			return filter, cmdline.WrongUsage(err)
		}
		filter.Ending = ending
	}
	return filter, nil
}

// gameRow is a game in the list.
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

// readGames returns the games that the filter lets through. It returns an error if
// the event of the filter does not exist.
func readGames(ctx context.Context, store *results.Store, filter results.Filter) ([]gameRow, error) {
	if filter.Event != 0 {
		if _, err := store.Event(ctx, filter.Event); err != nil {
			return nil, err
		}
	}
	rows := []gameRow{}
	err := store.Games(ctx, filter, func(g results.Stored) error {
		rows = append(rows, newGameRow(g))
		return nil
	})
	return rows, err
}

func newGameRow(g results.Stored) gameRow {
	return gameRow{
		Game: g.ID, Event: g.Event, Match: g.Match, Leg: g.Leg, Date: g.Record.Date,
		Attacker: g.Record.Attacker, Defender: g.Record.Defender, Ending: g.Record.Ending, Detail: g.Record.Detail,
		Score: g.Announced.Score, LargestTile: g.Announced.LargestTile, Plies: g.Announced.Plies, Voided: g.Voided,
	}
}

// voided returns when the game's match was voided, "" for a game that counts.
func (g *gameRow) voided() string {
	if g.Voided.IsZero() {
		return ""
	}
	return g.Voided.Format(time.RFC3339)
}

func gameTable(games []gameRow) cmdline.Table {
	t := cmdline.Table{Columns: []string{"game", "event", "match", "leg", "date", "attacker", "defender", "ending", "detail", "score", "largest_tile", "plies", "voided"}}
	for _, g := range games {
		t.Add(g.Game, g.Event, g.Match, g.Leg, g.Date, g.Attacker, g.Defender, g.Ending, g.Detail, g.Score, g.LargestTile, g.Plies, g.voided())
	}
	return t
}

func writeGames(w io.Writer, games []gameRow, width int) error {
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
		score, tile, plies := "-", "-", "-"
		if g.Ending != record.Unfinished {
			score, tile, plies = fmt.Sprint(g.Score), fmt.Sprint(g.LargestTile), fmt.Sprint(g.Plies)
		}
		note := plain.Line(g.Detail)
		if !g.Voided.IsZero() {
			note = "voided, played again: " + note
		}
		table.Add(fmt.Sprint(g.Game), fmt.Sprint(g.Event), fmt.Sprintf("%d.%d", g.Match, g.Leg), plain.Line(g.Attacker), plain.Line(g.Defender),
			score, tile, plies, string(g.Ending), note)
	}
	_, err := io.WriteString(w, table.Text(width))
	return err
}

// eventRow is an event in the list.
type eventRow struct {
	Event    int64            `json:"event"`
	Name     string           `json:"name"`
	Created  string           `json:"created"`
	Rules    rules.Ruleset    `json:"rules"`
	Size     rules.Size       `json:"size"`
	Seed     uint64           `json:"seed"`
	Finished int              `json:"finished"`
	Games    int              `json:"games"`           // in all; 0 if the event has no end
	Bound    tournament.Bound `json:"bound,omitempty"` // what Games is
	Format   string           `json:"format"`
}

func readEvents(ctx context.Context, store *results.Store) ([]eventRow, error) {
	events, err := store.Events(ctx)
	rows := []eventRow{}
	for _, e := range events {
		rows = append(rows, eventRow{e.ID, e.Name, e.Created.Format("2006-01-02 15:04:05"), e.Rules, e.Size, e.Seed, e.Finished, 2 * e.Total.Matches, e.Total.Bound, format.Name(e.Settings.Plan)})
	}
	return rows, err
}

func eventTable(events []eventRow) cmdline.Table {
	t := cmdline.Table{Columns: []string{"event", "name", "created", "rules", "size", "seed", "finished", "games", "bound", "format"}}
	for _, e := range events {
		t.Add(e.Event, e.Name, e.Created, e.Rules, e.Size, e.Seed, e.Finished, e.Games, e.Bound, e.Format)
	}
	return t
}

func writeEvents(w io.Writer, events []eventRow, db string, width int) error {
	if len(events) == 0 {
		_, err := fmt.Fprintln(w, "no event has been played here yet; play one with: arena tournament run --db "+cmdline.Quote(db)+" --bot SPEC --bot SPEC")
		return err
	}
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "event"}, {Title: "created"}, {Title: "rules", Drop: 2}, {Title: "size", Drop: 1}, {Title: "games"}, {Title: "name", Least: 16},
	}}
	for _, e := range events {
		table.Add(fmt.Sprint(e.Event), e.Created, e.Rules.String(), e.Size.String(), e.Bound.Of(e.Finished, e.Games), plain.Line(e.Name))
	}
	_, err := fmt.Fprintln(w, table.Text(width)+"\nThe games of one: arena games --event N")
	return err
}

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "play every stored game again and compare it with its record",
		Flags: append([]cli.Flag{
			hosting.DatabaseFlag(),
			eventNumberFlag("only the games of this event", ""),
			&cli.StringFlag{Name: "census", Hidden: true},
		}, cmdline.OutputFlags()...),
		Action: onRecord(verify),
	}
}

func verify(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	out, err := cmdline.ReadOutput(c)
	if err != nil {
		return err
	}
	if folder := c.String("census"); folder != "" {
		return cmdline.Usagef("arena verify --census is in the program lab now: lab census --verify %s", cmdline.Quote(folder))
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	event := c.Int64("event")
	if event != 0 {
		if _, err := store.Event(c.Context, event); err != nil {
			return err
		}
	}
	v, err := store.Verify(c.Context, results.Filter{Event: event}, func(g results.Stored, why error) {
		fmt.Fprintf(c.App.ErrWriter, "game %d differs from its record: %s\n", g.ID, plain.Line(why.Error()))
	})
	if err != nil {
		return err
	}
	if err := out.Print(verified(v)); err != nil {
		return err
	}
	if v.Bad > 0 {
		return cmdline.ErrSilent
	}
	return nil
}

// verified returns how many games were played again, and how many differ.
func verified(v results.Verification) cmdline.Result {
	t := cmdline.Table{Columns: []string{"games", "plies", "bad"}}
	t.Add(v.Games, v.Plies, v.Bad)
	return cmdline.Tabular(v, t, func(w io.Writer) error {
		fmt.Fprintf(w, "%s, %s played again: %d differ\n", terminal.Count(v.Games, "game", "games"), terminal.Count(v.Plies, "ply", "plies"), v.Bad)
		if v.Unsummed == 0 {
			return nil
		}
		_, err := fmt.Fprintf(w, "%d of the games have no checksum, since an earlier version recorded them: "+
			"in these, changed times, dates and search reports are not found\n", v.Unsummed)
		return err
	})
}
