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

	"versus2048/internal/disk"
	"versus2048/rules"
)

// folder keeps the layers of a census. The state lists the layers. The state is replaced only after a layer's file is
// complete, so that the last finished layer survives any interruption.
type folder struct {
	path  string
	lock  *flock.Flock
	state state
	runs  int // the number of runs made so far
}

// The names of files in a folder. A census uses its files ending in .unfinished until it ends. After an interruption
// they can be deleted.
const (
	stateName  = "census.json"
	lockName   = "census.lock"
	layerName  = "layer-"
	runName    = "run-"
	unfinished = ".unfinished"
)

// ErrInUse is the error for a folder that another process is using.
var ErrInUse = errors.New("another census is using this folder")

// openFolder creates the folder if necessary, locks it and reads its state. It returns ErrInUse if the folder is
// locked, a *DamagedError if the state is damaged, and another error if the folder holds a different census.
func openFolder(c Config) (*folder, error) {
	// #nosec G301 -- counts, for anybody
	if err := os.MkdirAll(c.Folder, 0o755); err != nil {
		return nil, err
	}
	d := &folder{path: c.Folder, lock: flock.New(filepath.Join(c.Folder, lockName))}
	if locked, err := d.lock.TryLock(); err != nil {
		return nil, err
	} else if !locked {
		return nil, fmt.Errorf("%s: %w", c.Folder, ErrInUse)
	}
	if err := d.read(c); err != nil {
		return nil, errors.Join(err, d.lock.Unlock())
	}
	return d, nil
}

// close removes unfinished files and unlocks the folder.
func (d *folder) close() error { return errors.Join(d.remove(isUnfinished), d.lock.Unlock()) }

// last opens the last layer. s must be the space of that layer.
func (d *folder) last(s *space) (*set, error) {
	l := d.state.Layers[len(d.state.Layers)-1]
	path := d.layerPath(l.Plies)
	last, err := openSet(path, s, l.Bytes, l.Checksum)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &DamagedError{path, "the file is missing"}
	}
	return last, err
}

// newRun returns a store for a run.
func (d *folder) newRun() (store, error) {
	d.runs++
	return createFile(filepath.Join(d.path, fmt.Sprintf("%s%d%s", runName, d.runs, unfinished)))
}

// newLayer returns a store for a layer that will be kept when it is complete.
func (d *folder) newLayer(plies int) (store, error) {
	return createFile(d.layerPath(plies) + unfinished)
}

// keep records the last of the layers, which is complete, as the folder's last layer. Unless all layers are to be kept,
// the files of the earlier layers can then be removed: see removeLayers.
func (d *folder) keep(layers []Layer, last *set, all bool) error {
	f := last.store.(*file)
	if err := f.move(d.layerPath(layers[len(layers)-1].Plies)); err != nil {
		return err
	}
	before := d.state.Layers
	d.state.Layers = append([]recordedLayer(nil), before...)
	for _, l := range layers[len(before):] {
		d.state.Layers = append(d.state.Layers, recordedLayer{Layer: l})
	}
	now := &d.state.Layers[len(layers)-1]
	now.File, now.Checksum, f.kept = true, f.indexChecksum, true
	if !all {
		for i := range before {
			d.state.Layers[i].File = false
		}
	}
	if err := d.write(); err != nil {
		d.state.Layers = before
		return err
	}
	return nil
}

