package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"versus2048/players"
	"versus2048/tournament"
)

// File is a file that a task needs. It travels by the object store, where its checksum is its name.
type File struct {
	Name string `json:"name"` // on the arena's machine, without its folder; people read it
	Sum  string `json:"sum"`  // SHA-256, in hexadecimal
	Size int64  `json:"size"` // bytes
}

var sumPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (f File) validate() error {
	if !sumPattern.MatchString(f.Sum) || f.Size < 0 {
		return fmt.Errorf("file %q with the checksum %.70q and %d bytes: no worker can fetch it", f.Name, f.Sum, f.Size)
	}
	return nil
}

// stock are the files of a match's bots, with where they are on the arena's machine.
type stock []stocked

type stocked struct {
	bot, option, path string
	file              File
}

// byBot returns the files by bot and option.
func (s stock) byBot() map[string]map[string]File {
	all := map[string]map[string]File{}
	for _, one := range s {
		if all[one.bot] == nil {
			all[one.bot] = map[string]File{}
		}
		all[one.bot][one.option] = one.file
	}
	return all
}

// depot is the arena's side of the object store: it has the files of the bots that play, and of those that played last, up
// to a bound.
type depot struct {
	store jetstream.ObjectStore
	most  int64 // bytes
	log   *slog.Logger

	mu    sync.Mutex
	known map[string]seen  // by path
	kept  map[string]*kept // what is in the store, by checksum
}

// seen is a file whose checksum is known, as long as it does not change.
type seen struct {
	size  int64
	times time.Time
	file  File
}

// kept is a file in the store.
type kept struct {
	size int64
	used time.Time
	uses int // matches that need it now
}

// mostStored bounds what is kept in the store beside the files in use: the largest table of a solved board has 1.5 GB.
const mostStored = 8 << 30

// openDepot opens the object store and empties it: whose files they were is over.
func openDepot(ctx context.Context, js jetstream.JetStream, name Name, log *slog.Logger) (*depot, error) {
	store, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name.files(), Description: "files of bots", Storage: jetstream.FileStorage})
	if err != nil {
		return nil, err
	}
	d := &depot{store: store, most: mostStored, log: log, known: map[string]seen{}, kept: map[string]*kept{}}
	all, err := store.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return d, nil
	}
	for _, object := range all {
		if err == nil {
			err = store.Delete(ctx, object.Name)
		}
	}
	return d, err
}

// stock puts the files of bots into the store, unless they are there. They stay until release is called. An error says
// which file cannot be read; if the store fails, stock tries until that works or ctx ends.
func (d *depot) stock(ctx context.Context, entries []tournament.Entry) (s stock, err error) {
	for _, e := range entries {
		spec, err := players.ParseClosed(e.Spec)
		if err != nil {
			continue // it is a program
		}
		for option, path := range spec.FilesByOption() {
			file, err := d.insist(ctx, path)
			if err != nil {
				return s, err
			}
			s = append(s, stocked{e.Name, option, path, file})
		}
	}
	return s, nil
}

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
	d.mu.Lock() // one at a time: a disk and a connection are not faster for two
	defer d.mu.Unlock()
	f, err := d.look(path)
	if err != nil {
		return f, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if d.kept[f.Sum] == nil {
		if err := d.makeRoom(ctx, f.Size); err != nil {
			return f, err
		}
		if err := d.put(ctx, path, f); err != nil {
			return f, err
		}
		d.kept[f.Sum] = &kept{size: f.Size}
	}
	d.kept[f.Sum].uses++
	return f, nil
}

// replenish puts those files into the store again that it has lost.
func (d *depot) replenish(s stock) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	for _, one := range s {
		_, err := d.store.GetInfo(ctx, one.file.Sum)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			err = d.put(ctx, one.path, one.file)
		}
		if err != nil {
			d.log.Error("a file may be missing for the workers", "file", one.path, "why", err)
		}
	}
}

// release says that a match no longer needs its files.
func (d *depot) release(s stock) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, one := range s {
		k := d.kept[one.file.Sum]
		k.uses--
		k.used = time.Now()
	}
}

// look returns a file with its checksum, which is computed anew if the file may have changed.
func (d *depot) look(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	if s, ok := d.known[path]; ok && s.size == info.Size() && s.times.Equal(info.ModTime()) {
		return s.file, nil
	}
	sum, size, err := sumOf(path)
	f := File{Name: filepath.Base(path), Sum: sum, Size: size}
	if err == nil {
		d.known[path] = seen{info.Size(), info.ModTime(), f}
	}
	return f, err
}

// put writes a file to the store.
func (d *depot) put(ctx context.Context, path string, f File) error {
	file, err := os.Open(path) // #nosec G304 -- a bot's spec names it
	if err != nil {
		return err
	}
	defer file.Close()
	read := newSummed(file)
	if _, err = d.store.Put(ctx, jetstream.ObjectMeta{Name: f.Sum, Description: f.Name}, read); err == nil && read.sum() != f.Sum {
		err = errors.New("it has changed while it was read")
	}
	if err != nil {
		_ = d.store.Delete(ctx, f.Sum)
	}
	return err
}

// makeRoom removes the files that were used the longest time ago until a new one fits. Files in use stay, however large
// they are together.
func (d *depot) makeRoom(ctx context.Context, size int64) error {
	var idle []string
	for sum, s := range d.kept {
		size += s.size
		if s.uses == 0 {
			idle = append(idle, sum)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return d.kept[a].used.Compare(d.kept[b].used) })
	for _, sum := range idle {
		if size <= d.most {
			break
		}
		if err := d.store.Delete(ctx, sum); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		size -= d.kept[sum].size
		delete(d.kept, sum)
	}
	return nil
}

// summed is a reader that knows the checksum of what was read.
type summed struct {
	io.Reader
	hash hash.Hash
}

func newSummed(r io.Reader) *summed {
	h := sha256.New()
	return &summed{io.TeeReader(r, h), h}
}

func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// sumOf returns the checksum and the size of a file.
func sumOf(path string) (sum string, size int64, err error) {
	file, err := os.Open(path) // #nosec G304 -- a bot's spec names it, or it is in the cache
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	read := newSummed(file)
	size, err = io.Copy(io.Discard, read)
	return read.sum(), size, err
}
