package proof

import (
	"encoding/binary"
	"slices"

	"versus2048/rules"
)

// deltaSet is a set of boards in ascending order, each stored as its distance from the board before. A large set of
// boards with one sum of tiles takes about three bytes a board. Each block of boards begins with a whole board, so has
// reads only one block. A nil set is empty. Several goroutines may read a set at once.
type deltaSet struct {
	first  []rules.Board // of each block
	begin  []uint32      // of each block: where its steps begin
	steps  []byte        // the distances of the other boards, as varints
	boards int           // the number of boards
	mapped bool          // whether steps is a part of a file
}

// deltaBlock is the number of boards of a block.
const deltaBlock = 64

// newDeltaSet makes a set of boards, which must be in ascending order. Their steps may take up to 2^32-1 bytes.
func newDeltaSet(boards []rules.Board) *deltaSet {
	blocks := (len(boards) + deltaBlock - 1) / deltaBlock
	s := &deltaSet{make([]rules.Board, 0, blocks), make([]uint32, 0, blocks), nil, len(boards), false}
	for block := range slices.Chunk(boards, deltaBlock) {
		s.first, s.begin = append(s.first, block[0]), append(s.begin, uint32(len(s.steps))) // #nosec G115 -- see above
		for i, b := range block[1:] {
			s.steps = binary.AppendUvarint(s.steps, uint64(b-block[i]))
		}
	}
	s.steps = slices.Clone(s.steps) // without room for more
	return s
}

// has reports whether the set has a board.
func (s *deltaSet) has(b rules.Board) bool {
	if s == nil {
		return false
	}
	at, found := slices.BinarySearch(s.first, b)
	if found || at == 0 {
		return found
	}
	for other := range s.block(at - 1) {
		if other >= b {
			return other == b
		}
	}
	return false
}

// block yields the boards of a block in ascending order.
func (s *deltaSet) block(at int) func(yield func(rules.Board) bool) {
	return func(yield func(rules.Board) bool) {
		b, steps := s.first[at], s.steps[s.begin[at]:]
		for range min(deltaBlock, s.boards-at*deltaBlock) - 1 {
			if !yield(b) {
				return
			}
			step, length := binary.Uvarint(steps)
			b, steps = b+rules.Board(step), steps[length:]
		}
		yield(b)
	}
}

// all yields all boards in ascending order.
func (s *deltaSet) all(yield func(rules.Board) bool) {
	if s == nil {
		return
	}
	for at := range s.first {
		for b := range s.block(at) {
			if !yield(b) {
				return
			}
		}
	}
}

// bytes returns the memory of the set, without a part of a file.
func (s *deltaSet) bytes() int64 {
	if s == nil {
		return 0
	}
	bytes := 8*len(s.first) + 4*len(s.begin)
	if !s.mapped {
		bytes += len(s.steps)
	}
	return int64(bytes)
}
