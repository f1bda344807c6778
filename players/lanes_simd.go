//go:build goexperiment.simd && amd64

package players

import (
	"math/bits"
	"simd/archsimd"

	"versus2048/rules"
)

// lanes are 32 games that are played at once, and those that wait for a lane to
// become vacant. Between turns they are planes, as vectors; to exchange games,
// the words of these vectors. Lane i is bit i%8 of each byte in the two words
// from i/8*2 on; the first has the cells 0, 2, 4 to 14 and the second the others.
type lanes struct {
	planes  [4][8]uint64
	moved   [8]uint64 // in each byte of a lane, whether a tile is to be placed
	games   [32]*turning
	vacant  uint32 // a bit a lane
	waiting []turning
}

const (
	everyLane = 1<<32 - 1
	everyByte = 0x0101_0101_0101_0101
)

// refill writes the games in the lanes in ended back, and gives these lanes to
// those that wait.
func (l *lanes) refill(ended uint32) {
	for ; ended != 0; ended &= ended - 1 {
		i := bits.TrailingZeros32(ended)
		if l.games[i] != nil {
			*l.games[i] = turning{board: l.board(i)}
		}
		if len(l.waiting) == 0 {
			l.vacant |= 1 << i
			continue
		}
		l.games[i], l.waiting = &l.waiting[0], l.waiting[1:]
		l.put(i, *l.games[i])
	}
}

// board is the board in lane i.
func (l *lanes) board(i int) (b rules.Board) {
	word, bit := i/8*2, i%8
	for k, plane := range &l.planes {
		b |= rules.Board(plane[word]>>bit&everyByte|plane[word+1]>>bit&everyByte<<4) << k
	}
	return b
}

// put begins t in lane i.
func (l *lanes) put(i int, t turning) {
	word, bit := i/8*2, i%8
	for k := range l.planes {
		set(&l.planes[k][word], bit, uint64(t.board)>>k)
		set(&l.planes[k][word+1], bit, uint64(t.board)>>k>>4)
	}
	set(&l.moved[word], bit, t.moved)
	set(&l.moved[word+1], bit, t.moved)
}

// set makes bit of each byte of word what is the lowest one in that of to.
func set(word *uint64, bit int, to uint64) {
	*word = *word&^(everyByte<<bit) | to&everyByte<<bit
}

func (l *lanes) store(p planes, moved vector) {
	for i, v := range [...]vector{p.bit0, p.bit1, p.bit2, p.bit3} {
		v.AsUint64x8().Store(&l.planes[i])
	}
	moved.AsUint64x8().Store(&l.moved)
}

func (l *lanes) load() (p planes, moved vector) {
	v := func(words *[8]uint64) vector { return archsimd.LoadUint64x8(words).AsUint8x64() }
	return planes{v(&l.planes[0]), v(&l.planes[1]), v(&l.planes[2]), v(&l.planes[3])}, v(&l.moved)
}
