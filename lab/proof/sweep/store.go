package sweep

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/edsrzf/mmap-go"
	"github.com/gofrs/flock"

	"versus2048/internal/disk"
	"versus2048/lab/proof"
)

// A store keeps the finished layers in a directory, a file for each sum of tiles: a line of text, the values,
// and their CRC-32C. A file gets its final name when it is complete, so every file with a final name can be used,
// however the process ended.
type store struct {
	config   Config
	geometry *geometry
	lock     *flock.Flock   // of the directory, nil without one
	open     map[int]*layer // by sum: the layers that are mapped
	mapped   []mmap.MMap
}

// layerHeader is the first line of a layer's file, with the rules, size, ceiling and sum.
const layerHeader = "versus 2048 sweep 1 %v %v ceiling %d sum %d\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func openStore(c Config, g *geometry) (store, error) {
	s := store{config: c, geometry: g, open: map[int]*layer{}}
	if c.State == "" {
		return s, nil
	}
	// #nosec G301 -- results about boards, for anybody
	if err := os.MkdirAll(c.State, 0o755); err != nil {
		return s, fmt.Errorf("state: %w", err)
	}
	var err error
	s.lock, err = proof.Lock(c.State)
	return s, err
}

func (s *store) close() (err error) {
	if s.lock != nil {
		err = s.lock.Close()
	}
	for _, m := range s.mapped {
		err = errors.Join(err, m.Unmap())
	}
	s.mapped, s.open = nil, nil
	return err
}

func (s *store) path(sum int) string {
	return filepath.Join(s.config.State, fmt.Sprintf("sum-%04d.layer", sum))
}

func (s *store) header(sum int) string {
	return fmt.Sprintf(layerHeader, s.config.Rules, s.geometry.size, s.geometry.ceiling*unit, sum)
}

// load returns the layer of a sum, or nil if the store does not have it.
func (s *store) load(sum int) (*layer, error) {
	if l := s.open[sum]; l != nil || s.config.State == "" {
		return l, nil
	}
	file, size, err := disk.Open(s.path(sum))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	defer file.Close() // the mapping remains
	if size == 0 {
		return nil, s.wrong(sum, "it is empty: remove it") // an empty file cannot be mapped
	}
	content, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("state %s: %w", s.path(sum), err)
	}
	s.mapped = append(s.mapped, content)
	l := s.geometry.index(sum)
	if l.values, err = s.check(sum, content); err != nil {
		return nil, err
	}
	s.open[sum] = l
	return l, nil
}

// check returns the values in a file, or an error that says why the file cannot be used.
func (s *store) check(sum int, content []byte) ([]byte, error) {
	header, n := s.header(sum), int(s.geometry.places(sum))
	if len(content) < len(header) || string(content[:len(header)]) != header {
		return nil, s.wrong(sum, fmt.Sprintf("it is not a layer of a sweep of %v on %v up to %d points", s.config.Rules, s.geometry.size, s.geometry.ceiling*unit))
	}
	if len(content) != len(header)+n+crc32.Size {
		return nil, s.wrong(sum, fmt.Sprintf("it has %d bytes, want %d: remove it", len(content), len(header)+n+crc32.Size))
	}
	values := content[len(header):][:n]
	if string(content[len(header)+n:]) != string(checksum(values)) {
		return nil, s.wrong(sum, "its checksum is wrong: remove it")
	}
	return values, nil
}

// wrong returns an error for the file of a sum.
func (s *store) wrong(sum int, reason string) error {
	return &proof.StateError{Path: s.path(sum), Reason: reason}
}

func checksum(values []byte) []byte {
	c := crc32.Checksum(values, castagnoli)
	return []byte{byte(c >> 24), byte(c >> 16), byte(c >> 8), byte(c)}
}

// save writes a layer to its file, if the store has a directory.
func (s *store) save(l *layer) (err error) {
	if s.config.State == "" {
		return nil
	}
	path := s.path(l.sum)
	file, err := os.Create(path + ".new") // #nosec G304 -- the user's directory
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	for _, part := range [][]byte{[]byte(s.header(l.sum)), l.values, checksum(l.values)} {
		if err == nil {
			_, err = file.Write(part)
		}
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("state: %w", errors.Join(err, os.Remove(path+".new")))
	}
	return nil
}
