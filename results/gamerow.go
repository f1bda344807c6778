package results

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// gameRow is a game as it stands in the database, which may be damaged.
type gameRow struct {
	id, event                  int64
	eventName, rules, size     string
	pairing                    tournament.Pairing
	leg                        int
	attacker, defender         string
	attackerSeed, defenderSeed uint64
	start, started             string
	finished, ending, detail   string // "" while the game is in progress
	turns, times               []byte // nil while the game is in progress
	searches                   []byte // nil also where there are none, or they are not wanted
	announced                  Announced
}

const (
	gameColumns = `games.id, event, events.name, rules, size, number, round, nth, first, second, leg, attacker, defender,
		attacker_seed, defender_seed, start, started, coalesce(finished, ''), coalesce(ending, ''), detail,
		turns, games.times, iif(?, games.searches, NULL), coalesce(plies, 0), coalesce(score, 0), coalesce(largest_tile, 0)`
	gameTables = ` FROM games JOIN matches ON matches.id = match JOIN events ON events.id = event`
)

func eachGameRow(ctx context.Context, tx *sql.Tx, f Filter, each func(*gameRow) error) error {
	var row gameRow
	columns := []any{
		&row.id, &row.event, &row.eventName, &row.rules, &row.size, &row.pairing.Match, &row.pairing.Round, &row.pairing.Nth, &row.pairing.First, &row.pairing.Second,
		&row.leg, &row.attacker, &row.defender, &row.attackerSeed, &row.defenderSeed, &row.start, &row.started,
		&row.finished, &row.ending, &row.detail, &row.turns, &row.times, &row.searches,
		&row.announced.Plies, &row.announced.Score, &row.announced.LargestTile,
	}
	var eachErr error
	clause, args := f.where()
	err := queryEach(ctx, tx, func(rows *sql.Rows) error {
		if err := rows.Scan(columns...); err != nil {
			return err
		}
		eachErr = each(&row)
		return eachErr
	}, "SELECT "+gameColumns+gameTables+clause+" ORDER BY games.id", append([]any{f.Searches}, args...)...)
	if err != nil && eachErr == nil {
		return fmt.Errorf("reading games: %w", err)
	}
	return err
}

// game is the game of the row; where it is in progress, without its moves.
func (row *gameRow) game() (Stored, error) {
	g := Stored{Event: row.event, Announced: row.announced}
	g.ID, g.Pairing, g.Leg = row.id, row.pairing, row.leg
	g.Record = record.Record{
		Event:        row.eventName,
		Game:         strconv.FormatInt(row.id, 10),
		Attacker:     row.attacker,
		Defender:     row.defender,
		AttackerSeed: row.attackerSeed,
		DefenderSeed: row.defenderSeed,
		Ending:       record.Unfinished,
		Detail:       row.detail,
	}
	var startErr, startedErr, endErr error
	g.Record.Start, startErr = parseStart(row.rules, row.size, row.start)
	g.Started, startedErr = parseTime(row.started)
	g.Record.Date = g.Started.Format(time.DateOnly)
	if row.ending != "" {
		endErr = row.end(&g.Game)
	}
	return g, cmp.Or(startErr, startedErr, endErr)
}

// end sets what a finished game has.
func (row *gameRow) end(g *tournament.Game) error {
	var finishedErr, endingErr, movesErr, timesErr, searchesErr error
	g.Finished, finishedErr = parseTime(row.finished)
	r := &g.Record
	r.Ending, endingErr = record.ParseEnding(row.ending)
	r.Moves, movesErr = record.UnpackTurns(row.turns, r.Start.SideToMove())
	r.Times, r.Lags, timesErr = unpackTimes(row.times)
	r.Searches, searchesErr = unpackSearches(row.searches)
	return cmp.Or(finishedErr, endingErr, movesErr, timesErr, searchesErr)
}

// formatStart writes a game's start; the empty board is "".
func formatStart(p rules.Position) string {
	if p == rules.NewPosition(p.Rules(), p.Size()) {
		return ""
	}
	return p.String()
}

func parseStart(ruleset, size, start string) (rules.Position, error) {
	r, err := rules.ParseRuleset(ruleset)
	if err != nil {
		return rules.Position{}, err
	}
	if start != "" {
		return rules.ParsePosition(r, start)
	}
	s, err := rules.ParseSize(size)
	return rules.NewPosition(r, s), err
}
