package census

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"versus2048/internal/disk"
	"versus2048/rules"
)

// A set is a set of ranks of a space, stored as coded pieces.
type set struct {
	space  *space
	pieces []piece
	count  int64 // of ranks
	size   int64 // of all codes, in bytes
	store  store
}

// piece describes the code of a piece's ranks.
type piece struct {
	offset      int64 // from the first code
	count, size uint32
	checksum    uint32 // CRC-32C of the code
}

// newSet makes a set of a few canonical boards, in memory.
func newSet(s *space, boards ...rules.Board) *set {
	all := &set{space: s, store: &memory{}}
	pieces := make([][]uint32, s.pieces())
	for _, b := range boards {
		r := s.rank(b)
		pieces[r>>s.shift] = append(pieces[r>>s.shift], uint32(r&(1<<s.shift-1)))
	}
	for _, numbers := range pieces {
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		_ = all.append(appendRice(nil, numbers, riceBits(len(numbers), s.shift)), len(numbers)) // memory returns no errors
	}
	return all
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// append adds the next piece.
func (s *set) append(code []byte, count int) error {
	s.pieces = append(s.pieces, piece{s.size, uint32(count), uint32(len(code)), crc32.Checksum(code, castagnoli)})
	s.count += int64(count)
	s.size += int64(len(code))
	return s.store.append(code)
}

// appendPiece appends the ranks of a piece, each minus the first rank that the piece may have. The buffer is scratch
// space for the code. It returns a *DamagedError if the file no longer has the code of the piece.
func (s *set) appendPiece(dst []uint32, i int, buffer *[]byte) ([]uint32, error) {
	p := s.pieces[i]
	if p.count == 0 {
		return dst, nil
	}
	code, err := s.store.code(i, p, buffer)
	if err != nil {
		return dst, err
	}
	dst, err = appendNumbers(dst, code, int(p.count), riceBits(int(p.count), s.space.shift), s.space.ranks(i))
	if f, ok := s.store.(*file); ok && err != nil {
		return dst, &DamagedError{f.path, fmt.Sprintf("piece %d: %v", i, err)}
	}
	return dst, err
}

// store holds the codes of a set, in memory or in a file.
type store interface {
	// append stores the code of the next piece.
	append(code []byte) error
	// code returns the code of a piece, followed by padding bytes. It may use and grow the buffer.
	code(i int, p piece, buffer *[]byte) ([]byte, error)
	// finish is called after the last piece.
	finish(s *set) error
	// release frees the store. A file is removed unless it is kept.
	release() error
}

// padding is the number of bytes after a code. With them appendNumbers can read 8 bytes at once.
const padding = 8

// memory is a store of codes with their padding.
type memory [][]byte

func (m *memory) append(code []byte) error {
	*m = append(*m, append(make([]byte, 0, len(code)+padding), code...)[:len(code)+padding])
	return nil
}

func (m *memory) code(i int, _ piece, _ *[]byte) ([]byte, error) { return (*m)[i], nil }

func (m *memory) finish(*set) error { return nil }

func (m *memory) release() error { *m = nil; return nil }

// discard is the store of a set that is only counted.
type discard struct{}

func (discard) append([]byte) error { return nil }
func (discard) code(int, piece, *[]byte) ([]byte, error) {
	panic("reading a set that was only counted")
}
func (discard) finish(*set) error { return nil }
func (discard) release() error    { return nil }

// file is a store in a file: all codes one after the other, then an index of the pieces.
type file struct {
	path          string
	disk          *os.File
	writer        *bufio.Writer // until the file is finished
	indexChecksum uint32        // CRC-32C of the index
	kept          bool          // whether release leaves the file in place
}

// indexEntry is the size of a piece's entry in the index: count, size and checksum.
const indexEntry = 12

func createFile(path string) (*file, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &file{path: path, disk: f, writer: bufio.NewWriterSize(f, 1<<20)}, nil
}

func (f *file) append(code []byte) error {
	_, err := f.writer.Write(code)
	return err
}

// finish writes the index, which also serves as the last code's padding.
func (f *file) finish(s *set) error {
	index := make([]byte, 0, indexEntry*len(s.pieces))
	for _, p := range s.pieces {
		index = binary.LittleEndian.AppendUint32(index, p.count)
		index = binary.LittleEndian.AppendUint32(index, p.size)
		index = binary.LittleEndian.AppendUint32(index, p.checksum)
	}
	f.indexChecksum = crc32.Checksum(index, castagnoli)
	_, err := f.writer.Write(index)
	err = errors.Join(err, f.writer.Flush())
	f.writer = nil
	return err
}

// code reads a piece's code from the file. It is safe for concurrent use.
func (f *file) code(i int, p piece, buffer *[]byte) ([]byte, error) {
	size := int(p.size) + padding
	if cap(*buffer) < size {
		*buffer = make([]byte, size+size/4)
	}
	code := (*buffer)[:size]
	if n, err := f.disk.ReadAt(code, p.offset); n < size {
		if errors.Is(err, io.EOF) {
			err = &DamagedError{f.path, fmt.Sprintf("it ends within piece %d", i)}
		}
		return nil, err
	}
	if crc32.Checksum(code[:p.size], castagnoli) != p.checksum {
		return nil, &DamagedError{f.path, fmt.Sprintf("the checksum of piece %d is wrong", i)}
	}
	return code, nil
}

// move gives the finished file its final name. Windows renames no open file, so move closes it and opens it again.
func (f *file) move(path string) error {
	if err := errors.Join(f.disk.Sync(), f.disk.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.path, path); err != nil {
		return err
	}
	f.path = path
	moved, _, err := disk.Open(path)
	if err == nil {
		f.disk = moved
	}
	return err
}

func (f *file) release() error {
	err := f.disk.Close()
	if errors.Is(err, os.ErrClosed) { // move has closed it, and failed
		err = nil
	}
	if f.kept {
		return err
	}
	return errors.Join(err, os.Remove(f.path))
}

// DamagedError is the error for a file of a census that has changed since it was written.
type DamagedError struct {
	Path, Detail string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s is damaged: %s", e.Path, e.Detail) }

// openSet opens a layer's file. size is the number of bytes of all codes, checksum the
// CRC-32C of the index. It returns a *DamagedError if the file does not match them.
func openSet(path string, s *space, size int64, checksum uint32) (*set, error) {
	f, _, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	all := &set{space: s, store: &file{path: path, disk: f, indexChecksum: checksum, kept: true}}
	if err := all.readIndex(f, size, checksum); err != nil {
		return nil, errors.Join(&DamagedError{path, err.Error()}, f.Close())
	}
	return all, nil
}

func (s *set) readIndex(f *os.File, size int64, checksum uint32) error {
	index := make([]byte, indexEntry*s.space.pieces())
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
		return errors.New("the checksum of the index is wrong")
	}
	for ; len(index) > 0; index = index[indexEntry:] {
		p := piece{s.size, binary.LittleEndian.Uint32(index), binary.LittleEndian.Uint32(index[4:]), binary.LittleEndian.Uint32(index[8:])}
		s.pieces = append(s.pieces, p)
		s.count += int64(p.count)
		s.size += int64(p.size)
	}
	if s.size != size { // without this check, a piece of a wrong size could take too much memory
		return fmt.Errorf("its pieces have %d bytes, want %d", s.size, size)
	}
	return nil
}
