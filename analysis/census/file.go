package census

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// file is a store in a file: the codes one after the other, then an index of the
// pieces.
type file struct {
	*os.File
	writer *bufio.Writer // until it is finished
	index  uint32        // CRC-32C of the index
	kept   bool          // it stays when it is released
}

// indexed is what the index takes for a piece: count, size and sum.
const indexed = 12

func createFile(path string) (*file, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &file{File: f, writer: bufio.NewWriterSize(f, 1<<20)}, nil
}

func (f *file) append(code []byte) error {
	_, err := f.writer.Write(code)
	return err
}

// finish writes the index, which is long enough to be the last code's padding.
func (f *file) finish(s *set) error {
	index := make([]byte, 0, indexed*len(s.pieces))
	for _, p := range s.pieces {
		index = binary.LittleEndian.AppendUint32(index, p.count)
		index = binary.LittleEndian.AppendUint32(index, p.size)
		index = binary.LittleEndian.AppendUint32(index, p.sum)
	}
	f.index = crc32.Checksum(index, castagnoli)
	_, err := f.writer.Write(index)
	err = errors.Join(err, f.writer.Flush())
	f.writer = nil
	return err
}

// code reads from the file. Workers do so at the same time.
func (f *file) code(i int, p piece, buffer *[]byte) ([]byte, error) {
	size := int(p.size) + padding
	if cap(*buffer) < size {
		*buffer = make([]byte, size+size/4)
	}
	code := (*buffer)[:size]
	if n, err := f.ReadAt(code, p.offset); n < size {
		return nil, err
	}
	if crc32.Checksum(code[:p.size], castagnoli) != p.sum {
		return nil, &DamagedError{f.Name(), fmt.Sprintf("piece %d has another checksum", i)}
	}
	return code, nil
}

func (f *file) release() error {
	if f.kept {
		return f.Close()
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// DamagedError says that a file of a census is not as it was written.
type DamagedError struct {
	Path, Detail string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s is damaged: %s", e.Path, e.Detail) }

// openSet opens a layer's file, of which size and checksum are known.
func openSet(path string, s *space, size int64, checksum uint32) (*set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	all := &set{space: s, store: &file{File: f, index: checksum, kept: true}}
	if err := all.readIndex(f, size, checksum); err != nil {
		return nil, errors.Join(&DamagedError{path, err.Error()}, f.Close())
	}
	return all, nil
}

func (s *set) readIndex(f *os.File, size int64, checksum uint32) error {
	index := make([]byte, indexed*s.space.pieces())
	info, err := f.Stat()
	switch want := size + int64(len(index)); {
	case err != nil:
		return err
	case info.Size() != want:
		return fmt.Errorf("%d bytes, want %d", info.Size(), want)
	}
	if _, err := io.ReadFull(io.NewSectionReader(f, size, int64(len(index))), index); err != nil {
		return err
	}
	if crc32.Checksum(index, castagnoli) != checksum {
		return errors.New("the index has another checksum")
	}
	for ; len(index) > 0; index = index[indexed:] {
		p := piece{s.size, binary.LittleEndian.Uint32(index), binary.LittleEndian.Uint32(index[4:]), binary.LittleEndian.Uint32(index[8:])}
		s.pieces = append(s.pieces, p)
		s.count += int64(p.count)
		s.size += int64(p.size)
	}
	return nil
}
