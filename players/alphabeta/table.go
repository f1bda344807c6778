package alphabeta

import (
	"sync/atomic"

	"versus2048/rules"
)

// table is a transposition table: it keeps what is known about boards that more than one line of play
// may reach. Each board has a bucket of four entries, one line of the processor's cache, which it
// shares with other boards. A bucket keeps the deepest searches of the present age.
//
// Several threads may use a table without locks (Hyatt and Mann 2002, "A lock-less transposition
// table"): an entry is two words, and the first is the board with the second mixed in, so that an entry
// with words of two boards belongs to neither.
type table struct {
	buckets []bucket
	shift   uint8 // of the hash
	shared  bool  // several threads write
	age     uint8 // of the search for the present move
	keeps   bool  // entries of earlier ages are valid
}

type bucket [bucketEntries]entry

const bucketEntries = 4

// entry is a board mixed with the known, and the known as one word.
type entry struct{ mixed, word uint64 }

// known is what is known about a board: its value, or a bound on it.
type known struct {
	value int32
	plies uint8 // how many were searched; 0 in an entry that holds nothing
	age   uint8
	bound bound
	move  rules.Move // the best one, or the first that was good enough
}

// bound is how the value found by a search relates to the true one.
type bound uint8

const (
	exactly bound = iota
	atLeast
	atMost
)

// boundOf returns how a value found between alpha and beta relates to the true one.
func boundOf(alpha, beta, value int) bound {
	switch {
	case value >= beta:
		return atLeast
	case value <= alpha:
		return atMost
	default:
		return exactly
	}
}

// The range of the size of a table: the logarithm of its number of entries.
const (
	MinTable = 10
	MaxTable = 28
)

// entryBytes is the size of an entry of a table.
const entryBytes = 16

// TableBytes returns the memory of a table with 1<<bits entries.
func TableBytes(bits int) uint64 { return entryBytes << bits }

// newTable returns a table with 1<<bits entries. If it keeps them, they stay valid in later searches.
func newTable(bits int, keeps, shared bool) *table {
	bits = max(bits, MinTable) - 2
	return &table{buckets: make([]bucket, 1<<bits), shift: uint8(64 - bits), keeps: keeps, shared: shared}
}

// next prepares the table for the search of the next move. Unless it keeps its entries they are then
// no longer valid.
func (t *table) next() {
	if t.age++; t.age == 0 && !t.keeps {
		clear(t.buckets)
		t.age = 1
	}
}

// side returns the side to move the given number of plies above the leaves, where the last ply is a
// slide.
func side(plies int) rules.Side { return rules.Side(plies & 1) }

// hashFactor is 2^64 divided by the golden ratio: its products differ most in their high bits (Knuth
// 1973, volume 3, section 6.4).
const hashFactor = 0x9E37_79B9_7F4A_7C15

// at returns the bucket of b with that side to move.
func (t *table) at(b rules.Board, toMove rules.Side) *bucket {
	return &t.buckets[(uint64(b)^uint64(toMove)<<63)*hashFactor>>t.shift]
}

// find returns what is known about b. If that is nothing it returns the zero value, which settles
// nothing.
func (t *table) find(b rules.Board, plies int) known {
	entries := t.at(b, side(plies))
	for i := range entries {
		word := atomic.LoadUint64(&entries[i].word)
		if atomic.LoadUint64(&entries[i].mixed)^word != uint64(b) || word == 0 {
			continue
		}
		if k := unpack(word); side(int(k.plies)) == side(plies) && (t.keeps || k.age == t.age) {
			return k
		}
	}
	return known{}
}

// keep stores the result of a search of b between alpha and beta.
func (t *table) keep(b rules.Board, plies, alpha, beta, value int, m rules.Move) {
	k := known{value: int32(value), plies: uint8(plies), age: t.age, bound: boundOf(alpha, beta, value), move: m}
	t.store(t.victim(b, plies), uint64(b), k.pack())
}

// victim returns the entry that gives way to a new one of b: the one of b itself, or else the one that
// is worth least. An entry of a move ago is worth as much as one of this move with two plies less, or
// nothing if the table does not keep it.
func (t *table) victim(b rules.Board, plies int) *entry {
	entries := t.at(b, side(plies))
	worst, least, aged := &entries[0], 1<<30, 2
	if !t.keeps {
		aged = 1 << 8
	}
	for i := range entries {
		word := atomic.LoadUint64(&entries[i].word)
		searched := int(uint8(word >> pliesShift))
		if atomic.LoadUint64(&entries[i].mixed)^word == uint64(b) && (searched^plies)&1 == 0 {
			return &entries[i]
		}
		if worth := searched - aged*int(t.age-uint8(word>>ageShift)); worth < least {
			worst, least = &entries[i], worth
		}
	}
	return worst
}

// store writes an entry. Atomic writes take longer, so one thread alone does without them.
func (t *table) store(e *entry, board, word uint64) {
	if t.shared {
		atomic.StoreUint64(&e.mixed, board^word)
		atomic.StoreUint64(&e.word, word)
		return
	}
	e.mixed, e.word = board^word, word
}

// The places of the parts of a known in its word.
const (
	pliesShift = 32
	ageShift   = 40
	boundShift = 48
	moveShift  = 56
)

func (k known) pack() uint64 {
	return uint64(uint32(k.value)) | uint64(k.plies)<<pliesShift | uint64(k.age)<<ageShift |
		uint64(k.bound)<<boundShift | uint64(k.move)<<moveShift
}

func unpack(word uint64) known {
	return known{
		value: int32(uint32(word)), plies: uint8(word >> pliesShift), age: uint8(word >> ageShift),
		bound: bound(word >> boundShift & 3), move: rules.Move(word >> moveShift),
	}
}

// nearTable is a small table of one thread for the boards two plies above the leaves, which are most of
// all. It stays in the processor's cache, and leaves the other table to deeper searches. Each board has
// one place, where the latest stays. It holds no mates by distance.
type nearTable [1 << nearBits]nearEntry

const nearBits = 12

// nearEntry is what is known about a board.
type nearEntry struct {
	board rules.Board
	known
}

// at returns the place of b.
func (t *nearTable) at(b rules.Board) *nearEntry { return &t[uint64(b)*hashFactor>>(64-nearBits)] }

// holds reports whether the entry is about b.
func (e *nearEntry) holds(b rules.Board) bool { return e.board == b && e.plies > 0 }

// settles reports whether what is known answers a search between alpha and beta.
func (k known) settles(alpha, beta int) bool {
	return k.bound == exactly ||
		k.bound == atLeast && int(k.value) >= beta ||
		k.bound == atMost && int(k.value) <= alpha
}
