package farm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"versus2048/internal/disk"
)

// depot is the arena's side of the object store: it has the files that tasks need now, and keeps as many of the
// files of earlier tasks as it may.
type depot struct {
	conn *nats.Conn
	js   jetstream.JetStream
	name Name
	log  *slog.Logger
	most int64 // the most bytes that are kept
	// writing has one place: a disk is not faster for two files at once.
	writing chan struct{}

	mu    sync.Mutex
	known map[string]seen  // by path
	kept  map[string]*kept // the files in the store, by checksum
}

// seen is a file with its checksum, which holds as long as size and changed are the file's.
type seen struct {
	size    int64
	changed time.Time
	file    File
}

// kept is a file in the store.
type kept struct {
	file File
	path string
	used time.Time // the end of its last use
	uses int       // the number of users that need it now
}

// mostStored is the largest number of bytes in the store: the largest table of a solved board has 1.5 GB. Files in use
// stay even beyond it.
const mostStored = 8 << 30

// partTimeout is the longest time that NATS may take to answer a request, such as to store one chunk of a part.
const partTimeout = time.Minute

// openDepot makes the object store anew. An old store has the files of an earlier arena. If that arena was killed, a
// file may be incomplete.
func openDepot(ctx context.Context, conn *nats.Conn, name Name, log *slog.Logger) (*depot, error) {
	d := &depot{conn: conn, name: name, log: log, most: mostStored, writing: make(chan struct{}, 1), known: map[string]seen{}, kept: map[string]*kept{}}
	var err error
	if d.js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(partTimeout)); err == nil {
		err = d.js.DeleteObjectStore(ctx, name.files())
	}
	if err == nil || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		_, err = d.store(ctx)
	}
	return d, err
}

// store returns the object store. It makes the store if it is not there.
func (d *depot) store(ctx context.Context) (jetstream.ObjectStore, error) {
	return d.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: d.name.files(), Description: "files of bots", Storage: jetstream.FileStorage})
}

// Publish puts a file of this machine into the object store, unless it is there, so that workers can fetch it. The file
// stays until Withdraw is called as often as Publish. If the store fails, Publish tries again until it succeeds or ctx
// ends. It returns an error if the file cannot be read, or if ctx ends.
func (c *Coordinator) Publish(ctx context.Context, path string) (File, error) {
	return c.depot.insist(ctx, path)
}

// Withdraw ends one use of a file that was published.
func (c *Coordinator) Withdraw(f File) { c.depot.withdraw(f) }

// insist publishes a file, however often the store fails.
func (d *depot) insist(ctx context.Context, path string) (File, error) {
	for told := false; ; told = true {
		file, err := d.publish(ctx, path)
		if err == nil || errors.Is(err, errUnreadable) || ctx.Err() != nil {
			return file, err
		}
		if !told {
			d.log.Error("a file cannot be given to the workers; it is tried again", "file", path, "why", err)
		}
		pause(ctx, time.Second)
	}
}

// errUnreadable means that a file on this machine cannot be read.
var errUnreadable = errors.New("a file that a bot needs cannot be read")

// publish puts a file into the store, unless it is there.
func (d *depot) publish(ctx context.Context, path string) (File, error) {
	select {
	case d.writing <- struct{}{}:
		defer func() { <-d.writing }()
	case <-ctx.Done():
		return File{}, context.Cause(ctx)
	}
	f, err := d.look(ctx, path)
	if err != nil || d.hold(f) {
		return f, err
	}
	if err := d.makeRoom(ctx, f.Size); err != nil {
		return f, err
	}
	if err := d.put(ctx, path, f); err != nil {
		return f, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept[f.Sum] = &kept{file: f, path: path, uses: 1}
	return f, nil
}

// hold begins one more use of a file. It reports whether the file is in the store.
func (d *depot) hold(f File) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.kept[f.Sum]
	if k != nil {
		k.uses++
	}
	return k != nil
}

