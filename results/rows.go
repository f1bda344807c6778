package results

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// rowWriter writes matches and games. Its statements are prepared once, since SQLite takes longer
// to parse a statement than to execute it.
type rowWriter struct {
	insertMatch, insertGame, finishGame, insertPlies, deletePlies, insertLog, insertOrigin *sql.Stmt

	// The highest numbers so far. Only one arena at a time adds rows.
	lastMatch, lastGame atomic.Int64
}

func newRowWriter(ctx context.Context, db *sql.DB) (*rowWriter, error) {
	w := &rowWriter{}
	for _, p := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&w.insertMatch, `INSERT INTO matches (id, event, number, round, nth, first, second)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`},
		{&w.insertGame, `INSERT INTO games (id, match, leg, attacker, defender, attacker_seed, defender_seed, start, started,
			finished, ending, detail, turns, times, searches, pauses, plies, score, largest_tile, checksum, attacker_bot, defender_bot)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`},
		{&w.finishGame, `UPDATE games SET finished = ?, ending = ?, detail = ?, turns = ?, times = ?, searches = ?, pauses = ?,
			plies = ?, score = ?, largest_tile = ?, checksum = ?, attacker_bot = ?, defender_bot = ? WHERE id = ? AND ending IS NULL`},
		// The plies may already be there, from a commit that succeeded although it was reported as failed.
		{&w.insertPlies, `INSERT OR REPLACE INTO journal (game, ply, moves, times, searches, pauses) VALUES (?, ?, ?, ?, ?, ?)`},
		{&w.deletePlies, `DELETE FROM journal WHERE game = ?`},
		{&w.insertOrigin, `INSERT OR REPLACE INTO origins (game, task, attempt, worker, ended) VALUES (?, ?, ?, ?, ?)`},
		{&w.insertLog, `INSERT OR REPLACE INTO logs (game, side, text) VALUES (?, ?, ?)`},
	} {
		var err error
		if *p.statement, err = db.PrepareContext(ctx, p.text); err != nil {
			return nil, err
		}
	}
	var match, game int64
	row := db.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(id), 0) FROM matches),
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'games'), 0)`)
	err := row.Scan(&match, &game)
	w.lastMatch.Store(match)
	w.lastGame.Store(game)
	return w, err
}

// writeTx is a transaction that writes rows. It keeps one copy of each prepared statement for the transaction.
// sql.Tx would make a new copy for each row, and keep all copies until the transaction ends.
type writeTx struct {
	*sql.Tx
	statements map[*sql.Stmt]*sql.Stmt
}

func newWriteTx(tx *sql.Tx) *writeTx { return &writeTx{tx, map[*sql.Stmt]*sql.Stmt{}} }

func (tx *writeTx) statement(ctx context.Context, prepared *sql.Stmt) *sql.Stmt {
	if tx.statements[prepared] == nil {
		tx.statements[prepared] = tx.StmtContext(ctx, prepared)
	}
	return tx.statements[prepared]
}

// matchRow is a match's row of the database.
type matchRow struct {
	id     int64
	stored atomic.Bool // the match is in the database
}

// match writes a match unless it is stored. It returns false, and writes nothing, if the database already has the
// match after all, or if the event has another match with that number.
func (w *rowWriter) match(ctx context.Context, tx *writeTx, m *matchRow, event int64, p tournament.Pairing) (bool, error) {
	if m.stored.Load() {
		return true, nil
	}
	return affected(tx.statement(ctx, w.insertMatch).ExecContext(ctx, m.id, event, p.Match, p.Round, p.Nth, p.First, p.Second))
}

// game writes a game, finished or in progress. It returns false, and writes nothing, if the
// database already has the game's number, or the same leg of the match.
func (w *rowWriter) game(ctx context.Context, tx *writeTx, match int64, row *gameRow) (bool, error) {
	args := append([]any{
		row.id, match, row.leg, row.attacker, row.defender, int64(row.attackerSeed), int64(row.defenderSeed), row.start, row.started,
	}, row.ended()...)
	return affected(tx.statement(ctx, w.insertGame).ExecContext(ctx, args...))
}

// finish writes the end of a recorded game, and removes its plies from the journal. It reports whether the game was in
// progress.
func (w *rowWriter) finish(ctx context.Context, tx *writeTx, row *gameRow) (bool, error) {
	changed, err := affected(tx.statement(ctx, w.finishGame).ExecContext(ctx, append(row.ended(), row.id)...))
	if err == nil && changed {
		_, err = tx.statement(ctx, w.deletePlies).ExecContext(ctx, row.id)
	}
	return changed, err
}

func (w *rowWriter) plies(ctx context.Context, tx *writeTx, game int64, c chunk) error {
	searches, err := formatSearches(c.searches)
	if err != nil {
		return err
	}
	pauses, err := formatPauses(c.pauses)
	if err != nil {
		return err
	}
	_, err = tx.statement(ctx, w.insertPlies).ExecContext(ctx, game, c.first, c.moves, c.times, searches, pauses)
	return err
}

// add writes a complete game: a finished one with the numbers of its bots' descriptions, or one in
// progress with its plies. It returns ErrRecorded if the event already has the game.
func (w *rowWriter) add(ctx context.Context, tx *writeTx, event int64, m *matchRow, g *tournament.Game, bots [2]int64) error {
	g.ID = w.lastGame.Add(1)
	row := newGameRow(event, g)
	row.bots = bots
	if g.Record.Ending != record.Unfinished {
		if err := row.finish(g); err != nil {
			return err
		}
	}
	written, err := w.match(ctx, tx, m, event, g.Pairing)
	if err == nil && written {
		m.stored.Store(true)
		written, err = w.game(ctx, tx, m.id, &row)
	}
	if err != nil {
		return err
	}
	if !written {
		return ErrRecorded
	}
	if g.Record.Ending != record.Unfinished || len(g.Record.Moves) == 0 {
		return nil
	}
	c, err := newChunk(&g.Record)
	if err != nil {
		return err
	}
	return w.plies(ctx, tx, g.ID, c)
}

func affected(done sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// newGameRow returns the row of a game of the event before its end.
func newGameRow(event int64, g *tournament.Game) gameRow {
	r := &g.Record
	return gameRow{
		id: g.ID, event: event, pairing: g.Pairing, leg: g.Leg,
		attacker: r.Attacker, defender: r.Defender, attackerSeed: r.AttackerSeed, defenderSeed: r.DefenderSeed,
		start: formatStart(r.Start), started: formatTime(g.Started),
	}
}

// finish adds the end of the game, with the plies, the score and the largest tile that the referee announces. It
// returns an error for a game that has not ended, and for a record that does not replay or lacks times.
func (row *gameRow) finish(g *tournament.Game) error {
	r := &g.Record
	last, err := r.Replay()
	if err != nil {
		return err
	}
	if r.Ending == record.Unfinished {
		return errors.New("it has not ended")
	}
	if row.times, err = packTimes(r); err != nil {
		return err
	}
	if row.searches, err = packSearches(r.Searches); err != nil {
		return err
	}
	if row.pauses, err = formatPauses(r.Pauses); err != nil {
		return err
	}
	row.finished, row.ending, row.detail = formatTime(g.Finished), string(r.Ending), r.Detail
	row.turns = record.PackTurns(r.Moves)
	row.announced = Announced{len(r.Moves), last.Score(), last.LargestTile()}
	row.checksum = row.sum()
	return nil
}

// ended returns the values of the columns that are set at a game's end.
func (row *gameRow) ended() []any {
	if row.ending == "" {
		return []any{nil, nil, row.detail, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil}
	}
	a := row.announced
	return []any{
		row.finished, row.ending, row.detail, row.turns, row.times, row.searches, row.pauses, a.Plies, a.Score, a.LargestTile, row.checksum,
		known(row.bots[rules.Attacker]), known(row.bots[rules.Defender]),
	}
}

// known returns a number of the table bots, and NULL for 0.
func known(bot int64) sql.NullInt64 { return sql.NullInt64{Int64: bot, Valid: bot != 0} }
