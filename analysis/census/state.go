package census

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"versus2048/rules"
)

// state is the content of the file census.json.
type state struct {
	Rules     rules.Ruleset `json:"rules"`
	Start     string        `json:"start"`
	Defenders bool          `json:"defenders"`
	Layers    []kept        `json:"layers"`
}

// kept is a finished layer.
type kept struct {
	Layer
	Checksum uint32 `json:"checksum"` // CRC-32C of its file's index
	File     bool   `json:"file"`     // whether it has one
}

// read reads the state, which must be one of the same census.
func (d *folder) read(s Settings) error {
	wanted := state{Rules: s.Start.Rules(), Start: s.Start.String(), Defenders: s.Defenders}
	d.state = wanted
	path := filepath.Join(d.path, stateName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing here is ours yet
	}
	if err != nil {
		return err
	}
	d.state = state{}
	if err := json.Unmarshal(text, &d.state); err != nil {
		return &DamagedError{path, err.Error()}
	}
	if there := d.state; there.Rules != wanted.Rules || there.Start != wanted.Start || there.Defenders != wanted.Defenders {
		return fmt.Errorf("%s holds another census: from %s, defenders counted: %v; wanted: from %s, defenders counted: %v",
			d.path, there.Start, there.Defenders, wanted.Start, wanted.Defenders)
	}
	return d.remove(d.isStale)
}

// write replaces the state.
func (d *folder) write() error {
	path := filepath.Join(d.path, stateName)
	text, err := json.MarshalIndent(d.state, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.Create(path + unfinished)
	if err != nil {
		return err
	}
	if _, err = f.Write(append(text, '\n')); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+unfinished, path); err != nil {
		return err
	}
	return syncFolder(d.path)
}

// syncFolder makes renames in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
