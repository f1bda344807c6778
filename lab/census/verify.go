package census

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"versus2048/internal/disk"
)

// Verification describes the layers and files that Verify has checked.
type Verification struct {
	Layers int   `json:"layers"` // that census.json lists
	Files  int   `json:"files"`  // of layers that are kept
	Bytes  int64 `json:"bytes"`  // of positions in these files
	Sealed bool  `json:"sealed"` // whether census.json has a checksum: files of earlier versions have none
}

// Verify checks every byte of a census in a folder: census.json, and the files of the layers that it lists. It changes
// nothing. It returns a *DamagedError for a file that has changed, and for a layer's file that is missing. A layer's
// file can also be missing because a census that uses the folder has just completed its next layer.
func Verify(ctx context.Context, folder string) (v Verification, err error) {
	path := filepath.Join(folder, stateName)
	text, err := disk.Read(path)
	if err != nil {
		return v, err
	}
	s, err := parseState(text)
	if err != nil {
		return v, &DamagedError{path, err.Error()}
	}
	start, err := s.check()
	if err != nil {
		return v, &DamagedError{path, err.Error()}
	}
	v.Layers, v.Sealed = len(s.Layers), s.SHA256 != ""
	d := folderFiles{path: folder, halves: newHalves(start.Sum()/2 + len(s.Layers))}
	for i, l := range s.Layers {
		if !l.File {
			continue
		}
		if err := d.verify(ctx, l, start.Sum()/2+i); err != nil {
			return v, err
		}
		v.Files++
		v.Bytes += l.Bytes
	}
	return v, nil
}

// folderFiles are the files of a folder's layers.
type folderFiles struct {
	path   string
	halves *halves
}

// verify decodes all positions of the layer with this sum, in units of a 2.
func (d folderFiles) verify(ctx context.Context, l recordedLayer, sum int) (err error) {
	path := (&folder{path: d.path}).layerPath(l.Plies)
	layer, err := openSet(path, d.halves.space(sum), l.Bytes, l.Checksum)
	if errors.Is(err, fs.ErrNotExist) {
		return &DamagedError{path, "the file is missing"}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, layer.store.release()) }()
	if layer.count != l.Positions {
		return &DamagedError{path, fmt.Sprintf("it has %d positions, want %d", layer.count, l.Positions)}
	}
	var numbers []uint32
	var buffer []byte
	for i := range layer.pieces {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if numbers, err = layer.appendPiece(numbers[:0], i, &buffer); err != nil {
			return err
		}
	}
	return nil
}
