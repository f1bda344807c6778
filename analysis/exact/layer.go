package exact

import (
	"encoding/binary"
	"math"
	"sort"

	"versus2048/rules"
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

// worthBytes is how many bytes a worth takes: 14 bits for a quarter of the gain,
// which is a multiple of 4, and 10 for the turns; or a float64.
func (g game) worthBytes() int {
	if g.rules.Chance() {
		return 8
	}
	return 3
}

func (g game) appendWorth(dst []byte, w worth) []byte {
	if g.rules.Chance() {
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(w)))
	}
	gain, turns := w.apart()
	packed := int(gain)/4<<10 | turns
	return append(dst, byte(packed), byte(packed>>8), byte(packed>>16))
}

func (g game) readWorth(src []byte) worth {
	if g.rules.Chance() {
		return worth(math.Float64frombits(binary.LittleEndian.Uint64(src)))
	}
	packed := int(src[0]) | int(src[1])<<8 | int(src[2])<<16
	return worth(packed>>10*4) + worth(packed&1023)*tick
}

// encodeLayer packs boards, which are in order, with their worths.
func encodeLayer(g game, boards []rules.Board, worths []worth) tableLayer {
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
		l.worths = g.appendWorth(l.worths, worths[i])
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

// entry reads from the index, at an offset into the entry of a block.
func (l *tableLayer) entry(block, offset int) uint32 {
	return binary.LittleEndian.Uint32(l.index[block*indexEntry+offset:])
}
