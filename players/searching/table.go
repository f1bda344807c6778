package searching

import (
	"sync/atomic"

	"versus2048/rules"
)

// Table is a transposition table: it keeps what is known about boards that more than one line of play
// may reach. Each board has a bucket of four entries, one line of the processor's cache, which it
// shares with other boards. A bucket keeps the deepest searches of the present age.
//
// Several threads may use a table without locks (Hyatt and Mann 2002, "A lock-less transposition
// table"): an entry is two words, and the first is the board with the second mixed in, so that an entry
// with words of two boards belongs to neither.
type Table struct {
	buckets []bucket
	shift   uint8 // of the hash
	shared  bool  // several threads write
	age     uint8 // of the search for the present move
	keeps   bool  // entries of earlier ages are valid
}

type bucket [bucketEntries]entry

const bucketEntries = 4

// entry is a board mixed with the known, and the Known as one word.
type entry struct{ mixed, word uint64 }

// Known is what is known about a board: its value, or a bound on it.
type Known struct {
	Value int32
	Plies uint8 // how many were searched; 0 if nothing is known
	Age   uint8 // of the search that found it
	Bound Bound
	Move  rules.Move // the best one, or the first that was good enough
}

// Bound is how the value found by a search relates to the true one.
type Bound uint8

// The bounds.
const (
	Nothing Bound = iota // no value is known
	Exactly              // the value is the true one
	AtLeast              // the true one may be higher
	AtMost               // the true one may be lower
)

// BoundOf returns how a value found between alpha and beta relates to the true one.
func BoundOf(alpha, beta, value int) Bound {
	switch {
	case value >= beta:
		return AtLeast
	case value <= alpha:
		return AtMost
	default:
		return Exactly
	}
}

// The range of the size of a table: the logarithm of its number of entries.
const (
	MinBits = 10
	MaxBits = 28
)

// EntryBytes is the size of an entry of a table.
const EntryBytes = 16

// TableBytes returns the memory of a table with 1<<bits entries.
func TableBytes(bits int) uint64 { return EntryBytes << bits }

// NewTable returns a table with 1<<bits entries. If it keeps them, they stay valid in later searches.
func NewTable(bits int, keeps, shared bool) *Table {
	bits = max(bits, MinBits) - 2
	return &Table{buckets: make([]bucket, 1<<bits), shift: uint8(64 - bits), keeps: keeps, shared: shared}
}

// Next prepares the table for the search of the next move. Unless it keeps its entries they are then
// no longer valid.
func (t *Table) Next() {
	if t.age++; t.age == 0 && !t.keeps {
		clear(t.buckets)
		t.age = 1
	}
}

// Age returns the age of the entries that are stored now: Next begins another.
func (t *Table) Age() uint8 { return t.age }

// side returns the side to move the given number of plies above the leaves, where the last ply is a
// slide.
func side(plies int) rules.Side { return rules.Side(plies & 1) }

// hashFactor is 2^64 divided by the golden ratio: its products differ most in their high bits (Knuth
// 1973, volume 3, section 6.4).
const hashFactor = 0x9E37_79B9_7F4A_7C15

// Slot returns the place of b among 1<<bits places, over which it spreads all boards evenly.
func Slot(b rules.Board, bits int) int { return int(uint64(b) * hashFactor >> (64 - bits)) }

// at returns the bucket of b with that side to move.
func (t *Table) at(b rules.Board, toMove rules.Side) *bucket {
	return &t.buckets[(uint64(b)^uint64(toMove)<<63)*hashFactor>>t.shift]
}

// Find returns what is known about b. If that is nothing it returns the zero value, which settles
// nothing.
func (t *Table) Find(b rules.Board, plies int) Known {
	entries := t.at(b, side(plies))
	for i := range entries {
		word := atomic.LoadUint64(&entries[i].word)
		if atomic.LoadUint64(&entries[i].mixed)^word != uint64(b) || word == 0 {
			continue
		}
		if k := unpack(word); side(int(k.Plies)) == side(plies) && (t.keeps || k.Age == t.age) {
			return k
		}
	}
	return Known{}
}

// Keep stores the result of a search of b between alpha and beta.
func (t *Table) Keep(b rules.Board, plies, alpha, beta, value int, m rules.Move) {
	k := Known{Value: int32(value), Plies: uint8(plies), Age: t.age, Bound: BoundOf(alpha, beta, value), Move: m}
	t.store(t.victim(b, plies), uint64(b), k.pack())
}

// victim returns the entry that gives way to a new one of b: the one of b itself, or else the one that
// is worth least. An entry of a move ago is worth as much as one of this move with two plies less, or
// nothing if the table does not keep it.
func (t *Table) victim(b rules.Board, plies int) *entry {
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
func (t *Table) store(e *entry, board, word uint64) {
	if t.shared {
		atomic.StoreUint64(&e.mixed, board^word)
		atomic.StoreUint64(&e.word, word)
		return
	}
	e.mixed, e.word = board^word, word
}

// The places of the parts of a Known in its word.
const (
	pliesShift = 32
	ageShift   = 40
	boundShift = 48
	moveShift  = 56
)

func (k Known) pack() uint64 {
	return uint64(uint32(k.Value)) | uint64(k.Plies)<<pliesShift | uint64(k.Age)<<ageShift |
		uint64(k.Bound)<<boundShift | uint64(k.Move)<<moveShift
}

func unpack(word uint64) Known {
	return Known{
		Value: int32(uint32(word)), Plies: uint8(word >> pliesShift), Age: uint8(word >> ageShift),
		Bound: Bound(word >> boundShift & 3), Move: rules.Move(word >> moveShift),
	}
}

// Settles reports whether what is known answers a search between alpha and beta.
func (k Known) Settles(alpha, beta int) bool {
	return k.Bound == Exactly ||
		k.Bound == AtLeast && int(k.Value) >= beta ||
		k.Bound == AtMost && int(k.Value) <= alpha
}
