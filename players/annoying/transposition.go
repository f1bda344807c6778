package annoying

import (
	"sync/atomic"

	"versus2048/rules"
)

// transpositions is a transposition table: it keeps the values of boards after a slide, which more than
// one line of play may reach. Threads share it without locks: an entry is two words, the second of which
// is combined with the first by exclusive or, so that words of different entries fit no board (Hyatt and
// Mann 2002). Each board has a pair of entries, shared with other boards. The first entry keeps the
// deepest search, the second the latest of the others.
type transpositions struct {
	pairs [][2]transposition
	age   uint8 // entries of another age are not valid
}

// transposition is an entry of the table.
type transposition struct {
	board  atomic.Uint64 // the board, exclusive or the result
	result atomic.Uint64 // a packed result
}

// result is what is known about a board.
type result struct {
	value  int
	slides int // how many were looked ahead, 0 if nothing is known
	bound  bound
	age    uint8
}

// bound is how the value found by a search relates to the true one.
type bound uint8

const (
	exactly bound = iota
	atLeast
	atMost
)

// tableBits is the logarithm of the number of pairs, which take 32 bytes each.
const tableBits = 15

// CacheBytes is the size of the cache of a Search.
const CacheBytes = 32 << tableBits

func newTranspositions() *transpositions {
	return &transpositions{pairs: make([][2]transposition, 1<<tableBits)}
}

// forget empties the table. Its entries would remain correct, but what a search finds in its time would
// depend on the searches before it.
func (t *transpositions) forget() {
	if t.age++; t.age == 0 {
		t.pairs = make([][2]transposition, 1<<tableBits)
		t.age = 1
	}
}

func (t *transpositions) pair(b rules.Board) *[2]transposition {
	return &t.pairs[uint64(b)*0x9E37_79B9_7F4A_7C15>>(64-tableBits)]
}

// find returns what is known about b. If that is nothing it returns the zero result, which settles
// nothing.
func (t *transpositions) find(b rules.Board) result {
	pair := t.pair(b)
	for i := range pair {
		if r, board := pair[i].load(); board == b && r.age == t.age {
			return r
		}
	}
	return result{}
}

// keep stores the value of b found by a search between alpha and beta.
func (t *transpositions) keep(b rules.Board, slides, alpha, beta, value int) {
	r := result{value: value, slides: slides, age: t.age}
	switch {
	case value >= beta:
		r.bound = atLeast
	case value <= alpha:
		r.bound = atMost
	}
	pair := t.pair(b)
	switch deeper, board := pair[0].load(); {
	case deeper.age != t.age, board == b:
		pair[0].store(b, r)
	case deeper.slides > slides:
		pair[1].store(b, r)
	default:
		pair[0].store(b, r)
		pair[1].store(board, deeper)
	}
}

func (e *transposition) store(b rules.Board, r result) {
	packed := uint64(uint32(r.value)) | uint64(r.slides)<<32 | uint64(r.bound)<<40 | uint64(r.age)<<48
	e.board.Store(uint64(b) ^ packed)
	e.result.Store(packed)
}

func (e *transposition) load() (result, rules.Board) {
	packed := e.result.Load()
	r := result{
		value: int(int32(packed)), slides: int(packed >> 32 & 0xFF), bound: bound(packed >> 40), age: uint8(packed >> 48),
	}
	return r, rules.Board(e.board.Load() ^ packed)
}

// settles reports whether the result answers a search of the given number of slides, at least one,
// between alpha and beta.
func (r result) settles(slides, alpha, beta int) bool {
	return r.slides == slides && (r.bound == exactly ||
		r.bound == atLeast && r.value >= beta ||
		r.bound == atMost && r.value <= alpha)
}
