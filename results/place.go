package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"versus2048/internal/disk"
)

// place tracks the files of the database. After its files have been deleted or replaced, SQLite would keep writing to
// the old ones, and the new games would be lost.
type place struct {
	path     string
	write    *sql.DB                // the connection that writes to it
	files    map[string]fs.FileInfo // the database, its log and the log's index, by suffix
	largest  int64                  // the largest size of the database so far
	journals map[*Journal]bool      // of the events in progress

	mu     sync.Mutex
	moved  *MovedError // set once the loss has been noticed
	closed bool        // the store is being closed: SQLite removes the log
}

// databaseFiles are the suffixes of the files of an open database, and their names for error messages.
var databaseFiles = []struct{ suffix, name string }{{"", "it"}, {"-wal", "its log"}, {"-shm", "its log's index"}}

// MovedError means that a database is no longer the file at its path: it was deleted, replaced or
// overwritten while an arena played on it. The store cannot be used any more.
type MovedError struct {
	Path    string
	Why     string // for example "it was replaced by another file"
	Rescued string // a database with all recorded games that could still be read; "" if there is none
	Err     error  // the reason why there is none
}

func (e *MovedError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("database %s: %s while the arena played on it, and the recorded games could not be saved: %v", e.Path, e.Why, e.Err)
	}
	if e.Why == overwritten {
		return fmt.Sprintf("database %s: %s while the arena played on it; the readable part is saved in %s, and may be older or "+
			"a mixture of both: look at it with arena verify", e.Path, e.Why, e.Rescued)
	}
	return fmt.Sprintf("database %s: %s while the arena played on it; everything that was recorded is saved in %s: "+
		"start the arena again with this --db, and resume", e.Path, e.Why, e.Rescued)
}

// overwritten is the reason if another program has written over the file, so that SQLite reads foreign content.
const overwritten = "it was overwritten by a shorter file"

func (e *MovedError) Unwrap() error { return e.Err }

func newPlace(path string, write *sql.DB) (*place, error) {
	p := &place{path: path, write: write, files: map[string]fs.FileInfo{}, journals: map[*Journal]bool{}}
	for _, f := range databaseFiles {
		info, err := os.Stat(path + f.suffix)
		if err != nil {
			return nil, err
		}
		p.files[f.suffix] = info
	}
	return p, nil
}

// look returns a description of a change of the files, or "".
func (p *place) look() string {
	for _, f := range databaseFiles {
		now, err := os.Stat(p.path + f.suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return f.name + " was deleted or moved away"
		case err != nil:
			return fmt.Sprintf("%s is out of reach (%v)", f.name, err)
		case !os.SameFile(now, p.files[f.suffix]):
			return f.name + " was replaced by another file"
		case f.suffix == "" && now.Size() < p.largest:
			return overwritten
		case f.suffix == "":
			p.largest = now.Size()
		}
	}
	return ""
}

// shrunk forgets the largest size of the database after it was made smaller on purpose.
func (p *place) shrunk() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.largest = 0
}

// check returns a *MovedError if the database is no longer at its place. When it first notices the loss, it rescues the
// recorded games. It returns nil for a store that is being closed, and for a store that is not open for an arena and so
// has no place.
func (p *place) check(ctx context.Context) error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.moved == nil && p.closed {
		return nil
	}
	if p.moved == nil {
		why := p.look()
		if why == "" {
			return nil
		}
		p.moved = &MovedError{Path: p.path, Why: why}
		p.moved.Rescued, p.moved.Err = p.rescue(context.WithoutCancel(ctx))
	}
	return p.moved
}

// Check returns a *MovedError if the database is no longer at its place, as the next write would.
// When it first notices the loss, it rescues the recorded games.
func (s *Reader) Check(ctx context.Context) error { return s.place.check(ctx) }

// close ends the checks of the files.
func (p *place) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// Moved returns the loss of the database, or nil if no loss has been noticed.
func (s *Reader) Moved() *MovedError {
	if s.place == nil {
		return nil
	}
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	return s.place.moved
}

// playing notes that a journal is in use from now on, or no longer if now is false.
func (p *place) playing(j *Journal, now bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now {
		p.journals[j] = true
	} else {
		delete(p.journals, j)
	}
}

