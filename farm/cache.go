package farm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Cache keeps the files of tasks in a folder of a worker's machine, each under its checksum. Several workers may share
// the folder.
type Cache struct {
	Folder string
	// Most is how many bytes are kept. Files of games in progress are kept beyond that.
	Most int64

	mu      sync.Mutex
	uses    map[string]int           // by checksum: games that need the file now
	right   map[string]bool          // by checksum: this process has verified the file
	fetches map[string]chan struct{} // by checksum: closed when a fetch has ended
}

// DefaultCacheSize is enough for the tables of all solved boards and some networks.
const DefaultCacheSize = 10 << 30

// open makes the folder, and removes what fetches that were killed have left in it.
func (c *Cache) open() error {
	c.uses, c.right, c.fetches = map[string]int{}, map[string]bool{}, map[string]chan struct{}{}
	if c.Folder == "" {
		return nil
	}
	full, err := filepath.Abs(c.Folder)
	if err == nil && strings.Contains(full, ",") {
		err = errors.New("it cannot have a comma, which ends a bot's option")
	}
	if err == nil {
		err = os.MkdirAll(full, 0o700)
	}
	if err != nil {
		return fmt.Errorf("the folder of files %s: %w", c.Folder, err)
	}
	c.Folder = full
	parts, err := filepath.Glob(filepath.Join(full, partPattern))
	for _, part := range parts {
		if info, err := os.Stat(part); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(part) // else another worker has
		}
	}
	return err
}

const (
	partPattern = "part-*"         // files that are being fetched
	abandoned   = 10 * time.Minute // nobody fetches a file any more that was not written to for so long
)

// errNoCache means that the worker has no folder of files.
var errNoCache = errors.New("this worker has no folder for the files of bots")

// take returns the path of a file, which is fetched from the store if it is not here or not right. It is kept until release
// is called.
func (c *Cache) take(ctx context.Context, store jetstream.ObjectStore, f File) (path string, release func(), err error) {
	if err := f.validate(); err != nil {
		return "", nil, err
	}
	if c.Folder == "" {
		return "", nil, errNoCache
	}
	done, err := c.turn(ctx, f.Sum)
	if err != nil {
		return "", nil, err
	}
	defer done()
	path = filepath.Join(c.Folder, f.Sum)
	if !c.has(path, f) {
		if err := c.fetch(ctx, store, path, f); err != nil {
			return "", nil, fmt.Errorf("fetching the file %q of %d bytes: %w", f.Name, f.Size, err)
		}
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // when it was used last
	return path, c.use(f.Sum), nil
}

// turn waits until nobody else looks for a file.
func (c *Cache) turn(ctx context.Context, sum string) (done func(), err error) {
	for {
		c.mu.Lock()
		other := c.fetches[sum]
		if other == nil {
			mine := make(chan struct{})
			c.fetches[sum] = mine
			c.mu.Unlock()
			return func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				delete(c.fetches, sum)
				close(mine)
			}, nil
		}
		c.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// use counts a game that needs a file.
func (c *Cache) use(sum string) (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.right[sum] = true
	c.uses[sum]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.uses[sum]--; c.uses[sum] == 0 {
			delete(c.uses, sum)
		}
	}
}

// has reports whether a file is here and right. Its content is read once in the life of this process.
func (c *Cache) has(path string, f File) bool {
	info, err := os.Stat(path)
	if err != nil || info.Size() != f.Size {
		return false
	}
	c.mu.Lock()
	right := c.right[f.Sum]
	c.mu.Unlock()
	if right {
		return true
	}
	sum, _, err := sumOf(path)
	return err == nil && sum == f.Sum
}

// fetch fetches a file. What is not right does not get its name.
func (c *Cache) fetch(ctx context.Context, store jetstream.ObjectStore, path string, f File) (err error) {
	c.mu.Lock()
	delete(c.right, f.Sum)
	c.mu.Unlock()
	if err := c.makeRoom(f.Size); err != nil {
		return err
	}
	part, err := os.CreateTemp(c.Folder, partPattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name())
		}
	}()
	err = copyObject(ctx, store, part, f)
	if closing := part.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	return err
}

// copyObject writes an object of the store to a file.
func copyObject(ctx context.Context, store jetstream.ObjectStore, to io.Writer, f File) error {
	object, err := store.Get(ctx, f.Sum)
	if err != nil {
		return err
	}
	defer object.Close()
	read := newSummed(io.LimitReader(object, f.Size+1))
	n, err := io.Copy(to, read)
	if err == nil && (n != f.Size || read.sum() != f.Sum) {
		err = errors.New("what the arena has under its checksum is another file")
	}
	return err
}

// makeRoom removes the files that were used the longest time ago until a new one fits.
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
		c.mu.Lock()
		used := c.uses[info.Name()] > 0
		if !used {
			delete(c.right, info.Name())
		}
		c.mu.Unlock()
		if !used && os.Remove(filepath.Join(c.Folder, info.Name())) == nil {
			size -= info.Size()
		}
	}
	return nil
}

// entries returns the files, those first that were used the longest time ago.
func (c *Cache) entries() (all []fs.FileInfo, err error) {
	folder, err := os.ReadDir(c.Folder)
	for _, entry := range folder {
		if info, err := entry.Info(); err == nil && sumPattern.MatchString(entry.Name()) { // else another worker has removed it
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	return all, err
}
