package exact

import (
	"context"
	"math/bits"
	"slices"

	"versus2048/rules"
)

// parts are a layer's boards in no order, divided by their hash so that each
// part is one goroutine's work, and its table small enough for the cache.
type parts [partCount][]rules.Board

const (
	partBits  = 8
	partCount = 1 << partBits
)

func hash(b rules.Board) uint64 { return uint64(b) * 0x9E37_79B9_7F4A_7C15 }

func (p *parts) add(b rules.Board) {
	part := &p[hash(b)>>(64-partBits)]
	*part = append(*part, b)
}

func (p *parts) count() int {
	n := 0
	for _, part := range p {
		n += len(part)
	}
	return n
}

// sieve finds the distinct ones among boards that several workers come upon.
type sieve struct {
	found    []parts         // by each worker, with repetitions
	tables   [][]rules.Board // each worker's, used again
	distinct [][]rules.Board // too
}

func newSieve(workers int) *sieve {
	return &sieve{make([]parts, workers), make([][]rules.Board, workers), make([][]rules.Board, workers)}
}

// spread spreads the work of each part over the sieve's workers.
func (s *sieve) spread(ctx context.Context, work func(worker, part int)) {
	spread(ctx, len(s.found), partCount, work)
}

// take takes the distinct boards out of the sieve, which is empty then.
func (s *sieve) take(ctx context.Context) *parts {
	taken := new(parts)
	s.spread(ctx, func(worker, i int) {
		n := 0
		for w := range s.found {
			n += len(s.found[w][i])
		}
		table := s.cleared(worker, 2*n)
		distinct := s.distinct[worker][:0]
		for w := range s.found {
			distinct = appendNew(distinct, table, s.found[w][i])
			s.found[w][i] = s.found[w][i][:0]
		}
		s.distinct[worker], taken[i] = distinct, slices.Clone(distinct)
	})
	return taken
}

// cleared is the worker's table with at least n free slots, a power of two.
func (s *sieve) cleared(worker, n int) []rules.Board {
	size := 1 << bits.Len(uint(n))
	if len(s.tables[worker]) < size {
		s.tables[worker] = make([]rules.Board, size)
	}
	table := s.tables[worker][:size]
	clear(table)
	return table
}

// appendNew appends the boards that are not in the table, which has open
// addressing, and puts them into it.
func appendNew(dst, table, boards []rules.Board) []rules.Board {
	shift, mask := 64-bits.Len(uint(len(table)-1)), len(table)-1
	for _, b := range boards {
		i := int(hash(b) << partBits >> shift)
		for table[i&mask] != 0 && table[i&mask] != b {
			i++
		}
		if table[i&mask] == 0 {
			table[i&mask] = b
			dst = append(dst, b)
		}
	}
	return dst
}
