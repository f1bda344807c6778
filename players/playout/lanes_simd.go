//go:build goexperiment.simd && amd64

package playout

import (
	"math/bits"
	"simd/archsimd"

	"versus2048/rules"
)

// playOn plays each of the games to its end.
func playOn(games []fullGame, g *Generator) {
	const worthwhile = 16 // fewer leave too many lanes idle
	if lanesSupported() && len(games) >= worthwhile {
		playLanes(games, g)
	} else {
		playPairs(games, g)
	}
}

// lanesSupported reports whether the processor has the instructions of playLanes.
func lanesSupported() bool {
	return archsimd.X86.AVX512() && archsimd.X86.AVX512BITALG() && archsimd.X86.AVX512GFNI()
}

// playLanes is playOn, 32 games at a time. When a game ends, the next one in order takes its lane. A
// game that has ended does not change any more, so looking for ends now and then is enough.
func playLanes(games []fullGame, g *Generator) {
	l := lanes{waiting: games}
	l.refill(everyLane)
	p, moved := l.load()
	for l.vacant != everyLane {
		for range 4 {
			p, moved = playTurn(p, moved, g)
		}
		if ended := p.ended() &^ l.vacant; ended != 0 {
			l.store(p, moved)
			l.refill(ended)
			p, moved = l.load()
		}
	}
}

// playTurn is fullGame.draw on all boards: it places a 2 on those in moved and makes one of the four
// slides on each. It returns the boards that this has changed.
func playTurn(p planes, moved vector, g *Generator) (next planes, changed vector) {
	p.bit0 = p.bit0.Or(drawCells(p.empty(), moved, g))
	p = p.turn(g.Next())
	next = p.slideWest()
	return next, next.different(p)
}

// lanes are 32 games that are played at once, and the games that wait for a vacant lane. Between
// turns the games are planes, in vectors; to exchange games they are the words of these vectors. Lane
// i is bit i%8 of each byte in the two words from i/8*2 on: the first word has the cells 0, 2, 4 to
// 14, the second the others.
type lanes struct {
	planes  [4][8]uint64
	moved   [8]uint64 // in each byte of a lane, whether a tile is to be placed
	games   [32]*fullGame
	vacant  uint32 // a bit for each lane
	waiting []fullGame
}

const (
	everyLane = 1<<32 - 1
	everyByte = 0x0101_0101_0101_0101
)

// refill writes back the games in the lanes of ended and gives these lanes to waiting games.
func (l *lanes) refill(ended uint32) {
	for ; ended != 0; ended &= ended - 1 {
		i := bits.TrailingZeros32(ended)
		if l.games[i] != nil {
			*l.games[i] = fullGame{board: l.board(i)}
		}
		if len(l.waiting) == 0 {
			l.vacant |= 1 << i
			continue
		}
		l.games[i], l.waiting = &l.waiting[0], l.waiting[1:]
		l.put(i, *l.games[i])
	}
}

// board returns the board in lane i.
func (l *lanes) board(i int) (b rules.Board) {
	word, bit := i/8*2, i%8
	for k, plane := range &l.planes {
		b |= rules.Board(plane[word]>>bit&everyByte|plane[word+1]>>bit&everyByte<<4) << k
	}
	return b
}

// put starts t in lane i.
func (l *lanes) put(i int, t fullGame) {
	word, bit := i/8*2, i%8
	for k := range l.planes {
		set(&l.planes[k][word], bit, uint64(t.board)>>k)
		set(&l.planes[k][word+1], bit, uint64(t.board)>>k>>4)
	}
	set(&l.moved[word], bit, t.moved)
	set(&l.moved[word+1], bit, t.moved)
}

// set copies the lowest bit of each byte of to into the given bit of each byte of word.
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
