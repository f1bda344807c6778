package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

// Announced is what the referee announced of a finished game.
type Announced struct {
	Plies       int
	Score       int
	LargestTile int
}

// Stored is a game as it is stored.
type Stored struct {
	tournament.Game
	Event     int64
	Announced Announced // zero while the game is in progress
}

// Filter says which games are wanted. A zero field does not matter.
type Filter struct {
	Event    int64
	Game     int64
	Bot      string // in either role
	Ending   rules.Ending
	Finished bool // leave out games in progress
	Last     int  // only so many, the last ones
}

const gameQuery = `SELECT games.id, event, events.name, rules, size, number, first, second, leg, attacker, defender,
	attacker_seed, defender_seed, start, started, coalesce(finished, ''), coalesce(ending, ''), detail,
	turns, games.times, coalesce(plies, 0), coalesce(score, 0), coalesce(largest_tile, 0)
	FROM games JOIN matches ON matches.id = match JOIN events ON events.id = event`

// where are the conditions of the filter and their arguments.
func (f Filter) where() (clause string, args []any) {
	clause = " WHERE 1"
	add := func(set bool, condition string, values ...any) {
		if set {
			clause += " AND " + condition
			args = append(args, values...)
		}
	}
	add(f.Event != 0, "event = ?", f.Event)
	add(f.Game != 0, "games.id = ?", f.Game)
	add(f.Bot != "", "? IN (attacker, defender)", f.Bot)
	add(f.Ending != "" && f.Ending != rules.Unfinished, "ending = ?", string(f.Ending))
	add(f.Ending == rules.Unfinished, "ending IS NULL")
	add(f.Finished, "ending IS NOT NULL")
	add(f.Last > 0, "games.id IN (SELECT id FROM games ORDER BY id DESC LIMIT ?)", f.Last)
	return clause, args
}

// Games calls each with every game that the filter lets through, in order, with
// its moves so far.
func (s *Store) Games(ctx context.Context, f Filter, each func(Stored) error) error {
	clause, args := f.where()
	rows, err := s.db.QueryContext(ctx, gameQuery+clause+" ORDER BY games.id", args...)
	if err != nil {
		return fmt.Errorf("reading games: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		g, err := scanGame(rows)
		if err != nil {
			return fmt.Errorf("reading game %d: %w", g.ID, err)
		}
		if err := each(g); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading games: %w", err)
	}
	return nil
}

// Game finds a game, finished or in progress. It returns a *NotFoundError if
// there is none of that number.
func (s *Store) Game(ctx context.Context, id int64) (Stored, error) {
	var found Stored
	err := s.Games(ctx, Filter{Game: id}, func(g Stored) error {
		found = g
		return nil
	})
	if err == nil && found.ID == 0 {
		err = &NotFoundError{"game", id}
	}
	if err == nil && found.Record.Ending == rules.Unfinished {
		err = s.readJournal(ctx, &found.Game)
	}
	return found, err
}

func scanGame(row *sql.Rows) (g Stored, err error) {
	var ruleset, size, start, started, finished, ending string
	var turns, times []byte
	r := &g.Record
	err = row.Scan(&g.ID, &g.Event, &r.Event, &ruleset, &size, &g.Match, &g.First, &g.Second, &g.Leg, &r.Attacker, &r.Defender,
		&r.AttackerSeed, &r.DefenderSeed, &start, &started, &finished, &ending, &r.Detail,
		&turns, &times, &g.Announced.Plies, &g.Announced.Score, &g.Announced.LargestTile)
	if err != nil {
		return g, err
	}
	r.Game = strconv.FormatInt(g.ID, 10)
	if g.Started, err = parseTime(started); err != nil {
		return g, err
	}
	r.Date = g.Started.Format(time.DateOnly)
	if r.Start, err = parseStart(ruleset, size, start); err != nil {
		return g, err
	}
	if ending == "" {
		r.Ending = rules.Unfinished
		return g, nil
	}
	g.Finished, err = parseTime(finished)
	var endingErr, movesErr, timesErr error
	r.Ending, endingErr = rules.ParseEnding(ending)
	r.Moves, movesErr = rules.UnpackTurns(turns, r.Start.SideToMove())
	r.Times, r.Lags, timesErr = unpackTimes(times)
	return g, errors.Join(err, endingErr, movesErr, timesErr)
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
