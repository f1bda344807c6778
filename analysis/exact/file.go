package exact

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/edsrzf/mmap-go"
)

// A table's file is a header, a directory with an entry a layer, the layers by
// growing sum (of each its index, its keys and its worths, see tableLayer), and a
// CRC-32C of all that. Numbers are little-endian.

// castagnoli is the polynomial that processors compute.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const checksumBytes = 4

// DamagedError says why a file is not a table that can be used.
type DamagedError struct{ Path, Reason string }

func (e *DamagedError) Error() string {
	return fmt.Sprintf("table %s: %s", e.Path, e.Reason)
}

// WriteFile writes the table into a file, which is there whole or not at all.
func (t *Table) WriteFile(path string) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("table %s: %w", path, err)
	}
	err = errors.Join(t.write(temporary), temporary.Chmod(0o644), temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name()) // the first error tells more
		err = fmt.Errorf("table %s: %w", path, err)
	}
	return err
}

func (t *Table) write(w io.Writer) error {
	sum := crc32.New(castagnoli)
	both := io.MultiWriter(w, sum)
	parts := [][]byte{t.header(), t.directory()}
	for _, l := range t.layers {
		parts = append(parts, l.index, l.keys, l.worths)
	}
	for _, part := range parts {
		if _, err := both.Write(part); err != nil {
			return err
		}
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// Open maps the table in a file into memory and verifies its checksum. It
// returns a *DamagedError for a file that is not a whole table. The file must not
// change until the table is closed; WriteFile puts another one in its place.
func Open(path string) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	defer file.Close() // what is mapped stays
	if info, err := file.Stat(); err == nil && (!info.Mode().IsRegular() || info.Size() < int64(headerBytes)) {
		return nil, &DamagedError{path, "it is not a table of exact values"}
	}
	content, err := mmap.Map(file, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", path, err)
	}
	t, err := read(content)
	if err != nil {
		return nil, errors.Join(&DamagedError{path, err.Error()}, content.Unmap())
	}
	t.close = content.Unmap
	return t, nil
}

// read finds the table in a file's content.
func read(content []byte) (*Table, error) {
	t, rest, err := readHeader(content)
	if err != nil {
		return nil, err
	}
	end := len(content) - checksumBytes
	if want := binary.LittleEndian.Uint32(content[end:]); crc32.Checksum(content[:end], castagnoli) != want {
		return nil, errors.New("it is damaged: its checksum is wrong; make it again with arena solve")
	}
	directory := rest[:len(t.layers)*directoryEntry]
	rest = rest[len(directory) : len(rest)-checksumBytes]
	for i := range t.layers {
		if rest, err = t.layers[i].read(t.game, directory[i*directoryEntry:], rest); err != nil {
			return nil, err
		}
	}
	return t, nil
}
