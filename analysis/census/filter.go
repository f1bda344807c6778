package census

import "versus2048/rules"

// A filter remembers boards that came lately, each until another one takes its
// place. It fits the L2 cache.
type filter [1 << filterBits]rules.Board

const filterBits = 16

// keep keeps the boards that the filter does not remember. The empty board is
// none that is asked for. No branch depends on what is remembered.
func (f *filter) keep(to *boards) {
	n := 0
	for _, b := range to.at[:to.n] {
		seen := &f[uint64(b)*0x9E37_79B9_7F4A_7C15>>(64-filterBits)]
		to.at[n] = b
		if *seen != b {
			n++
		}
		*seen = b
	}
	to.n = n
}
