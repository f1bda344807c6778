package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// endedGame is a finished game that is not written yet.
type endedGame struct {
	*openGame
	row   gameRow
	logs  [2][]byte // by side, packed
	from  tournament.Origin
	parts []tournament.Origin // the workers that took part in it and were not written before it ended
	done  bool                // the write has succeeded or failed
	err   error               // the reason why it was not written, or nil
}

// batch holds the games and plies for one transaction.
type batch struct {
	ended []*endedGame
	open  []openPlies
}

// openPlies is a game in progress with a row or plies to be written.
type openPlies struct {
	*openGame
	plies chunk
	from  []tournament.Origin // the workers that have played these plies
}

// end queues a game that has ended. It returns ErrRecorded for a game with a final record, and an
// error for a game that is not open or not complete.
func (j *Journal) end(ctx context.Context, g *tournament.Game) (*endedGame, error) {
	j.mu.Lock()
	opened := j.games[g.ID]
	j.mu.Unlock()
	if opened == nil {
		return nil, j.notOpen(ctx, g.ID)
	}
	e := &endedGame{openGame: opened, row: opened.row, logs: packLogs(g.Logs), from: g.Origin}
	e.row.bots = j.numbersOf(g)
	if err := e.row.finish(g); err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	e.parts = opened.parts
	j.ended = append(j.ended, e)
	return e, nil
}

// notOpen returns the reason why a game that is not open cannot be finished.
func (j *Journal) notOpen(ctx context.Context, id int64) error {
	stored, err := j.store.Game(ctx, id)
	switch {
	case err != nil:
		return err
	case stored.Record.Ending != record.Unfinished:
		return ErrRecorded
	}
	return errors.New("it was not opened here")
}

// queued returns all games and plies that are waiting to be written. Plies that are appended later
// do not change the result.
func (j *Journal) queued() batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := batch{ended: slices.Clone(j.ended)}
	ending := map[*openGame]bool{}
	for _, e := range b.ended {
		ending[e.openGame] = true
	}
	for _, g := range j.games {
		if !ending[g] && (!g.stored.Load() || len(g.queue.moves) > 0) {
			b.open = append(b.open, openPlies{g, g.queue, g.parts})
		}
	}
	if j.waits.begin(); len(b.ended) == 0 && len(b.open) == 0 {
		j.waits = unwritten{} // the waiting plies have been written with their ended games
	}
	return b
}

func (j *Journal) queuedEnds() batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	return batch{ended: slices.Clone(j.ended)}
}

// write writes a batch in one transaction, for all callers that wait for it. The caller holds j.writing.
func (j *Journal) write(ctx context.Context, b batch) error {
	if len(b.ended) == 0 && len(b.open) == 0 {
		return j.store.place.check(ctx)
	}
	ctx = context.WithoutCancel(ctx)
	began := time.Now()
	err := j.store.update(ctx, func(tx *sql.Tx) error { return j.writeBatch(ctx, newWriteTx(tx), j.store.rows, b) })
	j.store.ends.recorded.Add(int64(len(b.ended)))
	took := time.Since(began)
	delay := j.settle(b, err)
	if j.store.told != nil {
		j.store.told(Write{delay, took, err})
	}
	return err
}

// settle removes a batch from the queues. If the batch could not be written, its ended games leave the queue with the
// error, and its plies stay. settle returns the time that the oldest ply waited for the write.
func (j *Journal) settle(b batch, err error) (delay time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range b.ended {
		e.done = true
		if err != nil {
			e.err = err // without err, writeBatch has set e.err
			continue
		}
		e.match.stored.Store(true)
		j.forget(e.openGame)
	}
	j.ended = slices.DeleteFunc(j.ended, func(e *endedGame) bool { return e.done })
	if err == nil {
		drop(b.open)
	}
	return j.waits.end(err)
}

// writeBatch writes a batch. If a game already has a final record, only that game fails.
func (j *Journal) writeBatch(ctx context.Context, tx *writeTx, w *rowWriter, b batch) error {
	for _, e := range b.ended {
		written, err := j.writeEnd(ctx, tx, w, e)
		if err != nil {
			return err
		}
		if !written {
			e.err = ErrRecorded
		}
	}
	for _, g := range b.open {
		if err := j.writeOpen(ctx, tx, w, g); err != nil {
			return err
		}
	}
	return nil
}

// save writes all queued games and plies into a copy of the database, as the next transaction would write them.
func (j *Journal) save(ctx context.Context, in *sql.Tx, w *rowWriter) error {
	tx := newWriteTx(in)
	b := j.queued()
	for _, e := range b.ended {
		if _, err := j.writeEnd(ctx, tx, w, e); err != nil {
			return err
		}
	}
	return j.writeBatch(ctx, tx, w, batch{open: b.open})
}

// writeEnd writes a game that has ended. written is false if the game already has its final record.
func (j *Journal) writeEnd(ctx context.Context, tx *writeTx, w *rowWriter, e *endedGame) (written bool, err error) {
	if !e.stored.Load() {
		if _, err := w.match(ctx, tx, &e.match.matchRow, j.event, e.row.pairing); err != nil {
			return false, err
		}
		written, err = w.game(ctx, tx, e.match.id, &e.row)
	}
	if err == nil && !written {
		written, err = w.finish(ctx, tx, &e.row)
	}
	if err != nil || !written {
		return written, err
	}
	if err = w.logs(ctx, tx, e.row.id, e.logs); err == nil {
		err = w.parts(ctx, tx, e.row.id, e.parts, e.from)
	}
	if err == nil {
		err = w.origin(ctx, tx, e.row.id, e.from, true)
	}
	return true, err
}