// rescue copies the database, which SQLite still has open, into a new file beside it or, if that fails, in the folder
// for temporary files. It adds the games and plies that are still in memory, and returns the new file's path. The
// caller holds mu.
func (p *place) rescue(ctx context.Context) (string, error) {
	if err := p.keepOtherLog(ctx); err != nil {
		return "", err
	}
	var failure error
	for _, folder := range []string{filepath.Dir(p.path), os.TempDir()} {
		path := rescuePath(folder, p.path)
		err := p.saveInto(ctx, path)
		if err == nil {
			return path, nil
		}
		failure = both(failure, fmt.Errorf("%s: %w", path, both(err, removeDatabase(path))))
	}
	return "", failure
}

// both returns two errors as one, in one line. Each of them may be nil.
func both(first, second error) error {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return fmt.Errorf("%w; %w", first, second)
}

// saveInto copies the database into a new file and adds the games and plies in the journals'
// memory. It writes nothing to the database itself, since its disk may be full.
func (p *place) saveInto(ctx context.Context, path string) error {
	if _, err := p.write.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	// The copy has our schema, and perhaps additions by others. The games are saved in any case.
	saved, err := openPrepared(ctx, path, enterWAL)
	if err != nil {
		return err
	}
	err = within(ctx, saved.write, nil, func(tx *sql.Tx) error {
		for j := range p.journals {
			if err := j.save(ctx, tx, saved.rows); err != nil {
				return err
			}
		}
		return nil
	})
	if err = both(err, saved.Close()); err != nil {
		return err
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return errors.New("its log could not be moved into it, the disk is full")
	}
	return disk.Sync(path)
}

// keepOtherLog prevents SQLite from deleting the log by its name when it closes the database: a log
// of that name may now belong to another database.
func (p *place) keepOtherLog(ctx context.Context) error {
	connection, err := p.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer connection.Close()
	return connection.Raw(func(driver any) error {
		_, err := driver.(sqlite.FileControl).FileControlPersistWAL("main", 1)
		return err
	})
}

// removeLog removes the log and its index once SQLite has closed a database that was moved. SQLite would use
// them for the next database at this path. removeLog leaves files that are not of the moved database.
func (p *place) removeLog() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.moved == nil {
		return nil // SQLite has removed them
	}
	for _, f := range databaseFiles[1:] {
		path := p.path + f.suffix
		if now, statErr := os.Stat(path); statErr == nil && os.SameFile(now, p.files[f.suffix]) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// rescuePath returns the path of a new file, for example arena-rescued-20261122-103000-123.db.
func rescuePath(folder, path string) string {
	extension := filepath.Ext(path)
	name := strings.TrimSuffix(filepath.Base(path), extension) + "-rescued-" + time.Now().Format("20060102-150405.000")
	return filepath.Join(folder, strings.ReplaceAll(name, ".", "-")+extension)
}

func removeDatabase(path string) (err error) {
	for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
		err = both(err, disk.Remove(path+suffix))
	}
	return err
}

// NoRoomError means that recording an import would leave too little room on the disk.
type NoRoomError struct {
	Path   string // of the database
	Free   int64  // bytes on its disk
	Needed int64  // the part of Free that the database needs to record the data so far
	Keep   int64  // bytes that must stay free
}

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("the disk of %s has %d MiB free, %d MiB are needed to record the games read so far, and %d MiB are to stay free: "+
		"make room on the disk, or let less stay free (arena import --keep-free); nothing is imported", e.Path, e.Free>>20, e.Needed>>20, e.Keep>>20)
}

// room is the room that a transaction must leave on the disk of its database.
type room struct {
	path string // of the database
	keep int64  // bytes; 0 means that the transaction may fill the disk
	free func(path string) (int64, error)
}

func newRoom(path string, keep int64) room { return room{path, keep, disk.Free} }

// check returns a *NoRoomError if the disk would have too little room left. SQLite has written the
// transaction to its log, and needs as much room again to copy it into the database.
func (r room) check() error {
	if r.keep == 0 {
		return nil
	}
	free, err := r.free(r.path)
	if err != nil {
		return err
	}
	needed, err := sizeOf(r.path + "-wal")
	if err != nil {
		return err
	}
	if free-needed < r.keep {
		return &NoRoomError{r.path, free, needed, r.keep}
	}
	return nil
}
