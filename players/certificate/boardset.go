package certificate

import (
	"cmp"
	"math/bits"
	"slices"

	"versus2048/rules"
)

// A BoardSet is a set of boards, up to 2^32-1 of them. It takes little more than four bytes for each board of a large
// set with one sum of tiles, where many boards have the same upper half. It may be read concurrently.
type BoardSet struct {
	lower []uint32 // the lower halves of the boards, in the order of the boards
	heads []uint32 // the first one of each block in lower
	runs  []run    // boards with the same upper half, in order; the last run is empty
	slots []uint32 // a hash table by upper half: the place of its run in runs, plus 1; 0 in a free slot
	shift int      // a hash is shifted to the right by shift: its highest bits select the slot
}

// block is the number of lower halves that fit into a line of the processor's cache.
const block = 16

// run is where the boards with an upper half begin.
type run struct{ upper, begin uint32 }

// NewBoardSet makes a set of boards, which must be in ascending order.
func NewBoardSet(boards []rules.Board) *BoardSet {
	s := &BoardSet{lower: make([]uint32, len(boards))}
	for i, b := range boards {
		s.lower[i] = uint32(b) // #nosec G115 -- the lower half
		if i%block == 0 {
			s.heads = append(s.heads, s.lower[i])
		}
		if upper := uint32(b >> 32); i == 0 || upper != s.runs[len(s.runs)-1].upper {
			s.runs = append(s.runs, run{upper, uint32(i)}) // #nosec G115 -- at most 2^32-1 boards
		}
	}
	s.index()
	s.runs = append(s.runs, run{begin: uint32(len(boards))}) // #nosec G115 -- at most 2^32-1 boards
	return s
}

// index fills the slots with the runs.
func (s *BoardSet) index() {
	width := bits.Len(uint(2*len(s.runs) + 1)) // at least half of the slots are free
	s.shift, s.slots = 32-width, make([]uint32, 1<<width)
	for place, r := range s.runs {
		i := s.slot(r.upper)
		for s.slots[i] != 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = uint32(place) + 1 // #nosec G115 -- at most 2^32-1 boards
	}
}

func (s *BoardSet) slot(upper uint32) int {
	const golden = 0x9E3779B9 // 2^32 divided by the golden ratio: every cell changes the highest bits
	return int(upper * golden >> s.shift)
}

// Len returns the number of boards.
func (s *BoardSet) Len() int { return len(s.lower) }

// Has reports whether the set contains b.
func (s *BoardSet) Has(b rules.Board) bool {
	upper := uint32(b >> 32)
	for i := s.slot(upper); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if place := s.slots[i]; s.runs[place-1].upper == upper {
			return s.contains(int(s.runs[place-1].begin), int(s.runs[place].begin), uint32(b)) // #nosec G115 -- the lower half
		}
	}
	return false
}

// contains reports whether the run from begin to before end has a lower half. It finds the half's block in heads, and
// then reads only that block of lower.
func (s *BoardSet) contains(begin, end int, lower uint32) bool {
	at, last := begin/block, (end-1)/block // at becomes the last block with a head of at most lower
	for at < last {
		if middle := (at + last + 1) / 2; s.heads[middle] <= lower {
			at = middle
		} else {
			last = middle - 1
		}
	}
	return slices.Contains(s.lower[max(begin, at*block):min(end, at*block+block)], lower)
}

// Boards returns the boards from place begin to before place end, in ascending order.
func (s *BoardSet) Boards(begin, end int) []rules.Board {
	all := make([]rules.Board, 0, end-begin)
	at, _ := slices.BinarySearchFunc(s.runs, begin, func(r run, place int) int { return cmp.Compare(int(r.begin), place) })
	if int(s.runs[at].begin) > begin {
		at--
	}
	for i := begin; i < end; i++ {
		for int(s.runs[at+1].begin) <= i {
			at++
		}
		all = append(all, rules.Board(s.runs[at].upper)<<32|rules.Board(s.lower[i]))
	}
	return all
}

// Bytes returns the memory of the set.
func (s *BoardSet) Bytes() int64 {
	return int64(4*(len(s.lower)+len(s.heads)+len(s.slots)) + 8*len(s.runs))
}
