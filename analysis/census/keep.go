package census

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// needFolder opens the folder, if it is not open.
func (c *census) needFolder() (err error) {
	if c.folder == nil {
		c.folder, err = openFolder(c.Settings)
	}
	return err
}

// recorded are the layers that the folder has on record. A folder that may turn
// out not to be needed is not made.
func (c *census) recorded() (layers []Layer, err error) {
	if c.Folder == "" {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(c.Folder, stateName)); err != nil && c.Small > 0 {
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

// keeps tells whether the layer after this one is kept.
func (c *census) keeps(layer *set) bool { return c.Folder != "" && layer.count >= c.Small }

// ErrMemory says that a census without a folder needs more memory.
var ErrMemory = errors.New("there is not enough memory for a census without a folder")

// layerStore is where the layer after this one goes.
func (c *census) layerStore(layer *set, plies int) (store, error) {
	if !c.keeps(layer) {
		if layer.size > c.Memory/layerPart {
			return nil, fmt.Errorf("layer of ply %d: %w", plies, ErrMemory)
		}
		return &memory{}, nil
	}
	if err := c.needFolder(); err != nil {
		return nil, err
	}
	return c.folder.newLayer(plies)
}

// keep keeps the last of the layers if it is to be kept.
func (c *census) keep(last *set, layers []Layer) error {
	if _, ok := last.store.(*file); !ok {
		return nil
	}
	return c.folder.keep(layers, last, c.Keep)
}

// runStore is where the next run goes.
func (c *census) runStore() (store, error) {
	if c.runBytes < c.Memory/runPart {
		return &memory{}, nil
	}
	if c.Folder == "" {
		return nil, ErrMemory
	}
	if err := c.needFolder(); err != nil {
		return nil, err
	}
	return c.folder.newRun()
}
