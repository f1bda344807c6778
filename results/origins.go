package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"versus2048/tournament"
)

// origin records a worker of a game, unless the Origin is zero. If ended is true, the worker ended the game; otherwise
// it took part in the game.
func (w *rowWriter) origin(ctx context.Context, tx *writeTx, game int64, o tournament.Origin, ended bool) error {
	if o == (tournament.Origin{}) {
		return nil
	}
	_, err := tx.statement(ctx, w.insertOrigin).ExecContext(ctx, game, o.Task, o.Attempt, o.Worker, ended)
	return err
}

// parts records the workers that took part in a game, except for the worker that ended it.
func (w *rowWriter) parts(ctx context.Context, tx *writeTx, game int64, parts []tournament.Origin, end tournament.Origin) error {
	for _, o := range parts {
		if o.Worker == end.Worker {
			continue
		}
		if err := w.origin(ctx, tx, game, o, false); err != nil {
			return err
		}
	}
	return nil
}

// TakesPart notes that a worker of a farm plays an open game from now on. The note is written with
// the next plies.
func (j *Journal) TakesPart(game int64, o tournament.Origin) {
	j.mu.Lock()
	defer j.mu.Unlock()
	g := j.games[game]
	g.parts = append(g.parts, o)
}

// Origin returns the origin of a finished game: the task and the worker that played it to its end. It is zero
// for a game that the arena played itself, and for a game in progress. Exports do not contain origins.
func (s *Reader) Origin(ctx context.Context, game int64) (o tournament.Origin, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT task, attempt, worker FROM origins WHERE game = ? AND ended`, game).Scan(&o.Task, &o.Attempt, &o.Worker)
	if errors.Is(err, sql.ErrNoRows) {
		return o, nil
	}
	return o, wrap(err, "reading the origin of game %d", game)
}

// reopening has the statements that take a game back to its start: they remove its result, its
// plies, its logs and its origins.
var reopening = []string{
	`UPDATE games SET finished = NULL, ending = NULL, detail = '', turns = NULL, times = NULL, searches = NULL, pauses = NULL,
		plies = NULL, score = NULL, largest_tile = NULL, checksum = NULL, attacker_bot = NULL, defender_bot = NULL WHERE id = ?`,
	`DELETE FROM journal WHERE game = ?`,
	`DELETE FROM logs WHERE game = ?`,
	`DELETE FROM origins WHERE game = ?`,
}

// Reopen takes games of an event back to their start, so that they are played again: the given games, and all games
// that a worker of a farm has played, wholly or in part. If the first game of a match decides when the second one ends,
// Reopen takes back the second game, too. If adapts is true, results decide the later pairings, and Reopen also removes
// all matches after the first match of these games, with their games. It returns the number of games that it has taken
// back or removed. The event must not be in progress.
func (s *Store) Reopen(ctx context.Context, event int64, worker string, games []int64, adapts bool) (n int, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		back, err := playedBy(ctx, tx, event, worker, games)
		if err == nil {
			back, err = withSeconds(ctx, tx, event, back)
		}
		if err != nil || len(back) == 0 {
			return err
		}
		n = len(back)
		for _, game := range back {
			if err := reopen(ctx, tx, game); err != nil {
				return err
			}
		}
		if !adapts {
			return nil
		}
		removed, err := removeLater(ctx, tx, event, back)
		all := append(removed, back...) // some are in both
		slices.Sort(all)
		n = len(slices.Compact(all))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("taking back the games of worker %q: %w", worker, err)
	}
	if n > 0 {
		s.ends.takenBack()
	}
	return n, nil
}

// playedBy returns the given games, and all games of an event that a worker has played, wholly or in part.
func playedBy(ctx context.Context, tx *sql.Tx, event int64, worker string, games []int64) ([]int64, error) {
	played, err := query(ctx, tx, scanOne[int64], `SELECT game FROM origins WHERE worker = ? AND `+gamesOfEvent, worker, event)
	all := append(played, games...)
	slices.Sort(all)
	return slices.Compact(all), err
}

// withSeconds returns the games, and the second game of each match that has its first game among them,
// if the first game decides when the second one ends.
func withSeconds(ctx context.Context, tx *sql.Tx, event int64, games []int64) ([]int64, error) {
	e, err := readEvent(ctx, tx, event)
	if err != nil || !e.Settings.Adjudication.EarlyDecision {
		return games, err
	}
	all := slices.Clone(games)
	for _, game := range games {
		second, err := query(ctx, tx, scanOne[int64], `SELECT id FROM games WHERE leg = 2 AND match = (SELECT match FROM games WHERE id = ? AND leg = 1)`, game)
		if err != nil {
			return nil, err
		}
		all = append(all, second...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func reopen(ctx context.Context, tx *sql.Tx, game int64) error {
	for _, statement := range reopening {
		if _, err := tx.ExecContext(ctx, statement, game); err != nil {
			return err
		}
	}
	return nil
}

// removeLater removes an event's matches after the first match of these games, and returns the games in the
// removed matches.
func removeLater(ctx context.Context, tx *sql.Tx, event int64, games []int64) (later []int64, err error) {
	first := int64(math.MaxInt64)
	for _, game := range games {
		var number int64
		if err := tx.QueryRowContext(ctx, `SELECT number FROM matches WHERE id = (SELECT match FROM games WHERE id = ?)`, game).Scan(&number); err != nil {
			return nil, err
		}
		first = min(first, number)
	}
	later, err = query(ctx, tx, scanOne[int64], `SELECT games.id FROM games JOIN matches ON matches.id = games.match WHERE event = ? AND number > ?`, event, first)
	for _, game := range later {
		if err == nil {
			err = reopen(ctx, tx, game)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM games WHERE id = ?`, game)
		}
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM matches WHERE event = ? AND number > ?`, event, first)
	}
	return later, err
}
