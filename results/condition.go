package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"versus2048/internal/disk"
)

// Condition is how the database of an arena stands at one moment.
type Condition struct {
	Size, Log int64         // of the database and of its log, in bytes
	Free      int64         // bytes that can be written to its disk
	Backlog   int           // plies of games in progress that are not on disk
	Oldest    time.Duration // how long the oldest of them has been waiting
	Arena     Readers       // the connections of the store
	Visitors  Readers       // those of Visiting
}

// Readers are the connections for reading a database.
type Readers struct {
	Used   int           // now
	Most   int           // that there may be
	Waited time.Duration // for how long others have waited for one since the start, in all
}

// Condition returns how the database stands, which takes no connection to it. The store is one that Open
// has returned.
func (s *Store) Condition() (c Condition, err error) {
	if c.Size, err = sizeOf(s.place.path); err == nil {
		c.Log, err = sizeOf(s.place.path + "-wal")
	}
	if err == nil {
		c.Free, err = disk.Free(s.place.path)
	}
	if err != nil {
		return c, fmt.Errorf("the condition of the database: %w", err)
	}
	c.Arena, c.Visitors = readersOf(s.read), readersOf(s.look)
	c.Backlog, c.Oldest = s.backlog()
	return c, nil
}

// sizeOf returns the size of a file, 0 if there is none.
func sizeOf(path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return info.Size(), nil
}

func readersOf(db *sql.DB) Readers {
	s := db.Stats()
	return Readers{s.InUse, s.MaxOpenConnections, s.WaitDuration}
}

// backlog returns what all journals in use have not written yet.
func (s *Store) backlog() (plies int, oldest time.Duration) {
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	for j := range s.place.journals {
		n, age := j.unwritten()
		plies, oldest = plies+n, max(oldest, age)
	}
	return plies, oldest
}

// Writable returns nil if the database can be written to, and otherwise why not: it writes what is there
// already, through to the disk. It waits for a transaction in progress until ctx ends.
func (s *Store) Writable(ctx context.Context) error {
	err := s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
		return err
	})
	if err != nil {
		return fmt.Errorf("writing to the database: %w", err)
	}
	return nil
}

// Write is what a journal reports about one of its writes.
type Write struct {
	// Delay is how long the oldest ply in it had to wait until it was on disk. It is 0 for a write
	// without plies of games in progress.
	Delay time.Duration
	Took  time.Duration // the transaction
	Err   error         // why nothing was written
}

// OnWrite makes the journals of the store call told after each write. Call it before they are used.
func (s *Store) OnWrite(told func(Write)) { s.told = told }

// unwritten knows since when plies have been waiting for the disk. Its zero value knows of none.
type unwritten struct {
	oldest  time.Time // when the oldest ply was queued; zero if there is none
	later   time.Time // the same of those that were queued after the present write began
	writing bool
}

// queued notes that a ply is queued.
func (u *unwritten) queued() {
	switch {
	case u.oldest.IsZero():
		u.oldest = time.Now()
	case u.writing && u.later.IsZero():
		u.later = time.Now()
	}
}

// begin notes that everything queued so far is being written.
func (u *unwritten) begin() { u.writing = !u.oldest.IsZero() }

// end notes that this is over. It returns how long the oldest ply had to wait, 0 if there was none or
// nothing was written.
func (u *unwritten) end(err error) (delay time.Duration) {
	defer func() { u.writing, u.later = false, time.Time{} }()
	if !u.writing || err != nil {
		return 0
	}
	delay = time.Since(u.oldest)
	u.oldest = u.later
	return delay
}

// age returns how long the oldest ply has been waiting.
func (u *unwritten) age() time.Duration {
	if u.oldest.IsZero() {
		return 0
	}
	return time.Since(u.oldest)
}

// unwritten returns how many plies of games in progress are queued, and how long the oldest of them has
// been waiting.
func (j *Journal) unwritten() (plies int, oldest time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, g := range j.games {
		plies += len(g.queue.moves)
	}
	return plies, j.waits.age()
}
