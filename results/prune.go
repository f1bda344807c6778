package results

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// EventSize tells how many bytes of a database an event takes, and whether the event can be removed.
type EventSize struct {
	Event      int64     `json:"event"` // its number
	Name       string    `json:"name"`
	Last       time.Time `json:"last"`         // when its last game began or ended, or when the event was created
	Games      int       `json:"games"`        // those of voided matches included
	Unfinished int       `json:"unfinished"`   // of Games, those in progress
	Records    int64     `json:"record_bytes"` // moves, times and pauses
	Searches   int64     `json:"search_bytes"` // search reports
	Logs       int64     `json:"log_bytes"`    // the standard error output of programs
	Needed     bool      `json:"needed"`       // another table refers to it, such as the agenda of events to be played
}

// EventSizes returns the size of each event, by number. A size includes the voided matches, since RemoveEvent removes
// them, too.
func (s *Reader) EventSizes(ctx context.Context) (sizes []EventSize, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		needed, err := neededEvents(ctx, tx)
		if err != nil {
			return err
		}
		sizes, err = query(ctx, tx, func(rows *sql.Rows) (e EventSize, err error) {
			err = rows.Scan(&e.Event, &e.Name, asText{&e.Last}, &e.Games, &e.Unfinished, &e.Records, &e.Searches, &e.Logs)
			e.Needed = needed[e.Event]
			return e, err
		}, `SELECT events.id, name, max(created, coalesce(max(max(started, coalesce(finished, started))), created)),
			count(games.id), count(games.id) - count(ending),
			coalesce(sum(length(turns) + length(times) + coalesce(length(pauses), 0)), 0), coalesce(sum(length(searches)), 0),
			(SELECT coalesce(sum(length(text)), 0) FROM games JOIN logs ON game = games.id WHERE match IN (`+matchesOfEach+`))
			FROM events LEFT JOIN games ON match IN (`+matchesOfEach+`)
			GROUP BY events.id ORDER BY events.id`)
		return err
	})
	return sizes, err
}

// eventPart is a table with rows of events, and the condition for the rows of one event. RemoveEvent deletes these
// rows.
type eventPart struct{ table, condition string }

func (p eventPart) deletion() string { return "DELETE FROM " + p.table + " WHERE " + p.condition }

// eventParts lists these tables. Each table comes before the tables that it refers to.
var eventParts = []eventPart{
	{"logs", gamesEver},
	{"origins", gamesEver},
	{"journal", gamesEver},
	{"games", `match IN (` + matchesEver + `)`},
	{"matches", `id IN (` + matchesEver + `)`},
	{"stays", `event = ?`},
	{"participants", `event = ?`},
	{"entries", `event = ?`},
	{"events", `id = ?`},
}

const (
	gamesOfEvent = `game IN (SELECT games.id FROM games JOIN matches ON match = matches.id WHERE event = ?)`
	// matchesEver and gamesEver also select voided matches and their games. matchesOfEach is matchesEver for each row of
	// events.
	matchesEver   = `SELECT id FROM matches WHERE event = ?1 UNION ALL SELECT id FROM matches WHERE voided_of = ?1`
	matchesOfEach = `SELECT id FROM matches WHERE event = events.id UNION ALL SELECT id FROM matches WHERE voided_of = events.id`
	gamesEver     = `game IN (SELECT id FROM games WHERE match IN (` + matchesEver + `))`
)

// takeOffAgenda are the statements that remove a stopped event from the agenda, and its number from
// the other items of its series.
var takeOffAgenda = []string{`DELETE FROM agenda WHERE event = ?`, `UPDATE agenda SET series = NULL WHERE series = ?`}

// neededEvents returns the events that tables outside eventParts refer to. References from stopped
// items of the agenda do not count.
func neededEvents(ctx context.Context, tx *sql.Tx) (map[int64]bool, error) {
	var parts []string
	for _, p := range eventParts {
		parts = append(parts, "'"+p.table+"'")
	}
	columns, err := query(ctx, tx, func(rows *sql.Rows) (statement string, err error) {
		var table, column string
		err = rows.Scan(&table, &column)
		statement = fmt.Sprintf("SELECT %q FROM %q WHERE %[1]q IS NOT NULL", column, table)
		if table == "agenda" {
			statement += " AND wanted <> 'stopped'"
		}
		return statement, err
	}, `SELECT t.name, f."from" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f
		WHERE t.type = 'table' AND f."table" = 'events' AND t.name NOT IN (`+strings.Join(parts, ", ")+`)`)
	needed := map[int64]bool{}
	for _, statement := range columns {
		if err == nil {
			err = queryEach(ctx, tx, func(rows *sql.Rows) error {
				var event int64
				err := rows.Scan(&event)
				needed[event] = true
				return err
			}, statement)
		}
	}
	return needed, err
}

// ErrNeeded means that an event is yet to be played, or that another event needs it.
var ErrNeeded = errors.New("the arena still needs it: stop it first (arena event stop)")

