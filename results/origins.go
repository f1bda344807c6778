package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"versus2048/tournament"
)

// origin writes where a game was played that has ended.
func (w *rowWriter) origin(ctx context.Context, tx *writeTx, game int64, o tournament.Origin) error {
	if o == (tournament.Origin{}) {
		return nil
	}
	_, err := tx.statement(ctx, w.insertOrigin).ExecContext(ctx, game, o.Task, o.Attempt, o.Worker)
	return err
}

// Origin returns where a finished game was played; zero for one that the arena played itself, and for one in
// progress. Exports do not have it.
func (s *Store) Origin(ctx context.Context, game int64) (o tournament.Origin, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT task, attempt, worker FROM origins WHERE game = ?`, game).Scan(&o.Task, &o.Attempt, &o.Worker)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil
	}
	if err != nil {
		return o, fmt.Errorf("reading the origin of game %d: %w", game, err)
	}
	return o, nil
}

// reopening takes a game back to its start: what it had after that, and who played it.
var reopening = []string{
	`UPDATE games SET finished = NULL, ending = NULL, detail = '', turns = NULL, times = NULL, searches = NULL, pauses = NULL,
		plies = NULL, score = NULL, largest_tile = NULL, checksum = NULL, attacker_bot = NULL, defender_bot = NULL WHERE id = ?`,
	`DELETE FROM journal WHERE game = ?`,
	`DELETE FROM logs WHERE game = ?`,
	`DELETE FROM origins WHERE game = ?`,
}

// Reopen takes the games of the event that a worker of a farm has played, and the given ones, back to their start, so
// that they are played again. It returns how many. The event must not be being played.
func (j *Journal) Reopen(ctx context.Context, worker string, games []int64) (n int, err error) {
	err = j.store.update(ctx, func(tx *sql.Tx) error {
		played, err := query(ctx, tx, func(row *sql.Rows) (id int64, err error) { return id, row.Scan(&id) },
			`SELECT game FROM origins WHERE worker = ? AND `+gamesOfEvent, worker, j.event)
		if err != nil {
			return err
		}
		all := map[int64]bool{}
		for _, game := range append(played, games...) {
			all[game] = true
		}
		for game := range all {
			for _, statement := range reopening {
				if _, err := tx.ExecContext(ctx, statement, game); err != nil {
					return err
				}
			}
		}
		n = len(all)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("taking back the games of worker %q: %w", worker, err)
	}
	return n, nil
}
