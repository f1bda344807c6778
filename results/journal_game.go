package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// ErrRecorded says that the game has its final record already.
var ErrRecorded = errors.New("the game is recorded already")

// Open begins the game, or finds it again with the plies that were kept. It
// returns ErrRecorded for a finished game, and an error where the game on
// record has other players, seeds or another start.
func (j *Journal) Open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	var found tournament.Game
	err := j.store.update(ctx, func(tx *sql.Tx) error {
		id, err := j.insert(ctx, tx, &g)
		if err != nil {
			return err
		}
		stored, err := findGame(ctx, tx, id)
		if err != nil {
			return err
		}
		found = stored.Game
		return sameGame(&found, &g)
	})
	if err != nil {
		return g, fmt.Errorf("opening game %d of match %d: %w", g.Leg, g.Match, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queues[found.ID] = &chunk{first: len(found.Record.Moves)}
	return found, nil
}

// insert puts a game and its match into the database unless they are there, and
// returns the game's number.
func (j *Journal) insert(ctx context.Context, tx *sql.Tx, g *tournament.Game) (id int64, err error) {
	var match int64
	row := tx.QueryRowContext(ctx, `INSERT INTO matches (event, number, round, nth, first, second) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET number = excluded.number RETURNING id`, j.event, g.Match, g.Round, g.Nth, g.First, g.Second)
	if err := row.Scan(&match); err != nil {
		return 0, err
	}
	r := &g.Record
	row = tx.QueryRowContext(ctx, `INSERT INTO games (match, leg, attacker, defender, attacker_seed, defender_seed, start, started)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET leg = excluded.leg RETURNING id`,
		match, g.Leg, r.Attacker, r.Defender, int64(r.AttackerSeed), int64(r.DefenderSeed), formatStart(r.Start), formatTime(g.Started))
	return id, row.Scan(&id)
}

// sameGame checks that the game on record is still to be played, and is the one
// that is meant.
func sameGame(found, meant *tournament.Game) error {
	a, b := &found.Record, &meant.Record
	switch {
	case a.Ending != record.Unfinished:
		return ErrRecorded
	case found.Pairing != meant.Pairing || a.Attacker != b.Attacker || a.Defender != b.Defender:
		return fmt.Errorf("%s attacks %s, but on record %s attacks %s", b.Attacker, b.Defender, a.Attacker, a.Defender)
	case a.AttackerSeed != b.AttackerSeed || a.DefenderSeed != b.DefenderSeed:
		return fmt.Errorf("seeds %d and %d, but on record %d and %d", b.AttackerSeed, b.DefenderSeed, a.AttackerSeed, a.DefenderSeed)
	case a.Start != b.Start:
		return fmt.Errorf("it starts from %v, but on record from %v", b.Start, a.Start)
	}
	return nil
}

// Finish records the finished game and removes its journal. When it returns nil
// the game is on disk. It returns ErrRecorded, and changes nothing, if the game
// has its record already.
func (j *Journal) Finish(ctx context.Context, g tournament.Game) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	err := j.store.update(ctx, func(tx *sql.Tx) error {
		if err := finishGame(ctx, tx, &g); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE game = ?`, g.ID)
		return err
	})
	if err != nil {
		return fmt.Errorf("recording game %d: %w", g.ID, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.queues, g.ID)
	return nil
}

// finishGame gives a game in progress its final record, with what the referee
// announces of it.
func finishGame(ctx context.Context, tx *sql.Tx, g *tournament.Game) error {
	r := &g.Record
	last, err := r.Replay()
	if err != nil {
		return err
	}
	if r.Ending == record.Unfinished {
		return errors.New("it has not ended")
	}
	times, err := packTimes(r)
	if err != nil {
		return err
	}
	searches, err := packSearches(r.Searches)
	if err != nil {
		return err
	}
	done, err := tx.ExecContext(ctx, `UPDATE games SET finished = ?, ending = ?, detail = ?, turns = ?, times = ?, searches = ?, plies = ?, score = ?, largest_tile = ?
		WHERE id = ? AND ending IS NULL`, formatTime(g.Finished), string(r.Ending), r.Detail, record.PackTurns(r.Moves), times, searches,
		len(r.Moves), last.Score(), last.LargestTile(), g.ID)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return err
	}
	if _, err := findGame(ctx, tx, g.ID); err != nil {
		return err
	}
	return ErrRecorded
}

// Finished lists the event's finished games, without search reports.
func (j *Journal) Finished(ctx context.Context) ([]tournament.Game, error) {
	return j.store.FinishedGames(ctx, j.event)
}
