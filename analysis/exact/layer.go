package exact

import (
	"encoding/binary"
	"sort"
)

// tableLayer holds the worths of the attacker's boards of one sum, in the order
// of their keys: an index of blocks, the keys of each block but the first as
// differences, and the worths.
type tableLayer struct {
	states int
	index  []byte // of each block its first key and where its differences begin, 4 bytes each
	keys   []byte // differences, as varints
	worths []byte
}

// The sizes in bytes of what a layer consists of.
const (
	blockStates = 64
	indexEntry  = 8
)

// worthBytes is how many bytes a packed worth takes.
func (g game) worthBytes() int {
	if g.rules.Chance() {
		return 5
	}
	return 3
}

// solo is packed as a fixed-point number with 26 binary places.
const soloUnit = 1 << 26

// turnBits hold the turns of a packed worth, the bits above them a quarter of the
// gain, which is a multiple of 4.
const turnBits = 10

func (g game) packWorth(w worth) uint64 {
	if g.rules.Chance() {
		return uint64(w*soloUnit + 0.5)
	}
	gain, turns := w.apart()
	return uint64(gain)/4<<turnBits | uint64(turns)
}

func (g game) unpackWorth(packed uint64) worth {
	if g.rules.Chance() {
		return worth(packed) / soloUnit
	}
	return worth(packed>>turnBits*4) + worth(packed&(1<<turnBits-1))*tick
}

// packLayer packs what was solved of one sum.
func packLayer(g game, w *worths) tableLayer {
	l := tableLayer{states: len(w.boards)}
	before := uint32(0)
	for i, b := range w.boards {
		key := g.key(b)
		if i%blockStates == 0 {
			l.index = binary.LittleEndian.AppendUint32(l.index, key)
			l.index = binary.LittleEndian.AppendUint32(l.index, uint32(len(l.keys)))
		} else {
			l.keys = binary.AppendUvarint(l.keys, uint64(key-before))
		}
		before = key
		packed := binary.LittleEndian.AppendUint64(l.worths, g.packWorth(w.ith(i)))
		l.worths = packed[:len(l.worths)+g.worthBytes()]
	}
	return l
}

// find is the place of a key in the layer, -1 if it is not there.
func (l *tableLayer) find(key uint32) int {
	blocks := len(l.index) / indexEntry
	block := sort.Search(blocks, func(i int) bool { return l.entry(i, 0) > key }) - 1
	if block < 0 {
		return -1
	}
	at, place := l.entry(block, 0), block*blockStates
	keys := l.keys[l.entry(block, 4):]
	for at < key && place+1 < min((block+1)*blockStates, l.states) {
		difference, n := binary.Uvarint(keys)
		keys = keys[n:]
		at += uint32(difference)
		place++
	}
	if at != key {
		return -1
	}
	return place
}

// worth is that of the board at a place.
func (l *tableLayer) worth(g game, place int) worth {
	n, packed := g.worthBytes(), uint64(0)
	for i, b := range l.worths[place*n : (place+1)*n] {
		packed |= uint64(b) << (8 * i)
	}
	return g.unpackWorth(packed)
}

// entry reads from the index, at an offset into the entry of a block.
func (l *tableLayer) entry(block, offset int) uint32 {
	return binary.LittleEndian.Uint32(l.index[block*indexEntry+offset:])
}
