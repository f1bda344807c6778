package results

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"versus2048/tournament"
)

// flushInterval is how long plies wait for company before they are written.
const flushInterval = 50 * time.Millisecond

// Journal keeps the games of one event while they are played: it is a
// tournament.Journal. Plies are written while Run runs. Its methods may be
// called from several goroutines, for one game from one at a time.
type Journal struct {
	store *Store
	event int64

	writing sync.Mutex // held while a transaction writes plies or finishes a game

	mu      sync.Mutex
	queues  map[int64]*chunk // plies not yet written, of each open game
	waiting chan struct{}    // has an element while there may be such plies
}

// Journal is the journal of an event.
func (s *Store) Journal(event int64) *Journal {
	return &Journal{store: s, event: event, queues: map[int64]*chunk{}, waiting: make(chan struct{}, 1)}
}

// Append queues a ply of a game that Open opened and Finish has not yet
// finished. It never waits for the disk.
func (j *Journal) Append(game int64, ply tournament.Ply) {
	j.mu.Lock()
	j.queues[game].append(ply)
	j.mu.Unlock()
	select {
	case j.waiting <- struct{}{}:
	default:
	}
}

// Run writes queued plies, those of all games in one transaction, until ctx
// ends; then it writes the rest. It returns an error as soon as plies can't be
// written; they stay queued.
func (j *Journal) Run(ctx context.Context) error {
	for {
		select {
		case <-j.waiting:
		case <-ctx.Done():
			return j.Flush(context.WithoutCancel(ctx))
		}
		select {
		case <-time.After(flushInterval):
		case <-ctx.Done():
		}
		if err := j.Flush(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
}

// Flush writes what is queued now. After an error all of it is still queued.
func (j *Journal) Flush(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	batch := j.queued()
	if len(batch) == 0 {
		return nil
	}
	err := j.store.update(ctx, func(tx *sql.Tx) error {
		for game, c := range batch {
			if err := c.write(ctx, tx, game); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	j.drop(batch)
	return nil
}

// queued is what is queued now, by game. It stays as it is while more plies
// are appended.
func (j *Journal) queued() map[int64]chunk {
	j.mu.Lock()
	defer j.mu.Unlock()
	batch := map[int64]chunk{}
	for game, c := range j.queues {
		if len(c.moves) > 0 {
			batch[game] = *c
		}
	}
	return batch
}

// drop takes what was written from the queues.
func (j *Journal) drop(batch map[int64]chunk) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for game, written := range batch {
		j.queues[game].drop(written)
	}
}
