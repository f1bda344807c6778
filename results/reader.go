package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/internal/disk"
)

// OpenReader opens an existing database for reading, even while an arena uses it, even on read-only media, and
// even if the disk is full. It leaves no files behind. It does not change the database, except that SQLite
// merges the log of an arena that was killed. If the database has an older schema, OpenReader copies its
// present content into a temporary database, brings the copy up to date and opens the copy. It returns
// ErrForeign, ErrNewer or ErrAltered for a file that this program cannot or must not read.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	if err := Find(path); err != nil {
		return nil, err
	}
	s, err := openReader(ctx, path)
	return s, wrap(err, "database %s", path)
}

func openReader(ctx context.Context, path string) (*Reader, error) {
	s, err := openExisting(ctx, path)
	if err != nil {
		return nil, err
	}
	opened := s
	older, err := isOlder(ctx, s.read)
	if err == nil && older {
		opened, err = openUpdated(ctx, s, filepath.Base(path))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close()) // closing the reader twice does no harm
	}
	return opened, nil
}

// openExisting opens a file with any schema for reading.
func openExisting(ctx context.Context, path string) (*Reader, error) {
	if err := mayBeDatabase(path); err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if err := disk.Accessible(path, false); err != nil {
		return nil, err
	}
	return openAsItIs(ctx, path)
}

// openAsItIs opens a database with any schema for reading. It first tries a connection that may write: this connection
// respects the locks of SQLite and, when it is closed, removes the files that SQLite has made beside the database.
func openAsItIs(ctx context.Context, path string) (*Reader, error) {
	if disk.Accessible(path, true) == nil && disk.Accessible(filepath.Dir(path), true) == nil {
		s, err := openQuerying(ctx, path, url.Values{"mode": {"rw"}})
		if !needsFiles(err) {
			return s, err
		}
	}
	return openReadOnly(ctx, path)
}

