package census

import (
	"hash/crc32"
	"slices"
	"sync"

	"versus2048/rules"
)

// A set is different ranks of a space, in coded pieces.
type set struct {
	space  *space
	pieces []piece
	count  int64 // of ranks
	size   int64 // of all codes, in bytes
	store  store
}

// piece is where the code of a piece is, and what it is.
type piece struct {
	offset      int64 // from the first code
	count, size uint32
	sum         uint32 // CRC-32C of the code
}

// store holds the codes of a set, in memory or in a file.
type store interface {
	// append keeps the code of the next piece.
	append(code []byte) error
	// code is the code of a piece with padding more bytes. The buffer may be used,
	// and grown.
	code(i int, p piece, buffer *[]byte) ([]byte, error)
	// finish comes after the last piece.
	finish(s *set) error
	// release gives the room free: a file goes that is not kept.
	release() error
}

// padding follows a code, so that appendNumbers can read 8 bytes at once.
const padding = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// append adds the next piece.
func (s *set) append(code []byte, count int) error {
	s.pieces = append(s.pieces, piece{s.size, uint32(count), uint32(len(code)), crc32.Checksum(code, castagnoli)})
	s.count += int64(count)
	s.size += int64(len(code))
	return s.store.append(code)
}

// appendPiece appends the ranks of a piece, less the first that it may have. The
// buffer is room for the code.
func (s *set) appendPiece(dst []uint32, i int, buffer *[]byte) ([]uint32, error) {
	p := s.pieces[i]
	if p.count == 0 {
		return dst, nil
	}
	code, err := s.store.code(i, p, buffer)
	if err != nil {
		return dst, err
	}
	return appendNumbers(dst, code, int(p.count), riceBits(int(p.count), s.space.shift), s.space.shift)
}

// memory is a store of codes with their padding.
type memory [][]byte

func (m *memory) append(code []byte) error {
	*m = append(*m, append(make([]byte, 0, len(code)+padding), code...)[:len(code)+padding])
	return nil
}

func (m *memory) code(i int, _ piece, _ *[]byte) ([]byte, error) { return (*m)[i], nil }

func (m *memory) finish(*set) error { return nil }

func (m *memory) release() error { *m = nil; return nil }

// nowhere is the store of a set that is only counted.
type nowhere struct{}

func (nowhere) append([]byte) error { return nil }
func (nowhere) code(int, piece, *[]byte) ([]byte, error) {
	panic("a set that was only counted is read")
}
func (nowhere) finish(*set) error { return nil }
func (nowhere) release() error    { return nil }

// A binder puts pieces that are ready in any order into a set in order.
type binder struct {
	mu    sync.Mutex
	set   *set
	ready map[int]coded // those that wait for an earlier one
}

// coded is a piece's code.
type coded struct {
	code  []byte
	count int
}

// add takes piece i. The code may be used again when it returns.
func (b *binder) add(i int, c coded) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i > len(b.set.pieces) {
		b.ready[i] = coded{append([]byte(nil), c.code...), c.count}
		return nil
	}
	for ok := true; ok; c, ok = b.ready[i] {
		delete(b.ready, i)
		if err := b.set.append(c.code, c.count); err != nil {
			return err
		}
		i++
	}
	return nil
}

// newSet is a set of a few canonical boards.
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
		_ = all.append(appendRice(nil, numbers, riceBits(len(numbers), s.shift)), len(numbers)) // memory has no errors
	}
	return all
}
