package proof

import (
	"math/bits"
	"sync/atomic"

	"versus2048/rules"
)

// unit divides all gains. Bounds are counted in units.
const unit = 4

// unknown is the upper bound, in units, of a position without a known upper bound.
const unknown = 1<<20 - 1

// bounds has the known bounds of the gain still to come, in units, from a board with the attacker to move.
type bounds struct {
	low, high int        // unknown if there is no upper bound
	move      rules.Move // the placement that keeps the gain at high
}

// A table holds bounds by board, as many as fit. Goroutines, and even processes, may use it together without a
// lock: an entry is two words, the first being the board combined with a hash of the second, so that a
// half-written entry, or one cut off by a crash, belongs to no board (Hyatt and Mann 2002).
type table struct {
	words   []uint64
	buckets uint64
}

// The words of an entry, and the entries of a bucket, which fills a cache line.
const (
	entryWords    = 2
	bucketEntries = 4
	bucketWords   = entryWords * bucketEntries
	bucketBytes   = 8 * bucketWords
)

func newTable(words []uint64) *table {
	return &table{words, uint64(len(words) / bucketWords)}
}

// bucket returns the words of the bucket of a board.
func (t *table) bucket(b rules.Board) []uint64 {
	high, _ := bits.Mul64(uint64(b)*0x9E3779B97F4A7C15^uint64(b)>>29*0xBF58476D1CE4E5B9, t.buckets)
	return t.words[high*bucketWords:][:bucketWords]
}

// get returns the known bounds of a canonical board.
func (t *table) get(b rules.Board) bounds {
	if data := t.find(b); data != 0 {
		return unpack(data)
	}
	return bounds{high: unknown}
}

// work returns the approximate number of nodes that were searched for the bounds of a canonical board.
func (t *table) work(b rules.Board) uint64 { return 1 << workOf(t.find(b)) }

// find returns the data of the entry of a canonical board, 0 if there is none.
func (t *table) find(b rules.Board) uint64 {
	bucket := t.bucket(b)
	for i := 0; i < bucketWords; i += entryWords {
		data := atomic.LoadUint64(&bucket[i+1])
		if data != 0 && atomic.LoadUint64(&bucket[i])^mix(data) == uint64(b) {
			return data
		}
	}
	return 0
}

// put adds known bounds of a canonical board to the bounds in the table. work is the number of nodes that they
// took: in a full bucket the new entry replaces the one with the least work.
func (t *table) put(b rules.Board, known bounds, work uint64) {
	bucket := t.bucket(b)
	slot, least := 0, uint64(1<<63)
	for i := 0; i < bucketWords; i += entryWords {
		data := atomic.LoadUint64(&bucket[i+1])
		if data != 0 && atomic.LoadUint64(&bucket[i])^mix(data) == uint64(b) {
			old := unpack(data)
			if known.high >= old.high {
				known.move = old.move
			}
			known.low, known.high = max(known.low, old.low), min(known.high, old.high)
			slot, work = i, max(work, 1<<workOf(data)-1)
			break
		}
		if cost := workOf(data); data == 0 || cost < least {
			slot, least = i, cost
		}
	}
	data := pack(known, work)
	atomic.StoreUint64(&bucket[slot], uint64(b)^mix(data))
	atomic.StoreUint64(&bucket[slot+1], data)
}

// mix spreads a change of any bit, so that words of different entries do not combine into a third entry.
func mix(data uint64) uint64 {
	data = (data ^ data>>32) * 0xD6E8FEB86659FD93
	return data ^ data>>29
}

// pack puts bounds into a word, which is never 0: the upper bound plus 1 (21 bits), the lower bound (20 bits), the
// move (6 bits) and the logarithm of the work (6 bits), with unused bits between them.
func pack(k bounds, work uint64) uint64 {
	return uint64(k.high+1)<<43 | uint64(k.low)<<22 | uint64(k.move)<<8 | uint64(min(bits.Len64(work), 63))
}

func unpack(data uint64) bounds {
	return bounds{low: int(data >> 22 & unknown), high: int(data>>43) - 1, move: rules.Move(data >> 8 & 63)}
}

// workOf returns the logarithm of the work of an entry.
func workOf(data uint64) uint64 { return data & 63 }
