package farm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Cache keeps the files of tasks in a folder of a worker's machine, each under its checksum. Several workers
// may use the same folder: a worker that uses a file holds the file's lock, and a worker that changes the
// folder holds the folder's lock.
type Cache struct {
	Folder string // "" for none: then this worker does no tasks with files
	// Most is the largest number of bytes that are kept. Files in use are kept even beyond it.
	Most int64

	mu    sync.Mutex
	right map[string]bool // by checksum: whether this process has verified or fetched the file
}

// DefaultCacheSize is enough for the tables of all solved boards and some networks.
const DefaultCacheSize = 10 << 30

// The names in the folder besides the names of files, and the pause of a worker that waits for a lock.
const (
	partName    = "part"   // the file that is being fetched
	changesName = "lock"   // the folder's lock
	useSuffix   = ".use"   // of a file's lock
	lockPause   = patience // between two looks at a lock
)

// open makes the folder, and removes the unfinished file of a worker that was killed.
func (c *Cache) open() error {
	c.right = map[string]bool{}
	if c.Folder == "" {
		return nil
	}
	full, err := filepath.Abs(c.Folder)
	if err == nil && strings.Contains(full, ",") {
		err = errors.New("its path has a comma, which would end a bot's option: choose another folder")
	}
	if err == nil {
		err = os.MkdirAll(full, 0o700)
	}
	if err == nil {
		c.Folder = full
		err = c.tidy()
	}
	if err != nil {
		return fmt.Errorf("the folder of files %s: %w", c.Folder, err)
	}
	return nil
}

// tidy removes an unfinished file, unless somebody is fetching it.
func (c *Cache) tidy() error {
	changes := flock.New(filepath.Join(c.Folder, changesName))
	defer changes.Close()
	locked, err := changes.TryLock()
	if err != nil || !locked {
		return err
	}
	if err := os.Remove(filepath.Join(c.Folder, partName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// errNoCache means that the worker has no folder of files.
var errNoCache = errors.New("this worker has no folder for the files of bots (--cache)")

// fetcher gets the content of a file and writes it to an open file. It returns an error unless the content is right.
type fetcher func(ctx context.Context, f File, to *os.File) error

// take returns the path of a file on this machine. It first fetches the file if the file is missing or damaged. The
// file stays until release is called.
func (c *Cache) take(ctx context.Context, f File, fetch fetcher) (path string, release func(), err error) {
	if err := f.validate(); err != nil {
		return "", nil, err
	}
	if c.Folder == "" {
		return "", nil, errNoCache
	}
	path = filepath.Join(c.Folder, f.Sum)
	use, err := c.use(ctx, path)
	if err == nil && !(c.verified(f) && hasSize(path, f)) {
		_ = use.Close()
		use, err = c.provide(ctx, path, f, fetch)
	}
	if err != nil {
		return "", nil, err
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // the time of its last use
	return path, func() { _ = use.Close() }, nil
}

// use takes the lock of a file for reading, so that no worker removes the file.
func (c *Cache) use(ctx context.Context, path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path + useSuffix)
		_, err := lock.TryRLockContext(ctx, lockPause)
		if err == nil && inPlace(lock) {
			return lock, nil
		}
		_ = lock.Close()
		if err != nil {
			return nil, err
		}
	}
}

// inPlace reports whether the locked file still has its name. If another worker has removed the file after this worker
// had opened it, no other worker sees the lock.
func inPlace(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

// provide looks whether a file is right, and fetches it if not. It returns the file's lock, held for reading.
func (c *Cache) provide(ctx context.Context, path string, f File, fetch fetcher) (use *flock.Flock, err error) {
	changes := flock.New(filepath.Join(c.Folder, changesName))
	defer changes.Close()
	if _, err := changes.TryLockContext(ctx, lockPause); err != nil {
		return nil, err
	}
	if use, err = c.use(ctx, path); err != nil {
		return nil, err
	}
	if !c.verify(ctx, path, f) {
		err = c.fetch(ctx, path, f, fetch)
	}
	if err != nil {
		_ = use.Close()
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.right[f.Sum] = true
	return use, nil
}

// verified reports whether this process has found a file right.
func (c *Cache) verified(f File) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.right[f.Sum]
}

// doubt marks a file to be verified again at its next use.
func (c *Cache) doubt(f File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.right, f.Sum)
}

// verify reports whether a file is here and right. It reads the file to its end unless this process has found it right.
func (c *Cache) verify(ctx context.Context, path string, f File) bool {
	if !hasSize(path, f) || c.verified(f) {
		return hasSize(path, f)
	}
	sum, _, err := sumOf(ctx, path)
	return err == nil && sum == f.Sum
}

func hasSize(path string, f File) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == f.Size
}

// fetch fetches a file. Only a file with the right checksum gets its name.
func (c *Cache) fetch(ctx context.Context, path string, f File, fetch fetcher) error {
	if err := c.makeRoom(f.Size); err != nil {
		return err
	}
	name := filepath.Join(c.Folder, partName)
	part, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // #nosec G304 -- in the folder of files
	if err != nil {
		return err
	}
	if err = errors.Join(fetch(ctx, f, part), part.Close()); err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		_ = os.Remove(name)
	}
	return err
}

// makeRoom removes the least recently used files until a new file fits. Files in use stay.
func (c *Cache) makeRoom(size int64) error {
	all, err := c.entries()
	if err != nil {
		return err
	}
	for _, info := range all {
		size += info.Size()
	}
	for _, info := range all {
		if size <= c.Most {
			break
		}
		if c.remove(info.Name()) {
			size -= info.Size()
		}
	}
	return nil
}

// remove removes a file, unless it is in use. It reports whether it did.
func (c *Cache) remove(name string) bool {
	path := filepath.Join(c.Folder, name)
	use := flock.New(path + useSuffix)
	defer use.Close()
	if locked, err := use.TryLock(); err != nil || !locked || os.Remove(path) != nil {
		return false
	}
	_ = os.Remove(path + useSuffix) // on a system that cannot remove an open file it stays, and is empty
	return true
}

// entries returns the files, the least recently used first.
func (c *Cache) entries() (all []fs.FileInfo, err error) {
	folder, err := os.ReadDir(c.Folder)
	for _, entry := range folder {
		if info, err := entry.Info(); err == nil && sumPattern.MatchString(entry.Name()) {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	return all, err
}