// openReadOnly opens a database that is read-only for this process, or beside which SQLite cannot make files.
func openReadOnly(ctx context.Context, path string) (*Reader, error) {
	log, err := os.Stat(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) || err == nil && log.Size() == 0 {
		return openImmutable(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	// With the log and its index, SQLite can read beside a writer. Without the index, SQLite would
	// have to create it.
	if _, err := os.Stat(path + "-shm"); err == nil {
		s, err := openQuerying(ctx, path, url.Values{"mode": {"ro"}})
		if !needsFiles(err) {
			return s, err
		}
	}
	return openCopiedLog(ctx, path)
}

// needsFiles reports whether SQLite failed because it cannot write files beside the database.
func needsFiles(err error) bool {
	return hasCode(err, sqlite3.SQLITE_CANTOPEN) || hasCode(err, sqlite3.SQLITE_READONLY) || noRoom(err)
}

// openImmutable opens a database that has no log, or an empty one. It takes no locks. If a program writes to the
// database later, the reader returns ErrChanged.
func openImmutable(ctx context.Context, path string) (*Reader, error) {
	still, err := newUnchanged(path)
	if err != nil {
		return nil, err
	}
	s, err := openQuerying(ctx, path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err == nil {
		s.still = still
	}
	return s, err
}

// openQuerying opens a database for queries, and queries it to find out whether SQLite can read the file.
func openQuerying(ctx context.Context, path string, options url.Values) (*Reader, error) {
	options.Set("_query_only", "1")
	db, err := connect(path, options)
	if err != nil {
		return nil, err
	}
	var tables int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return nil, errors.Join(foreign(err), db.Close())
	}
	return &Reader{read: db, tokens: &Tokens{read: db, update: func(ctx context.Context, do func(*sql.Tx) error) error {
		return within(ctx, db, nil, do)
	}}}, nil
}

// openCopiedLog copies a database and its log into a temporary folder, where SQLite can create the log's index, and
// opens the copy.
func openCopiedLog(ctx context.Context, path string) (*Reader, error) {
	return withCopy(func(folder string) (*Reader, error) {
		copied := filepath.Join(folder, filepath.Base(path))
		still, err := newUnchanged(path, path+"-wal")
		for _, suffix := range []string{"", "-wal"} {
			if err == nil {
				err = copyFile(path+suffix, copied+suffix)
			}
		}
		if err = vanished(err); err == nil {
			err = still.check()
		}
		if err != nil {
			return nil, fmt.Errorf("copying it and its log, since SQLite cannot make files beside it: %w", err)
		}
		return openQuerying(ctx, copied, url.Values{"mode": {"rw"}})
	})
}

// openUpdated copies a database with an older schema into a temporary folder and closes it. Then it
// brings the copy up to date and opens the copy.
func openUpdated(ctx context.Context, older *Reader, name string) (*Reader, error) {
	return withCopy(func(folder string) (*Reader, error) {
		copied := filepath.Join(folder, name)
		_, err := copyDatabase(ctx, older.read, copied, nil)
		if err := errors.Join(err, older.still.check(), older.Close()); err != nil {
			return nil, fmt.Errorf("copying it to bring it up to date: %w", err)
		}
		writer, err := openWriter(ctx, copied) // migrates it
		if err != nil {
			return nil, err
		}
		if err := writer.Close(); err != nil {
			return nil, err
		}
		return openQuerying(ctx, copied, url.Values{"mode": {"rw"}})
	})
}

// withCopy calls open with a temporary folder. If open fails, withCopy removes the folder;
// otherwise closing the reader removes it.
func withCopy(open func(folder string) (*Reader, error)) (*Reader, error) {
	folder, err := os.MkdirTemp("", "versus2048-")
	if err != nil {
		return nil, err
	}
	s, err := open(folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.copy = folder
	return s, nil
}

func copyFile(from, to string) error {
	source, _, err := disk.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

// Counts are the numbers of events and games in a database.
type Counts struct {
	Events int64 `json:"events"`
	Games  int64 `json:"games"` // finished or in progress
}

// Counts returns the numbers of events and games in the database.
func (s *Reader) Counts(ctx context.Context) (counts Counts, err error) {
	err = s.view(ctx, func(tx *sql.Tx) error {
		counts, err = readCounts(ctx, tx)
		return err
	})
	return counts, err
}

func readCounts(ctx context.Context, db querier) (counts Counts, err error) {
	row := db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM games)`)
	err = row.Scan(&counts.Events, &counts.Games)
	return counts, err
}

// Copy copies a database with any schema page by page into a new file, even while an arena writes to it. The
// copy has the content from the moment when Copy began. Copy calls progress, if it is not nil, with the number
// of bytes copied and of bytes in all. It returns ErrForeign, ErrNewer or ErrAltered for a file that this
// program cannot or must not read. After an error or an interruption the copy is incomplete.
func Copy(ctx context.Context, path, to string, progress func(done, total int64)) (Counts, error) {
	if err := Find(path); err != nil {
		return Counts{}, err
	}
	counts, err := copyAsItIs(ctx, path, to, progress)
	return counts, wrap(err, "database %s", path)
}

func copyAsItIs(ctx context.Context, path, to string, progress func(done, total int64)) (counts Counts, err error) {
	s, err := openExisting(ctx, path)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := isOlder(ctx, s.read); err != nil {
		return counts, err
	}
	counts, err = copyDatabase(ctx, s.read, to, progress)
	if err == nil {
		err = s.still.check()
	}
	return counts, explained(err)
}

// copyDatabase copies the content as one transaction sees it. Without the transaction, SQLite would start the copy
// again after each game that another program writes.
func copyDatabase(ctx context.Context, db *sql.DB, to string, progress func(done, total int64)) (counts Counts, err error) {
	connection, err := db.Conn(ctx)
	if err != nil {
		return counts, err
	}
	defer connection.Close()
	if _, err := connection.ExecContext(ctx, `BEGIN`); err != nil {
		return counts, err
	}
	defer func() {
		_, undone := connection.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		err = errors.Join(err, undone)
	}()
	if counts, err = readCounts(ctx, connection); err != nil {
		return counts, err
	}
	var pageSize int64
	if err := connection.QueryRowContext(ctx, `SELECT page_size FROM pragma_page_size`).Scan(&pageSize); err != nil {
		return counts, err
	}
	return counts, connection.Raw(func(driver any) error {
		target, err := address(to, url.Values{})
		if err != nil {
			return err
		}
		backup, err := driver.(backuper).NewBackup(target)
		if err != nil {
			return err
		}
		return errors.Join(copyPages(ctx, backup, pageSize, progress), backup.Finish())
	})
}

// copyStep is the number of pages, 4 MiB, that are copied between two checks of the context.
const copyStep = 1024

func copyPages(ctx context.Context, backup *sqlite.Backup, pageSize int64, progress func(done, total int64)) error {
	for more := true; more; {
		var err error
		if more, err = backup.Step(copyStep); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(int64(backup.PageCount()-backup.Remaining())*pageSize, int64(backup.PageCount())*pageSize)
		}
	}
	return nil
}

// backuper is a connection of the driver that can copy its database.
type backuper interface {
	NewBackup(to string) (*sqlite.Backup, error)
}

// ErrChanged means that another program wrote to a database while this program read it without locks. A database is
// read without locks if SQLite cannot make files beside it: on read-only media, in a read-only folder or on a full
// disk.
var ErrChanged = errors.New("it was written to while it was read: try again")

// unchanged notices changes of files.
type unchanged struct {
	paths []string
	files []fs.FileInfo
}

func newUnchanged(paths ...string) (*unchanged, error) {
	u := &unchanged{paths: paths}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		u.files = append(u.files, info)
	}
	return u, nil
}

// vanished returns ErrChanged for the error about a file that another program has removed, such as the log of a
// database that it has closed. It returns other errors as they are.
func vanished(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", err, ErrChanged)
	}
	return err
}

// check returns ErrChanged if a file has changed. A nil unchanged has no files.
func (u *unchanged) check() error {
	if u == nil {
		return nil
	}
	now, err := newUnchanged(u.paths...)
	if err != nil {
		return vanished(err)
	}
	for i, before := range u.files {
		after := now.files[i]
		if !os.SameFile(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()) {
			return fmt.Errorf("%s: %w", u.paths[i], ErrChanged)
		}
	}
	return nil
}
