package check

import (
	"cmp"
	"math/bits"
	"sync"
	"sync/atomic"
)

// A set has the codes of some boards, in ascending order, and finds the place of each.
type set struct {
	codes []uint64
	shift int
	slots []uint32 // by the highest bits of a hash, or in a slot after that: a place in codes, plus 1; 0 is free
}

func newSet(codes []uint64) *set {
	width := bits.Len(uint(len(codes) + len(codes)/2)) // a third of the slots is free, or more
	s := &set{codes: codes, shift: 64 - width, slots: make([]uint32, 1<<width)}
	for place, code := range codes {
		i := s.slot(code)
		for s.slots[i] != 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = uint32(place) + 1 // #nosec G115 -- mostCodes
	}
	return s
}

// mostCodes is the largest size of a set.
const mostCodes = 1<<32 - 2

// slot returns the first slot where a code may be.
func (s *set) slot(code uint64) int {
	return int(code * 0x9E3779B97F4A7C15 >> s.shift) // #nosec G115 -- 2^64 by the golden ratio: all cells matter
}

// find returns the place of a code, and whether the set has it. A nil set has none.
func (s *set) find(code uint64) (place int, ok bool) {
	if s == nil || len(s.codes) == 0 {
		return 0, false
	}
	for i := s.slot(code); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if place = int(s.slots[i]) - 1; s.codes[place] == code {
			return place, true
		}
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