// writeOpen writes the plies of a game in progress, with its row if it is new.
func (j *Journal) writeOpen(ctx context.Context, tx *writeTx, w *rowWriter, g openPlies) error {
	if !g.stored.Load() {
		if _, err := w.match(ctx, tx, &g.match.matchRow, j.event, g.row.pairing); err != nil {
			return err
		}
		if _, err := w.game(ctx, tx, g.match.id, &g.row); err != nil {
			return err
		}
	}
	if len(g.plies.moves) == 0 {
		return nil
	}
	if err := w.parts(ctx, tx, g.row.id, g.from, tournament.Origin{}); err != nil {
		return err
	}
	return w.plies(ctx, tx, g.row.id, g.plies)
}

// drop notes that the rows of these games are in the database, and removes the written plies and workers from the
// queues.
func drop(written []openPlies) {
	for _, g := range written {
		g.stored.Store(true)
		g.match.stored.Store(true)
		g.queue.drop(g.plies)
		if len(g.plies.moves) > 0 {
			g.parts = g.parts[len(g.from):]
		}
	}
}

// openMatch is a match with games that the journal has opened.
type openMatch struct {
	matchRow
	recorded bool    // it was in the database before the journal opened a game of it
	opened   [2]bool // by leg
	finished int     // games, with the games that an earlier journal has finished
}

// openGame is a game between its Open and its Finish.
type openGame struct {
	match  *openMatch
	row    gameRow
	stored atomic.Bool         // the row is in the database
	queue  chunk               // plies not yet written
	parts  []tournament.Origin // the workers that have taken part in it, not yet written
}

// Open begins the game, or finds it again with its stored plies. It returns ErrRecorded for a finished game, and an
// error if the recorded game has another pairing, other players, other seeds or another start.
func (j *Journal) Open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	j.opening.Lock()
	defer j.opening.Unlock()
	found, err := j.open(ctx, g)
	if err != nil {
		return g, fmt.Errorf("opening game %d of match %d: %w", g.Leg, g.Match, err)
	}
	j.wake()
	return found, nil
}

func (j *Journal) open(ctx context.Context, g tournament.Game) (tournament.Game, error) {
	m, err := j.match(ctx, g.Match)
	if err != nil {
		return g, err
	}
	opened := &openGame{match: m}
	found := false
	if m.opened[g.Leg-1] {
		err = j.Flush(ctx) // the earlier game may not be in the database yet
	}
	if err == nil && (m.recorded || m.opened[g.Leg-1]) {
		found, err = j.find(ctx, m.id, &g)
	}
	if err != nil {
		return g, err
	}
	if !found {
		g.ID = j.store.rows.lastGame.Add(1)
		g.Started = g.Started.UTC()
		g.Record.Game, g.Record.Date = strconv.FormatInt(g.ID, 10), g.Started.Format(time.DateOnly)
	}
	opened.row, opened.queue.first = newGameRow(j.event, &g), len(g.Record.Moves)
	opened.stored.Store(found)
	m.opened[g.Leg-1] = true
	j.mu.Lock()
	defer j.mu.Unlock()
	j.games[g.ID] = opened
	return g, nil
}

// match returns the match with this number, and creates it if it is new.
func (j *Journal) match(ctx context.Context, number int) (*openMatch, error) {
	if j.highest < 0 {
		row := j.store.read.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM matches WHERE event = ?`, j.event)
		if err := row.Scan(&j.highest); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	m := j.matches[number]
	j.mu.Unlock()
	if m != nil {
		return m, nil
	}
	m, err := j.newMatch(ctx, number)
	if err != nil {
		return nil, err
	}
	j.highest = max(j.highest, number)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.matches[number] = m
	return m, nil
}

// newMatch finds the match in the database, or gives a new match its own id. Numbers above the
// highest one are not in the database.
func (j *Journal) newMatch(ctx context.Context, number int) (*openMatch, error) {
	m := &openMatch{}
	if number <= j.highest {
		row := j.store.read.QueryRowContext(ctx, `SELECT id, (SELECT count(ending) FROM games WHERE match = matches.id)
			FROM matches WHERE event = ? AND number = ?`, j.event, number)
		switch err := row.Scan(&m.id, &m.finished); {
		case err == nil:
			m.stored.Store(true)
			m.recorded = true
			return m, nil
		case !errors.Is(err, sql.ErrNoRows):
			return nil, err
		}
	}
	m.id = j.store.rows.lastMatch.Add(1)
	return m, nil
}

// find replaces g by the recorded game of the same match and leg, and reports whether there is one.
func (j *Journal) find(ctx context.Context, match int64, g *tournament.Game) (found bool, err error) {
	err = j.store.view(ctx, func(tx *sql.Tx) error {
		var id int64
		row := tx.QueryRowContext(ctx, `SELECT id FROM games WHERE match = ? AND leg = ?`, match, g.Leg)
		if err := row.Scan(&id); err != nil {
			return err
		}
		stored, err := findGame(ctx, tx, id)
		if err == nil {
			err = sameGame(&stored.Game, g)
		}
		*g = stored.Game
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// forget removes a recorded game, and its match after both games. The caller holds mu.
func (j *Journal) forget(g *openGame) {
	delete(j.games, g.row.id)
	if g.match.finished++; g.match.finished == 2 {
		delete(j.matches, g.row.pairing.Match)
	}
}
