package playout

import (
	"iter"
	"math/bits"

	"versus2048/rules"
)

// Width is the number of games that Lanes can play at once.
const Width = 32

// Vectors reports whether this machine's processor plays the games of Lanes side by side, with AVX-512.
func Vectors() bool { return vectorsSupported() }

// Lanes plays random games side by side, each from its own position. With AVX-512 this takes much less time
// than one game after another. Each game draws from its own generator. So it is the same game as Play plays,
// independent of the other games and of the processor. The zero Lanes is ready for use.
type Lanes struct {
	games    [Width]laneGame
	playing  uint32 // a bit for each lane: it has a game
	over     uint32 // a bit for each playing lane: its game is already over
	loaded   uint32 // a bit for each playing lane: its game is in vectors
	vectors  vectors
	portable bool // vectors are not used
}

// laneGame is a game in a lane. While the game is in vectors, its board and its generator here are out of date.
type laneGame struct {
	fullGame
	random *Generator
	earned int // the score minus the board's potential
}

// Begin begins a game at p in a free lane from 0 to Width-1. The game draws from random. Nobody else may use
// random before the game has ended.
func (l *Lanes) Begin(lane int, p rules.Position, random *Generator) {
	l.playing |= 1 << lane
	if isFull(p) {
		l.games[lane] = laneGame{fullGame{p.Board(), toMove(p)}, random, p.Score() - p.Board().Potential()}
		return
	}
	l.games[lane] = laneGame{earned: playAny(p, random)}
	l.over |= 1 << lane
}

// Play plays until games have ended, at least one if there are any. It returns a bit for the lane of each ended
// game. These lanes are then free.
func (l *Lanes) Play() (ended uint32) {
	const worthwhile = 6 // fewer games leave too many lanes idle
	switch {
	case l.over != 0:
		ended = l.over
	case bits.OnesCount32(l.playing) >= worthwhile && !l.portable && vectorsSupported():
		ended = l.playVectors()
	default:
		ended = l.playPair()
	}
	l.playing &^= ended
	l.over = 0
	return ended
}

// Score returns the final score of the last game in a lane. The game must have ended.
func (l *Lanes) Score(lane int) int {
	g := &l.games[lane]
	return g.earned + g.board.Potential()
}

// playVectors plays all games until one has ended.
func (l *Lanes) playVectors() (ended uint32) {
	for lane := range lanesOf(l.playing &^ l.loaded) {
		g := &l.games[lane]
		l.vectors.load(lane, g.fullGame, *g.random)
	}
	for ended == 0 {
		ended = playTurns(&l.vectors) & l.playing
	}
	for lane := range lanesOf(ended) {
		g := &l.games[lane]
		g.board, *g.random = l.vectors.unloadEnded(lane)
	}
	l.loaded = l.playing &^ ended
	return ended
}

// playPair plays two games, or the only one, to their end.
func (l *Lanes) playPair() (ended uint32) {
	for lane := range lanesOf(l.loaded) {
		g := &l.games[lane]
		g.fullGame, *g.random = l.vectors.unload(lane)
	}
	l.loaded = 0
	first := l.playing & -l.playing
	second := l.playing &^ first & -(l.playing &^ first)
	if first == 0 {
		return 0
	}
	a := &l.games[bits.TrailingZeros32(first)]
	if second == 0 {
		a.board = playFull(a.fullGame, a.random)
		return first
	}
	b := &l.games[bits.TrailingZeros32(second)]
	a.board, b.board = playTwoFull(a.fullGame, b.fullGame, a.random, b.random)
	return first | second
}

// lanesOf yields the numbers of the bits that are set.
func lanesOf(set uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros32(set)) {
				return
			}
		}
	}
}
