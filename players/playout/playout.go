package playout

import (
	"slices"

	"versus2048/rules"
)

// Play plays on from p to the end of the game and returns the final score.
func Play(p rules.Position, g *Generator) int {
	if isFull(p) {
		b := playFull(fullGame{board: p.Board(), moved: toMove(p)}, g)
		return p.Score() + b.Potential() - p.Board().Potential()
	}
	return playAny(p, g)
}

// PlayTwo plays on from p and from q, each with its own generator. It takes less time than two calls of Play.
func PlayTwo(p, q rules.Position, forP, forQ *Generator) (fromP, fromQ int) {
	if !isFull(p) || !isFull(q) {
		return Play(p, forP), Play(q, forQ)
	}
	a, b := playTwoFull(fullGame{p.Board(), toMove(p)}, fullGame{q.Board(), toMove(q)}, forP, forQ)
	return p.Score() + a.Potential() - p.Board().Potential(), q.Score() + b.Potential() - q.Board().Potential()
}

// isFull reports whether playFull, which cannot merge two 32768s, can play from p.
func isFull(p rules.Position) bool {
	return p.Rules() == rules.GPCC2015 && p.Size() == rules.Full && MergesFit(p)
}

// MergesFit reports whether a board can hold every tile that a random game from p can make: the tiles of p sum to less
// than 32768. Before it has two 32768s, a game from p places tiles of more than 32768 in all, which takes thousands of
// plies. No random game is that long.
func MergesFit(p rules.Position) bool {
	b := p.Board()
	if from4096 := b & (b << 1) & 0x8888_8888_8888_8888; from4096 == 0 && b != sixteen2048s {
		return true
	}
	return p.Sum() < 1<<15
}

// sixteen2048s is the only board that sums to 32768 without a larger tile than a 2048.
const sixteen2048s rules.Board = 0xBBBB_BBBB_BBBB_BBBB

// Batch makes several playouts from one position. This takes less time than one by one. It keeps its memory for
// the next call. The zero Batch is ready for use.
type Batch struct {
	lanes   Lanes
	games   [Width]int  // the number of the game in each lane
	randoms []Generator // of each game
	scores  []int
}

// Play makes n playouts from p and returns their scores, which are valid until the next call. A single playout
// is the same as with the function Play. Several playouts draw from generators of their own, seeded by g.
func (b *Batch) Play(p rules.Position, n int, g *Generator) []int {
	if n == 1 {
		b.scores = append(b.scores[:0], Play(p, g))
		return b.scores
	}
	b.randoms, b.scores = b.randoms[:0], slices.Grow(b.scores[:0], n)[:n]
	for range n {
		b.randoms = append(b.randoms, NewGenerator(g.Next()))
	}
	begun := 0
	begin := func(lane int) {
		if begun < n {
			b.games[lane] = begun
			b.lanes.Begin(lane, p, &b.randoms[begun])
			begun++
		}
	}
	for lane := range Width {
		begin(lane)
	}
	for ended := b.lanes.Play(); ended != 0; ended = b.lanes.Play() {
		for lane := range lanesOf(ended) {
			b.scores[b.games[lane]] = b.lanes.Score(lane)
			begin(lane)
		}
	}
	return b.scores
}
