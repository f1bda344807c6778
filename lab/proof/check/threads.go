package check

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// A set has the codes of some boards, in ascending order, and finds the place of each. Many codes have the same upper half:
// a table has the places of all upper halves.
type set struct {
	codes []uint64
	first []int    // the place of the first code with each upper half, in order, and the number of codes
	slots []uint32 // by the highest bits of a hash, or in a slot after that: a place in first, plus 1; 0 is free
	shift int
}

func newSet(codes []uint64) *set {
	s := &set{codes: codes}
	for place, code := range codes {
		if place == 0 || code>>32 != codes[place-1]>>32 {
			s.first = append(s.first, place)
		}
	}
	width := bits.Len(uint(2 * len(s.first))) // half of the slots are free, or more
	s.shift, s.slots = 64-width, make([]uint32, 1<<width)
	for i, place := range s.first {
		slot := s.slot(codes[place])
		for s.slots[slot] != 0 {
			slot = (slot + 1) & (len(s.slots) - 1)
		}
		s.slots[slot] = uint32(i) + 1 // #nosec G115 -- mostCodes
	}
	s.first = append(s.first, len(codes))
	return s
}

// mostCodes is the largest size of a set.
const mostCodes = 1<<32 - 2

// slot returns the first slot where the upper half of a code may be.
func (s *set) slot(code uint64) int {
	return int(code >> 32 * 0x9E3779B97F4A7C15 >> s.shift) // #nosec G115 -- 2^64 by the golden ratio: all cells matter
}

// find returns the place of a code, and whether the set has it. A nil set has none.
func (s *set) find(code uint64) (place int, ok bool) {
	if s == nil || len(s.codes) == 0 {
		return 0, false
	}
	for i := s.slot(code); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		begin, end := s.first[s.slots[i]-1], s.first[s.slots[i]]
		if s.codes[begin]>>32 != code>>32 {
			continue
		}
		place, ok = slices.BinarySearch(s.codes[begin:end], code)
		return begin + place, ok
	}
	return 0, false
}

// each calls do with 0 to n-1, from several goroutines that each take some numbers at a time. It returns the error of
// the smallest number that has one, as a loop would: larger numbers may have been tried or not.
func each(threads, n, some int, do func(i int) error) error {
	errs := make([]error, (n+some-1)/some)
	var next atomic.Int64
	var failed atomic.Bool
	work := func() {
		// Numbers are taken in ascending order: all that are smaller than a failed one have been taken before it.
		for part := int(next.Add(1)) - 1; part < len(errs) && !failed.Load(); part = int(next.Add(1)) - 1 {
			for i := part * some; i < min(n, part*some+some) && errs[part] == nil; i++ {
				errs[part] = do(i)
			}
			if errs[part] != nil {
				failed.Store(true)
			}
		}
	}
	var group sync.WaitGroup
	for range min(threads, len(errs)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return cmp.Or(errs...)
}