// RemoveEvent removes an event with its games, logs and journal. If the event is stopped,
// RemoveEvent also removes it from the agenda. It returns a *NotFoundError or ErrNeeded. The
// numbers of the event and of its games are not used again. The bots' descriptions are kept.
func (s *Store) RemoveEvent(ctx context.Context, id int64) error {
	err := s.update(ctx, func(tx *sql.Tx) error {
		if _, err := readEvent(ctx, tx, id); err != nil {
			return err
		}
		needed, err := neededEvents(ctx, tx)
		if err != nil {
			return err
		}
		if needed[id] {
			return ErrNeeded
		}
		for _, statement := range takeOffAgenda {
			if _, err := tx.ExecContext(ctx, statement, id); err != nil {
				return fmt.Errorf("table agenda: %w", err)
			}
		}
		for _, p := range eventParts {
			if _, err := tx.ExecContext(ctx, p.deletion(), id); err != nil {
				return fmt.Errorf("table %s: %w", p.table, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing event %d: %w", id, err)
	}
	s.ends.takenBack()
	return nil
}

// Extra is a part of a finished game that may be removed.
type Extra string

// The extras: the bots' search reports, and the standard error output of programs.
const (
	Searches Extra = "searches"
	Logs     Extra = "logs"
)

// from returns the tables and the condition for games that have the extra, and the SQL of the
// extra's length in bytes.
func (x Extra) from() (tables, condition, length string) {
	if x == Logs {
		return gameTables + " JOIN logs ON logs.game = games.id", "", "length(logs.text)"
	}
	return gameTables, " AND searches IS NOT NULL", "length(searches)"
}

// Aged selects finished games.
type Aged struct {
	Before time.Time // they ended before this time; zero selects all times
	Events []int64   // they are of these events; nil selects all events
}

func (a Aged) where() (clause string, args []any) {
	s := selection{clause: " WHERE ending IS NOT NULL"}
	// As texts, the times would be out of order: they have different numbers of decimals.
	s.add(!a.Before.IsZero(), "julianday(finished) < julianday(?)", formatTime(a.Before))
	events, _ := json.Marshal(a.Events) // never fails for numbers
	s.add(a.Events != nil, "events.id IN (SELECT value FROM json_each(?))", string(events))
	return s.clause, s.args
}

// Extras counts the games that have an extra, and the bytes of all their extras.
type Extras struct {
	Games int   `json:"games"`
	Bytes int64 `json:"bytes"`
	Bad   int   `json:"bad"` // games that kept their extra, since they differ from their checksum
}

// Extras counts the extras that RemoveExtras would remove, and the search reports of games that differ from their
// checksums, which RemoveExtras would keep.
func (s *Reader) Extras(ctx context.Context, x Extra, a Aged) (e Extras, err error) {
	tables, condition, length := x.from()
	clause, args := a.where()
	statement := "SELECT count(DISTINCT games.id), coalesce(sum(" + length + "), 0)" + tables + clause + condition
	err = s.view(ctx, func(tx *sql.Tx) error { return tx.QueryRowContext(ctx, statement, args...).Scan(&e.Games, &e.Bytes) })
	return e, err
}

// extrasAtOnce is the number of games that lose an extra in one transaction.
const extrasAtOnce = 200

// RemoveExtras removes an extra from games, and counts as Extras does. A game without its search reports gets a new
// checksum. A game that differs from its old checksum keeps its search reports. After an error, the games of earlier
// transactions have lost the extra, and the counts are 0.
func (s *Store) RemoveExtras(ctx context.Context, x Extra, a Aged) (e Extras, err error) {
	if e, err = s.Extras(ctx, x, a); err != nil {
		return e, err
	}
	tables, condition, _ := x.from()
	clause, args := a.where()
	ids, err := query(ctx, s.read, scanOne[int64], "SELECT DISTINCT games.id"+tables+clause+condition+" ORDER BY games.id", args...)
	remove := removeSearches
	if x == Logs {
		remove = removeLogs
	}
	if err != nil {
		return Extras{}, err
	}
	for some := range slices.Chunk(ids, extrasAtOnce) {
		err := s.update(ctx, func(tx *sql.Tx) error {
			for _, id := range some {
				kept, err := remove(ctx, tx, id)
				if err != nil {
					return fmt.Errorf("game %d: %w", id, err)
				}
				e.Games -= kept.Games
				e.Bytes -= kept.Bytes
				e.Bad += kept.Games
			}
			return nil
		})
		if err != nil {
			return Extras{}, err
		}
	}
	return e, nil
}

func removeLogs(ctx context.Context, tx *sql.Tx, game int64) (kept Extras, err error) {
	_, err = tx.ExecContext(ctx, `DELETE FROM logs WHERE game = ?`, game)
	return Extras{}, err
}

// removeSearches leaves a game that differs from its checksum unchanged, and then counts it in kept.
func removeSearches(ctx context.Context, tx *sql.Tx, game int64) (kept Extras, err error) {
	var sum []byte
	if err := eachGameRow(ctx, tx, Filter{Game: game, Searches: true}, func(row *gameRow) error {
		if row.verifySum() != nil {
			kept = Extras{Games: 1, Bytes: int64(len(row.searches))}
			return nil
		}
		if row.searches = nil; row.checksum != nil {
			sum = row.sum()
		}
		return nil
	}); err != nil || kept.Games > 0 {
		return kept, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE games SET searches = NULL, checksum = ? WHERE id = ?`, sum, game)
	return Extras{}, err
}

// Shrink gives the room of removed games and extras back to the disk. While it runs, it needs twice
// the room of the remaining data. It changes nothing if the disk has too little room.
func (s *Store) Shrink(ctx context.Context) error {
	if err := s.place.check(ctx); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx, `VACUUM`)
	if err == nil {
		_, err = s.write.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	if s.place != nil {
		s.place.shrunk()
	}
	if err != nil {
		return fmt.Errorf("giving room back to the disk: %w", explained(err))
	}
	return nil
}