// withdraw ends one use of a file.
func (d *depot) withdraw(f File) {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := d.kept[f.Sum]
	k.uses--
	k.used = time.Now()
}

// look returns a file with its checksum. It computes the checksum anew if the file may have changed.
func (d *depot) look(ctx context.Context, path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	d.mu.Lock()
	s, ok := d.known[path]
	d.mu.Unlock()
	if ok && s.size == info.Size() && s.changed.Equal(info.ModTime()) {
		return s.file, nil
	}
	sum, size, err := sumOf(ctx, path)
	if err != nil {
		return File{}, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	f := File{Name: filepath.Base(path), Sum: sum, Size: size}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[path] = seen{info.Size(), info.ModTime(), f}
	return f, nil
}

// put writes a file to the store, or nothing if that fails.
func (d *depot) put(ctx context.Context, path string, f File) error {
	file, _, err := disk.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	defer file.Close()
	store, err := d.store(ctx)
	if err != nil {
		return err
	}
	read := newSummed(ctx, file)
	cleaning := context.WithoutCancel(ctx) // so that incomplete objects are also removed when ctx has ended
	for i := range f.parts() {
		meta := jetstream.ObjectMeta{Name: f.part(i), Description: f.Name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}}
		if _, err = store.Put(cleaning, meta, io.LimitReader(read, partSize)); err != nil {
			break
		}
	}
	if err == nil && read.sum() != f.Sum {
		err = errors.New("it has changed while it was read")
	}
	if err != nil {
		d.mu.Lock()
		delete(d.known, path) // look computes its checksum again
		d.mu.Unlock()
		err = errors.Join(err, remove(cleaning, store, f))
	}
	return err
}

// remove removes the parts of a file that are in the store.
func remove(ctx context.Context, store jetstream.ObjectStore, f File) error {
	for i := range f.parts() {
		if err := store.Delete(ctx, f.part(i)); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
	}
	return nil
}

// replenish puts files into the store again if the store has lost them.
func (d *depot) replenish(ctx context.Context, files []File) {
	select {
	case d.writing <- struct{}{}:
		defer func() { <-d.writing }()
	default:
		return // the present writer may be doing it
	}
	for _, f := range files {
		if d.complete(ctx, f) {
			continue
		}
		d.mu.Lock()
		k := d.kept[f.Sum]
		d.mu.Unlock()
		if k == nil {
			continue // no task needs the file any more, and makeRoom has removed it
		}
		d.log.Warn("the store has lost a file, which is written again", "file", k.path)
		if err := d.put(ctx, k.path, f); err != nil && ctx.Err() == nil {
			d.log.Error("a file is missing for the workers", "file", k.path, "why", err)
		}
	}
}

// complete reports whether all parts of a file are in the store.
func (d *depot) complete(ctx context.Context, f File) bool {
	store, err := d.js.ObjectStore(ctx, d.name.files())
	for i := range f.parts() {
		if err == nil {
			_, err = store.GetInfo(ctx, f.part(i))
		}
	}
	return err == nil
}

// makeRoom removes the least recently used files until a new file fits. Files in use stay, however large they are
// together.
func (d *depot) makeRoom(ctx context.Context, size int64) error {
	store, err := d.store(ctx)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // a file is removed as a whole
	for _, f := range d.superfluous(size) {
		if err := remove(ctx, store, f); err != nil {
			return err
		}
		d.mu.Lock()
		delete(d.kept, f.Sum)
		d.mu.Unlock()
	}
	return nil
}

// superfluous returns the files to remove for a new file of this size. Nobody can begin to use them while the new file
// is written.
func (d *depot) superfluous(size int64) (files []File) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var idle []*kept
	for _, k := range d.kept {
		size += k.file.Size
		if k.uses == 0 {
			idle = append(idle, k)
		}
	}
	slices.SortFunc(idle, func(a, b *kept) int { return a.used.Compare(b.used) })
	for _, k := range idle {
		if size <= d.most {
			break
		}
		size -= k.file.Size
		files = append(files, k.file)
	}
	return files
}
