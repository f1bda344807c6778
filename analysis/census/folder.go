package census

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// folder is where a census keeps its layers. The state says which there are: it
// is replaced once a layer's file is complete, so that whatever happens the last
// finished layer is there.
type folder struct {
	path  string
	lock  *flock.Flock
	state state
	runs  int // that were made
}

// The files of a folder besides the layers'. What ends with unfinished is nothing
// that anybody needs after a stop.
const (
	stateName  = "census.json"
	lockName   = "census.lock"
	layerName  = "layer-"
	runName    = "run-"
	unfinished = ".unfinished"
)

// ErrInUse says that another process works in the folder.
var ErrInUse = errors.New("another census is at work in this folder")

// openFolder makes the folder if it is not there, and reads its state.
func openFolder(s Settings) (*folder, error) {
	if err := os.MkdirAll(s.Folder, 0o755); err != nil {
		return nil, err
	}
	d := &folder{path: s.Folder, lock: flock.New(filepath.Join(s.Folder, lockName))}
	if locked, err := d.lock.TryLock(); err != nil {
		return nil, err
	} else if !locked {
		return nil, fmt.Errorf("%s: %w", s.Folder, ErrInUse)
	}
	if err := d.read(s); err != nil {
		return nil, errors.Join(err, d.lock.Unlock())
	}
	return d, nil
}

// close leaves the folder to others, without what is unfinished.
func (d *folder) close() error { return errors.Join(d.remove(isUnfinished), d.lock.Unlock()) }

// remove removes the files whose names are of some kind.
func (d *folder) remove(kind func(name string) bool) error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if kind(e.Name()) {
			if err := os.Remove(filepath.Join(d.path, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// isUnfinished tells whether this is the name of a file that nobody needs when its
// process has ended.
func isUnfinished(name string) bool {
	ours := strings.HasPrefix(name, layerName) || strings.HasPrefix(name, runName) || strings.HasPrefix(name, stateName)
	return ours && strings.HasSuffix(name, unfinished)
}

// isStale tells whether this is the name of such a file, or of a layer that is not
// on record: a process was killed before it could write down that it is there, or
// remove it.
func (d *folder) isStale(name string) bool {
	plies, isLayer := strings.CutPrefix(name, layerName)
	isLayer = isLayer && strings.Trim(plies, "0123456789") == ""
	recorded := slices.ContainsFunc(d.state.Layers, func(l kept) bool { return l.File && d.layerPath(l.Plies) == filepath.Join(d.path, name) })
	return isUnfinished(name) || isLayer && !recorded
}

// layerPath is the file of the layer after so many plies.
func (d *folder) layerPath(plies int) string {
	return filepath.Join(d.path, fmt.Sprintf("%s%03d", layerName, plies))
}

// last is the last layer, which lies in the space.
func (d *folder) last(s *space) (*set, error) {
	l := d.state.Layers[len(d.state.Layers)-1]
	path := d.layerPath(l.Plies)
	last, err := openSet(path, s, l.Bytes, l.Checksum)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &DamagedError{path, "it is not there"}
	}
	return last, err
}

// newRun is a store for a run.
func (d *folder) newRun() (store, error) {
	d.runs++
	return createFile(filepath.Join(d.path, fmt.Sprintf("%s%d%s", runName, d.runs, unfinished)))
}

// newLayer is a store for a layer, to be kept when it is complete.
func (d *folder) newLayer(plies int) (store, error) {
	return createFile(d.layerPath(plies) + unfinished)
}

// keep makes a layer the folder's last one. The files of earlier ones are removed,
// but for all.
func (d *folder) keep(layers []Layer, last *set, all bool) error {
	f := last.store.(*file)
	path := d.layerPath(layers[len(layers)-1].Plies)
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(path+unfinished, path); err != nil {
		return err
	}
	before := d.state.Layers
	d.state.Layers = append([]kept(nil), before...)
	for _, l := range layers[len(before):] {
		d.state.Layers = append(d.state.Layers, kept{Layer: l})
	}
	now := &d.state.Layers[len(layers)-1]
	now.File, now.Checksum, f.kept = true, f.index, true
	if !all {
		for i := range before {
			d.state.Layers[i].File = false
		}
	}
	if err := d.write(); err != nil {
		d.state.Layers = before
		return err
	}
	return d.forget(before)
}

// forget removes the files of layers that are no longer kept.
func (d *folder) forget(before []kept) (err error) {
	for i, l := range before {
		if l.File && !d.state.Layers[i].File {
			err = errors.Join(err, os.Remove(d.layerPath(l.Plies)))
		}
	}
	return err
}
