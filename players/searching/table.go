package searching

import (
	"sync/atomic"

	"versus2048/rules"
)

// Table is a transposition table: it keeps results for boards, since several lines of play may reach the same
// board. Each board has a bucket of four entries, one line of the processor's cache. Other boards share the
// bucket. A bucket keeps deep searches rather than others, and searches of the present age rather than older ones.
//
// Several threads may use a table without locks (Hyatt and Mann 2002, "A lock-less transposition table"). An
// entry is two words. The first word is the board with the second word mixed in, so that an entry with words of
// two boards belongs to neither.
type Table struct {
	buckets []bucket
	shift   uint8 // a hash is shifted to the right by shift, to select a bucket
	shared  bool  // whether several threads write
	age     uint8 // of the search for the present move
	keeps   bool  // whether entries of earlier ages are valid
}

type bucket [bucketEntries]entry

const bucketEntries = 4

// entry is two words: a Known, and the board mixed with it.
type entry struct{ mixed, word uint64 }

// Known is a result for a board: its value, or a bound on it.
type Known struct {
	Value int32
	Plies uint8 // number of plies that were searched; 0 if nothing is known
	Age   uint8 // of the search that found it
	Bound Bound
	Move  rules.Move // the best move, or the first that was good enough
}

// Bound is the relation between the value that a search found and the true value.
type Bound uint8

// The bounds.
const (
	Nothing Bound = iota // no value is known
	Exactly              // the value is the true value
	AtLeast              // the true value may be higher
	AtMost               // the true value may be lower
)

// BoundOf returns the bound of a value that a search between alpha and beta found.
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

// NewTable returns a table with 1<<bits entries, at least 1<<MinBits. With keeps, its entries stay valid in later
// searches. With shared, several threads may use it.
func NewTable(bits int, keeps, shared bool) *Table {
	bits = max(bits, MinBits) - 2
	return &Table{buckets: make([]bucket, 1<<bits), shift: uint8(64 - bits), keeps: keeps, shared: shared}
}

// Next prepares the table for the search of the next move: it begins a new age. The entries of earlier ages become
// invalid unless the table keeps them.
func (t *Table) Next() {
	if t.age++; t.age == 0 && !t.keeps {
		clear(t.buckets)
		t.age = 1
	}
}

// Age returns the age of the entries that are stored now.
func (t *Table) Age() uint8 { return t.age }

// side returns the side to move the given number of plies above the leaves. The last ply is a slide.
func side(plies int) rules.Side { return rules.Side(plies & 1) }

// hashFactor is 2^64 divided by the golden ratio. Its products differ most in their high bits (Knuth 1973,
// volume 3, section 6.4).
const hashFactor = 0x9E37_79B9_7F4A_7C15

// Slot returns the place of b among 1<<bits places. It spreads all boards evenly over the places.
func Slot(b rules.Board, bits int) int { return int(uint64(b) * hashFactor >> (64 - bits)) }

// bucket returns the bucket of b with toMove to move.
func (t *Table) bucket(b rules.Board, toMove rules.Side) *bucket {
	return &t.buckets[(uint64(b)^uint64(toMove)<<63)*hashFactor>>t.shift]
}

// Find returns the entry for b. If there is none, it returns the zero Known, which settles nothing.
func (t *Table) Find(b rules.Board, plies int) Known {
	entries := t.bucket(b, side(plies))
	for i := range entries {
		word := load(&entries[i].word)
		if load(&entries[i].mixed)^word != uint64(b) || word == 0 {
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

// victim returns the entry that a new entry of b replaces: the entry of b itself, or else the least valuable
// one. An entry of the previous move is as valuable as one of this move with two plies less, or worthless if
// the table does not keep it.
func (t *Table) victim(b rules.Board, plies int) *entry {
	entries := t.bucket(b, side(plies))
	worst, least, perAge := &entries[0], 1<<30, 2 // perAge is the worth, in plies, that an entry loses with each age
	if !t.keeps {
		perAge = 1 << 8
	}
	for i := range entries {
		word := load(&entries[i].word)
		searched := int(uint8(word >> pliesShift))
		if load(&entries[i].mixed)^word == uint64(b) && (searched^plies)&1 == 0 {
			return &entries[i]
		}
		if worth := searched - perAge*int(t.age-uint8(word>>ageShift)); worth < least {
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

// Settles reports whether the entry answers a search between alpha and beta.
func (k Known) Settles(alpha, beta int) bool {
	return k.Bound == Exactly ||
		k.Bound == AtLeast && int(k.Value) >= beta ||
		k.Bound == AtMost && int(k.Value) <= alpha
}
