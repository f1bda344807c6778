package results

import (
	"context"
	"database/sql"
	"errors"
	"slices"
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
	parts []tournament.Origin // who has played parts of it, as far as that was not written when it ended
	done  bool                // whether it was written, or cannot be
	err   error               // if it was not
}

// batch is what one transaction writes.
type batch struct {
	ended []*endedGame
	open  []openPlies
}

// openPlies is a game in progress whose row or plies are to be written.
type openPlies struct {
	*openGame
	plies chunk
	from  []tournament.Origin // who plays them
}

// end queues a game that has ended. It returns ErrRecorded for a game that is on record, and an error
// for one that is not open or not complete.
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

// notOpen returns why a game cannot be finished that is not open.
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

// queued returns everything that is to be written now. The result does not change when more plies are
// appended.
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
		j.waits = unwritten{} // its plies are on disk with the games that they ended
	}
	return b
}

// queuedEnds returns the games that have ended.
func (j *Journal) queuedEnds() batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	return batch{ended: slices.Clone(j.ended)}
}

// write writes a batch in one transaction, on behalf of everybody who waits for it. The caller holds
// writing.
func (j *Journal) write(ctx context.Context, b batch) error {
	if len(b.ended) == 0 && len(b.open) == 0 {
		return j.store.inPlace(ctx)
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

// settle removes a batch from the queues, unless it could not be written. It returns how long the oldest
// ply had to wait for it.
func (j *Journal) settle(b batch, err error) (delay time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range b.ended {
		e.done = true
		if err != nil {
			e.err = err // otherwise what writeBatch found
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

// writeBatch writes a batch. A game whose final record is there already fails alone.
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

// save writes everything that is queued into a copy of the database, as if another transaction were about
// to write it.
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

// writeEnd writes a game that has ended. It reports whether it did: it is false if its final record is
// there already.
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
	if err == nil && written {
		err = w.logs(ctx, tx, e.row.id, e.logs)
	}
	if err == nil && written {
		err = w.parts(ctx, tx, e.row.id, e.parts, e.from)
	}
	if err == nil && written {
		err = w.origin(ctx, tx, e.row.id, e.from, true)
	}
	return written, err
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

// drop removes what has been written from the queues.
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
