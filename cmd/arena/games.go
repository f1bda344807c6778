package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

func gamesCommand() *cli.Command {
	return &cli.Command{
		Name:  "games",
		Usage: "list the events of a database, and the games of one",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.Int64Flag{Name: "event", Usage: "list the games of this event"},
			&cli.StringFlag{Name: "bot", Usage: "list the games of this bot"},
			&cli.StringFlag{Name: "ending", Usage: "list the games with this ending: mate, illegal-move, time, disconnect, resigned, max-turns, max-tile, decided or unfinished"},
			&cli.IntFlag{Name: "last", Usage: "list only so many, the last ones"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: listGames,
	}
}

func listGames(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	filter := results.Filter{Event: c.Int64("event"), Bot: c.String("bot"), Last: c.Int("last")}
	if filter.Last < 0 {
		return cmdline.Usagef("--last %d: want 1 or more", filter.Last)
	}
	if text := c.String("ending"); text != "" {
		ending, err := record.ParseEnding(text)
		if err != nil {
			return cmdline.WrongUsage(err)
		}
		filter.Ending = ending
	}
	return reading(c, func(store *results.Store) error {
		if filter == (results.Filter{}) {
			return listEvents(c, store)
		}
		if filter.Event != 0 {
			if _, err := store.Event(c.Context, filter.Event); err != nil {
				return err
			}
		}
		rows := []gameRow{}
		err := store.Games(c.Context, filter, func(g results.Stored) error {
			rows = append(rows, newGameRow(g))
			return nil
		})
		switch {
		case err != nil:
			return err
		case c.Bool("json"):
			return writeJSON(c.App.Writer, rows)
		}
		return writeGames(c.App.Writer, rows)
	})
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
}

func newGameRow(g results.Stored) gameRow {
	return gameRow{
		Game: g.ID, Event: g.Event, Match: g.Match, Leg: g.Leg, Date: g.Record.Date,
		Attacker: g.Record.Attacker, Defender: g.Record.Defender, Ending: g.Record.Ending, Detail: g.Record.Detail,
		Score: g.Announced.Score, LargestTile: g.Announced.LargestTile, Plies: g.Announced.Plies,
	}
}

func writeGames(w io.Writer, rows []gameRow) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "game\tevent\tmatch\tattacker\tdefender\tscore\ttile\tplies\tending\t")
	for _, g := range rows {
		if g.Ending == record.Unfinished {
			fmt.Fprintf(table, "%d\t%d\t%d.%d\t%s\t%s\t-\t-\t-\t%s\t\n", g.Game, g.Event, g.Match, g.Leg, g.Attacker, g.Defender, g.Ending)
			continue
		}
		fmt.Fprintf(table, "%d\t%d\t%d.%d\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", g.Game, g.Event, g.Match, g.Leg,
			g.Attacker, g.Defender, g.Score, g.LargestTile, g.Plies, g.Ending, g.Detail)
	}
	return table.Flush()
}

func listEvents(c *cli.Context, store *results.Store) error {
	events, err := store.Events(c.Context)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, newEventRows(events))
	}
	if len(events) == 0 {
		_, err := fmt.Fprintln(c.App.Writer, "no event has been played here yet; play one with: arena tournament run --db "+quote(c.String("db"))+" --bot SPEC --bot SPEC")
		return err
	}
	table := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "event\tcreated\trules\tsize\tgames\tname")
	for _, e := range newEventRows(events) {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\n", e.Event, e.Created, e.Rules, e.Size, e.Bound.Of(e.Finished, e.Games), e.Name)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.App.Writer, "\nThe games of one: arena games --event N")
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
	Games    int              `json:"games"`           // in all, 0 where there is no end
	Bound    tournament.Bound `json:"bound,omitempty"` // what Games is
	Format   string           `json:"format"`
}

func newEventRows(events []results.EventProgress) []eventRow {
	rows := []eventRow{}
	for _, e := range events {
		rows = append(rows, eventRow{e.ID, e.Name, e.Created.Format("2006-01-02 15:04:05"), e.Rules, e.Size, e.Seed, e.Finished, 2 * e.Total.Matches, e.Total.Bound, format.Name(e.Settings.Plan)})
	}
	return rows
}
