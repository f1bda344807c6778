package exact

import (
	"encoding/binary"
	"sort"

	"versus2048/rules"
)

// tableLayer holds the worths of all boards with one sum of tiles and the attacker to move, in the order of their keys.
// The boards are in blocks. The index has the first key of each block. Each other key is stored as its difference from
// the key before.
type tableLayer struct {
	states int
	index  []byte // for each block its first key and the offset of its differences in keys, 4 bytes each
	keys   []byte // the differences, as varints
	worths []byte
}

// The layout of a layer.
const (
	blockStates = 64 // states in a block
	indexEntry  = 8  // bytes of a block's entry in the index
)

// A Builder makes a Table of the values that a solver finds. Only the laboratory needs it.
type Builder struct{ table *Table }

// NewBuilder returns a Builder of a table of the game. Its layers have the sums 0, 2, 4 and so on.
func NewBuilder(g Game, layers int) *Builder { return &Builder{newTable(g, layers)} }

// Add packs the worths of all boards with one sum of tiles and with the attacker to move. The boards must be in order,
// and each must be the smallest of its images under the symmetries. Goroutines may add different layers at once.
func (b *Builder) Add(sum int, boards []rules.Board, worthOf func(i int) Worth) {
	b.table.layers[sum/2] = packLayer(b.table.game, boards, worthOf)
}

// Table returns the table, once all layers have been added.
func (b *Builder) Table() *Table { return b.table }

// packLayer packs the worths of boards of one sum, which must be in order.
func packLayer(g Game, boards []rules.Board, worthOf func(i int) Worth) tableLayer {
	l := tableLayer{states: len(boards)}
	before := uint32(0)
	for i, b := range boards {
		key := g.key(b)
		if i%blockStates == 0 {
			l.index = binary.LittleEndian.AppendUint32(l.index, key)
			l.index = binary.LittleEndian.AppendUint32(l.index, uint32(len(l.keys)))
		} else {
			l.keys = binary.AppendUvarint(l.keys, uint64(key-before))
		}
		before = key
		packed := binary.LittleEndian.AppendUint64(l.worths, g.packWorth(worthOf(i)))
		l.worths = packed[:len(l.worths)+g.worthBytes()]
	}
	return l
}

// find returns the index of a key in the layer, or -1 if the key is not there. A table's checksum protects from
// damage, but not from an author who means harm, so find does not trust the index.
func (l *tableLayer) find(key uint32) int {
	blocks := len(l.index) / indexEntry
	block := sort.Search(blocks, func(i int) bool { return l.entry(i, 0) > key }) - 1
	if block < 0 {
		return -1
	}
	current, index := l.entry(block, 0), block*blockStates
	begin := int(l.entry(block, 4))
	if begin > len(l.keys) {
		return -1
	}
	keys := l.keys[begin:]
	for current < key && index+1 < min((block+1)*blockStates, l.states) {
		difference, n := binary.Uvarint(keys)
		if n <= 0 {
			return -1
		}
		keys = keys[n:]
		current += uint32(difference)
		index++
	}
	if current != key {
		return -1
	}
	return index
}

// worth returns the worth of the i-th board.
func (l *tableLayer) worth(g Game, i int) Worth {
	n, packed := g.worthBytes(), uint64(0)
	for j, b := range l.worths[i*n : (i+1)*n] {
		packed |= uint64(b) << (8 * j)
	}
	return g.unpackWorth(packed)
}

// entry reads a number from the index, at an offset into the entry of a block.
func (l *tableLayer) entry(block, offset int) uint32 {
	return binary.LittleEndian.Uint32(l.index[block*indexEntry+offset:])
}

// Worth is a Value as one number, which is larger if perfect play leads to more for the defender: the gain, plus
// one tick per turn. A turn is a slide, with the placement before or after it. If turns count, gains are whole
// numbers, so that the ticks are the fraction.
type Worth float64

// tick is small enough for 2047 turns, more than any solvable board allows: a
// placement adds at least 2 to the sum of tiles, which stays below 2^11 on 9 cells.
const tick Worth = 1.0 / 2048

// split returns the two parts of a worth: points, and turns until the end of the game.
func (w Worth) split() (gain float64, turns int) {
	whole := Worth(int(w))
	return float64(whole), int((w - whole) / tick)
}

// worthBytes returns the size of a packed worth.
func (g Game) worthBytes() int {
	if g.Rules.Chance() {
		return 5
	}
	return 3
}

// soloUnit is the number of steps in one point: worths under solo are packed as
// fixed-point numbers with 26 binary places.
const soloUnit = 1 << 26

// turnBits is the number of low bits that hold the turns of a packed worth. The bits
// above hold a quarter of the gain, which is a multiple of 4.
const turnBits = 10

func (g Game) packWorth(w Worth) uint64 {
	if g.Rules.Chance() {
		return uint64(w*soloUnit + 0.5)
	}
	gain, turns := w.split()
	return uint64(gain)/4<<turnBits | uint64(turns)
}

func (g Game) unpackWorth(packed uint64) Worth {
	if g.Rules.Chance() {
		return Worth(packed) / soloUnit
	}
	return Worth(packed>>turnBits*4) + Worth(packed&(1<<turnBits-1))*tick
}
