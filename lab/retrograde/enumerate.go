package retrograde

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"versus2048/internal/parallel"
	"versus2048/players/exact"
	"versus2048/rules"
)

// Layer counts the states of one sum of tiles that can be reached from the empty
// board. Boards equal under a symmetry count once.
type Layer struct {
	Sum      int `json:"sum"`
	Attacker int `json:"attacker"` // positions with the attacker to move
	Defender int `json:"defender"` // positions with the defender to move, including mated ones
	Mated    int `json:"mated"`
}

// Growth is the cost of enumerating a layer.
type Growth struct {
	Layer
	Time  time.Duration `json:"nanoseconds"`
	Bytes int64         `json:"bytes"` // of memory, for this layer and the two before it
}

// Grow enumerates a game of any board size by sums of tiles. It solves nothing and
// keeps nothing, but calls report for each layer. It stops after the given sum, or
// before a layer that would exceed memory bytes if it needs as much additional
// memory as the last one did. It also stops when ctx ends, and returns ctx's error.
func Grow(ctx context.Context, r rules.Ruleset, s rules.Size, memory int64, sum int, report func(Growth)) error {
	e, begin, before := newEnumeration(ctx, exact.Game{Rules: r, Size: s}), time.Now(), int64(0)
	for e.layer.Sum < sum && e.next() {
		bytes := e.bytes()
		report(Growth{e.layer, time.Since(begin), bytes})
		if bytes+(bytes-before) > memory {
			break
		}
		begin, before = time.Now(), bytes
	}
	return ctx.Err()
}

// enumeration finds the states sum by sum: a placement adds 2 or 4 to the sum of
// tiles, a slide nothing (Yamashita 2023).
type enumeration struct {
	game      exact.Game
	ctx       context.Context
	sieve     *sieve
	attackers [3]*parts // of the last sum and the two before it
	layer     Layer     // of the last sum
}

// newEnumeration returns an enumeration that begins with the empty board.
func newEnumeration(ctx context.Context, g exact.Game) *enumeration {
	e := &enumeration{game: g, ctx: ctx, sieve: newSieve(runtime.GOMAXPROCS(0)), layer: Layer{Attacker: 1}}
	e.attackers = [3]*parts{{{0}}, {}, {}}
	return e
}

// next enumerates the next sum. It returns false after the last one, and when ctx is
// done.
func (e *enumeration) next() bool {
	if e.layer.Sum == e.game.LargestSum() {
		return false
	}
	e.attackers[1], e.attackers[2] = e.attackers[0], e.attackers[1]
	e.layer = Layer{Sum: e.layer.Sum + 2}
	e.place(e.attackers[1], 1)
	if e.game.Rules.Fours() {
		e.place(e.attackers[2], 2)
	}
	defenders := e.sieve.take(e.ctx)
	e.layer.Defender = defenders.count()
	e.layer.Mated = e.slide(defenders)
	e.attackers[0] = e.sieve.take(e.ctx)
	e.layer.Attacker = e.attackers[0].count()
	return e.ctx.Err() == nil
}

// bytes returns the memory that the enumeration holds.
func (e *enumeration) bytes() int64 {
	boards := 0
	for _, layer := range e.attackers {
		boards += layer.count()
	}
	for w := range e.sieve.found {
		boards += cap(e.sieve.tables[w]) + cap(e.sieve.distinct[w])
		for _, part := range e.sieve.found[w] {
			boards += cap(part)
		}
	}
	return 8 * int64(boards+e.layer.Defender)
}

// place puts into the sieve the boards after placing a tile of exponent k on the
// attacker's boards.
func (e *enumeration) place(boards *parts, k int) {
	size := e.game.Size
	e.sieve.spread(e.ctx, func(worker, i int) {
		found := &e.sieve.found[worker]
		for _, b := range boards[i] {
			for empty := b.Empty(size); empty != 0; empty &= empty - 1 {
				placed := b | rules.Board(empty&-empty)*rules.Board(k)
				found.add(placed.Canonical(size))
			}
		}
	})
}

// slide puts into the sieve the boards after the legal slides of the defender's
// boards, and returns the number of boards without a legal slide.
func (e *enumeration) slide(boards *parts) (mated int) {
	var stuck atomic.Int64
	e.sieve.spread(e.ctx, func(worker, i int) {
		found, moved := &e.sieve.found[worker], 0
		for _, b := range boards[i] {
			if e.slideOne(b, found) {
				moved++
			}
		}
		stuck.Add(int64(len(boards[i]) - moved))
	})
	return int(stuck.Load())
}

// slideOne adds the boards after the legal slides of b to found. It returns false if
// there are none.
func (e *enumeration) slideOne(b rules.Board, found *parts) (moved bool) {
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(e.game.Size, m); slid != b {
			found.add(slid.Canonical(e.game.Size))
			moved = true
		}
	}
	return moved
}

// parts are a layer's boards in no particular order, divided by hash. A part is the
// work of one goroutine, and small enough for its hash table to fit the cache.
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

// sieve collects the boards that several workers find, and keeps one of each. All its slices have one element
// per worker.
type sieve struct {
	found    []parts         // with repetitions
	tables   [][]rules.Board // hash tables, reused
	distinct [][]rules.Board // buffers, reused
}

func newSieve(workers int) *sieve {
	return &sieve{make([]parts, workers), make([][]rules.Board, workers), make([][]rules.Board, workers)}
}

// spread calls work for each part. The sieve's workers share the parts.
func (s *sieve) spread(ctx context.Context, work func(worker, part int)) {
	parallel.Each(ctx, len(s.found), partCount, work)
}

// take returns the distinct boards and empties the sieve.
func (s *sieve) take(ctx context.Context) *parts {
	taken := new(parts)
	s.spread(ctx, func(worker, i int) {
		n := 0
		for w := range s.found {
			n += len(s.found[w][i])
		}
		table := s.emptyTable(worker, 2*n)
		distinct := s.distinct[worker][:0]
		for w := range s.found {
			distinct = appendNew(distinct, table, s.found[w][i])
			s.found[w][i] = s.found[w][i][:0]
		}
		s.distinct[worker], taken[i] = distinct, slices.Clone(distinct)
	})
	return taken
}

// emptyTable returns the worker's hash table, emptied, with more than n slots. Their
// number is a power of two.
func (s *sieve) emptyTable(worker, n int) []rules.Board {
	size := 1 << bits.Len(uint(n))
	if len(s.tables[worker]) < size {
		s.tables[worker] = make([]rules.Board, size)
	}
	table := s.tables[worker][:size]
	clear(table)
	return table
}

// appendNew appends the boards that are not in the hash table, and adds them to the
// table, which uses open addressing.
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