// removeLayers removes the files of the layers that are no longer kept, as far as they are still there. These layers
// must be released before: Windows removes no open file.
func (d *folder) removeLayers() (err error) {
	for _, l := range d.state.Layers {
		if l.File {
			continue
		}
		if failed := os.Remove(d.layerPath(l.Plies)); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// remove removes the files with matching names.
func (d *folder) remove(matches func(name string) bool) error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if matches(e.Name()) {
			if err := os.Remove(filepath.Join(d.path, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// isUnfinished reports whether a file with this name is one that a census was still
// writing. The file is of no use once that census has ended.
func isUnfinished(name string) bool {
	ours := strings.HasPrefix(name, layerName) || strings.HasPrefix(name, runName) || strings.HasPrefix(name, stateName)
	return ours && strings.HasSuffix(name, unfinished)
}

// isStale reports whether a file with this name is unfinished, or is a layer's file that the state does not list. Such a
// layer's file remains if a process is killed before it records the layer or removes the file.
func (d *folder) isStale(name string) bool {
	plies, isLayer := strings.CutPrefix(name, layerName)
	isLayer = isLayer && strings.Trim(plies, "0123456789") == ""
	recorded := slices.ContainsFunc(d.state.Layers, func(l recordedLayer) bool {
		return l.File && d.layerPath(l.Plies) == filepath.Join(d.path, name)
	})
	return isUnfinished(name) || isLayer && !recorded
}

// layerPath returns the path of the layer after that many plies.
func (d *folder) layerPath(plies int) string {
	return filepath.Join(d.path, fmt.Sprintf("%s%03d", layerName, plies))
}

// state is the content of census.json.
type state struct {
	Rules     rules.Ruleset   `json:"rules"`
	Start     string          `json:"start"`
	Defenders bool            `json:"defenders"`
	Layers    []recordedLayer `json:"layers"`
	SHA256    string          `json:"sha256,omitempty"` // see seal; "" in files of earlier versions
}

// recordedLayer is a finished layer.
type recordedLayer struct {
	Layer
	Checksum uint32 `json:"checksum"` // CRC-32C of its file's index
	File     bool   `json:"file"`     // whether the folder has its file
}

// read reads the state and removes stale files. It returns an error if the state
// belongs to a different census.
func (d *folder) read(c Config) error {
	wanted := state{Rules: c.Start.Rules(), Start: c.Start.String(), Defenders: c.Defenders}
	d.state = wanted
	path := filepath.Join(d.path, stateName)
	text, err := disk.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a new folder; its files are not ours to remove
	}
	if err != nil {
		return err
	}
	if d.state, err = parseState(text); err == nil {
		_, err = d.state.check()
	}
	if err != nil {
		return &DamagedError{path, err.Error()}
	}
	if there := d.state; there.Rules != wanted.Rules || there.Start != wanted.Start || there.Defenders != wanted.Defenders {
		return fmt.Errorf("%s holds another census: from %s, defenders counted: %v; wanted: from %s, defenders counted: %v",
			d.path, there.Start, there.Defenders, wanted.Start, wanted.Defenders)
	}
	return d.remove(d.isStale)
}

// Recorded returns the number of layers that a folder lists: a census goes on after them. It returns 0 for a
// folder that does not exist or is damaged.
func Recorded(folder string) int {
	text, err := disk.Read(filepath.Join(folder, stateName))
	if err != nil {
		return 0
	}
	s, err := parseState(text)
	if err != nil {
		return 0
	}
	return len(s.Layers)
}

// write replaces the state.
func (d *folder) write() error {
	path := filepath.Join(d.path, stateName)
	text, err := d.state.seal()
	if err != nil {
		return err
	}
	f, err := os.Create(path + unfinished)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+unfinished, path); err != nil {
		return err
	}
	syncFolder(d.path)
	return nil
}

// syncFolder makes renames in a folder durable, where the system can do that.
func syncFolder(path string) {
	if f, err := os.Open(path); err == nil {
		_ = f.Sync() // Windows and some file systems cannot do that
		_ = f.Close()
	}
}

// needFolder opens the folder if it is not open yet.
func (c *census) needFolder() (err error) {
	if c.folder == nil {
		c.folder, err = openFolder(c.config)
	}
	return err
}

// recorded returns the layers that the folder lists. It does not create a folder that
// may turn out not to be needed.
func (c *census) recorded() (layers []Layer, err error) {
	if c.config.Folder == "" {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(c.config.Folder, stateName)); err != nil && c.config.Small > 0 {
		return nil, nil
	}
	if err := c.needFolder(); err != nil {
		return nil, err
	}
	for _, l := range c.folder.state.Layers {
		layers = append(layers, l.Layer)
	}
	return layers, nil
}

// keeps reports whether the layer after this one is kept.
func (c *census) keeps(layer *set) bool {
	return c.config.Folder != "" && layer.count >= c.config.Small
}

// ErrMemory is the error for a census without a folder that exceeds its memory.
var ErrMemory = errors.New("there is not enough memory for a census without a folder")

// layerStore returns the store for the layer after this one.
func (c *census) layerStore(layer *set, plies int) (store, error) {
	if !c.keeps(layer) {
		if layer.size > c.config.Memory/layerPart {
			return nil, fmt.Errorf("layer of ply %d: %w", plies, ErrMemory)
		}
		return &memory{}, nil
	}
	if err := c.needFolder(); err != nil {
		return nil, err
	}
	return c.folder.newLayer(plies)
}

// keep keeps the last of the layers if it is in a file.
func (c *census) keep(last *set, layers []Layer) error {
	if _, ok := last.store.(*file); !ok {
		return nil
	}
	return c.folder.keep(layers, last, c.config.Keep)
}

// runStore returns the store for the next run.
func (c *census) runStore() (store, error) {
	if c.runBytes < c.config.Memory/runPart {
		return &memory{}, nil
	}
	if c.config.Folder == "" {
		return nil, ErrMemory
	}
	if err := c.needFolder(); err != nil {
		return nil, err
	}
	return c.folder.newRun()
}
