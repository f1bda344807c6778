package players

import (
	"math/bits"

	"versus2048/rules"
)

// playout plays on from p to the game's end, both sides drawing uniformly from
// their legal moves (where chance places, as chance does), and returns the
// final score.
func playout(p rules.Position, g *generator) int {
	if playsFull(p) {
		if b := playoutFull(turning{board: p.Board(), moved: toMove(p)}, g); countLargest(b) < 2 {
			return p.Score() + b.Potential() - p.Board().Potential()
		}
	}
	return playoutAny(p, g)
}

// twoPlayouts is playout twice, in less time than it takes two calls.
func twoPlayouts(p rules.Position, g *generator) (score, other int) {
	if playsFull(p) {
		t := turning{board: p.Board(), moved: toMove(p)}
		a, b := twoPlayoutsFull(t, t, g)
		if countLargest(a) < 2 && countLargest(b) < 2 {
			placed := p.Score() - p.Board().Potential()
			return placed + a.Potential(), placed + b.Potential()
		}
	}
	return playoutAny(p, g), playoutAny(p, g)
}

// playsFull tells whether playoutFull can play from p. Without a 32768 at the
// start no random game makes two.
func playsFull(p rules.Position) bool {
	return p.Rules() == rules.GPCC2015 && p.Size() == rules.Full && countLargest(p.Board()) == 0
}

// playoutAny is playout under any rules, on any board.
func playoutAny(p rules.Position, g *generator) int {
	fork := *g
	b, fours := playoutByBoards(p, g)
	if countLargest(b) > 1 {
		// A board neither merges two of them nor tells them from a 65536: play
		// the same game again. One alone stays what it was.
		return playoutByPositions(p, &fork)
	}
	placed := p.Score() - p.Board().Potential()
	return b.Potential() + placed - 4*fours
}

// countLargest counts the 32768s.
func countLargest(b rules.Board) int {
	m := b & (b >> 1)
	return bits.OnesCount64(uint64(m & (m >> 2) & 0x1111_1111_1111_1111))
}
