package playout

import (
	"math/bits"

	"versus2048/rules"
)

// vectors are 32 games as playTurns plays them. Their boards are cut into bit planes, with one byte for each
// cell and one bit for each board. So moving tiles is a permutation of bytes for all boards, and merging tiles
// is an adder. Lane i is bit i%8 of the bytes in word i/8*2, with the first half of the board, and in word
// i/8*2+1, with the second half.
type vectors struct {
	planes [4][8]uint64      // the bits of the cells' exponents
	random [4][8]uint64      // the states of the generators: see state
	moved  [turns + 1]uint32 // a bit for each lane: fullGame.moved before each turn, and after the last turn
}

// turns is the number of turns that playTurns plays in one call. A game that has ended does not change any
// more, so checking for ends now and then is enough.
const turns = 4

// everyByte has the lowest bit of each byte.
const everyByte = 0x0101_0101_0101_0101

// load writes a game into a lane.
func (v *vectors) load(lane int, t fullGame, g Generator) {
	word, bit := lane/8*2, lane%8
	first, second := spread(uint32(t.board)), spread(uint32(t.board>>32))
	for k := range v.planes {
		set(&v.planes[k][word], bit, first>>k)
		set(&v.planes[k][word+1], bit, second>>k)
	}
	v.moved[turns] = v.moved[turns]&^(1<<lane) | uint32(t.moved&1)<<lane
	*v.state(lane) = g.state
}

// set copies the lowest bit of each byte of from into the given bit of each byte of word.
func set(word *uint64, bit int, from uint64) {
	*word = *word&^(everyByte<<bit) | from&everyByte<<bit
}

// unload returns the game in a lane after playTurns.
func (v *vectors) unload(lane int) (fullGame, Generator) {
	word, bit := lane/8*2, lane%8
	var first, second uint64
	for k, plane := range &v.planes {
		first |= plane[word] >> bit & everyByte << k
		second |= plane[word+1] >> bit & everyByte << k
	}
	board := rules.Board(gather(first)) | rules.Board(gather(second))<<32
	moved := -uint64(v.moved[turns] >> lane & 1)
	return fullGame{board, moved}, Generator{*v.state(lane)}
}

// unloadEnded returns the last board of a game that has ended during playTurns, and its generator after the last number
// that the game needed. The last turn that the game needed is its last turn with a placement: all later slides move
// nothing.
func (v *vectors) unloadEnded(lane int) (rules.Board, Generator) {
	t, g := v.unload(lane)
	needed := turns
	for needed > 0 && v.moved[needed-1]>>lane&1 == 0 {
		needed--
	}
	g.skip(needed - turns)
	return t.board, g
}

// state returns the state of a lane's generator. In this order, playTurns finds the numbers for a board side by
// side.
func (v *vectors) state(lane int) *uint64 {
	return &v.random[lane&1|lane>>1&2][lane/8*2+lane>>1&1]
}

// spread returns the 8 cells of half a board in one byte each, the first cell highest.
func spread(half uint32) uint64 {
	x := uint64(half)
	x = (x | x<<16) & 0x0000_FFFF_0000_FFFF
	x = (x | x<<8) & 0x00FF_00FF_00FF_00FF
	x = (x | x<<4) & 0x0F0F_0F0F_0F0F_0F0F
	return bits.ReverseBytes64(x)
}

// gather undoes spread.
func gather(cells uint64) uint32 {
	x := bits.ReverseBytes64(cells)
	x = (x | x>>4) & 0x00FF_00FF_00FF_00FF
	x = (x | x>>8) & 0x0000_FFFF_0000_FFFF
	return uint32(x | x>>16)
}
