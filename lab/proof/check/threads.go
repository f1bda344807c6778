package check

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// A set has the codes of some boards, in ascending order, and finds the place of each. A run is a part of the codes that
// differ in the lowest bits only, those of the first five cells. A hash table has the places of runs.
type set struct {
	codes []uint64
	first []int    // for each run, in order, the place of its first code; then the number of codes
	slots []uint32 // by the highest bits of a hash, or in a later slot: an index of first, plus 1; 0 is free
	shift int
	// filter has bits, by the highest bits of a code's hash. The bits of all codes in the set are 1. So one access to memory
	// shows that a code is missing, where a search takes several. filter is nil if the set has most codes that are looked up.
	filter      []uint64
	filterShift int
}

// lowBits is the number of bits in which the codes of a run differ.
const lowBits = 20

func newSet(codes []uint64) *set {
	s := &set{codes: codes}
	for place, code := range codes {
		if place == 0 || code>>lowBits != codes[place-1]>>lowBits {
			s.first = append(s.first, place)
		}
	}
	width := bits.Len(uint(2 * len(s.first))) // at least half of the slots are free
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

// addFilter makes the filter: 16 to 32 bits for a code.
func (s *set) addFilter(threads int) {
	const part = 1 << 16
	width := max(6, bits.Len(uint(16*len(s.codes))))
	s.filterShift, s.filter = 64-width, make([]uint64, 1<<(width-6))
	_ = each(threads, (len(s.codes)+part-1)/part, 1, func(i int) error {
		for _, code := range s.codes[i*part : min(len(s.codes), i*part+part)] {
			bit := code * golden >> s.filterShift
			atomic.OrUint64(&s.filter[bit/64], 1<<(bit%64))
		}
		return nil // never an error
	})
}

// mostCodes is the largest size of a set.
const mostCodes = 1<<32 - 2

// slot returns the slot where the search for the run of a code begins.
func (s *set) slot(code uint64) int {
	return int(code >> lowBits * golden >> s.shift) // #nosec G115 -- less than the number of slots
}

// golden is 2^64 divided by the golden ratio: all cells matter for the highest bits of a product with it.
const golden = 0x9E3779B97F4A7C15

// all returns the codes. A nil set has none.
func (s *set) all() []uint64 {
	if s == nil {
		return nil
	}
	return s.codes
}

// find returns the place of a code, and whether the set has it. A nil set has none.
func (s *set) find(code uint64) (place int, ok bool) {
	if s == nil || len(s.codes) == 0 {
		return 0, false
	}
	if s.filter != nil {
		if bit := code * golden >> s.filterShift; s.filter[bit/64]>>(bit%64)&1 == 0 {
			return 0, false
		}
	}
	begin, end := s.run(code)
	place, ok = slices.BinarySearch(s.codes[begin:end], code)
	return begin + place, ok
}

// findAll sets places to the places of at most mostAtOnce codes, and to -1 for a code that the set does not have. It takes
// each step for all codes before the next step, so that the processor waits for many parts of memory at once.
func (s *set) findAll(codes []uint64, places []int) {
	if len(s.codes) == 0 {
		for i := range codes {
			places[i] = -1
		}
		return
	}
	var lengths [mostAtOnce]int // of the parts of the runs that may have the codes
	for i, code := range codes {
		lengths[i] = int(s.slots[s.slot(code)])
	}
	for i := range codes {
		lengths[i] = s.first[max(0, lengths[i]-1)]
	}
	for i := range codes {
		lengths[i] = int(s.codes[lengths[i]] & 1)
	}
	longest := 1
	for i, code := range codes {
		begin, end := s.run(code)
		places[i], lengths[i] = begin, end-begin
		longest = max(longest, end-begin)
	}
	for ; longest > 1; longest -= longest / 2 {
		for i, code := range codes {
			place, half := places[i], lengths[i]/2
			if s.codes[place+half] <= code {
				place += half // compiled without a jump, which the processor would guess wrongly every other time
			}
			places[i] = place
			lengths[i] -= half
		}
	}
	for i, code := range codes {
		if s.codes[places[i]] != code {
			places[i] = -1
		}
	}
}

// run returns the places of the codes that have the same upper bits as the code: from begin to end, or none.
func (s *set) run(code uint64) (begin, end int) {
	for i := s.slot(code); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		begin, end = s.first[s.slots[i]-1], s.first[s.slots[i]]
		if s.codes[begin]>>lowBits == code>>lowBits {
			return begin, end
		}
	}
	return 0, 0
}

// each calls do with the numbers from 0 to n-1. Several goroutines take some of the numbers at a time. each returns
// the error of the smallest number that has one, as a loop does. Larger numbers may have been tried or not.
func each(threads, n, some int, do func(i int) error) error {
	errs := make([]error, (n+some-1)/some)
	var next atomic.Int64
	var failed atomic.Bool
	work := func() {
		// Parts are taken in ascending order, and each part that was taken is tried. So all parts before a failed part are
		// tried.
		for !failed.Load() {
			part := int(next.Add(1)) - 1
			if part >= len(errs) {
				return
			}
			var err error // a variable of this thread: neighbours in errs share a line of the cache
			for i := part * some; i < min(n, part*some+some) && err == nil; i++ {
				err = do(i)
			}
			if err != nil {
				errs[part] = err
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
