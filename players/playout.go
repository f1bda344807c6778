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
		b := playoutFull(turning{board: p.Board(), moved: toMove(p)}, g)
		return p.Score() + b.Potential() - p.Board().Potential()
	}
	return playoutAny(p, g)
}

// twoPlayouts is playout from p and from q, in less time than it takes two
// calls.
func twoPlayouts(p, q rules.Position, g *generator) (fromP, fromQ int) {
	if !playsFull(p) || !playsFull(q) {
		return playout(p, g), playout(q, g)
	}
	a, b := twoPlayoutsFull(turning{p.Board(), toMove(p)}, turning{q.Board(), toMove(q)}, g)
	return p.Score() + a.Potential() - p.Board().Potential(), q.Score() + b.Potential() - q.Board().Potential()
}

// playsFull tells whether playoutFull can play from p. It does not merge 32768s,
// and two of them are out of reach if all tiles sum to less than one: more than
// 16384 placements away, which no random game comes near.
func playsFull(p rules.Position) bool {
	sum := 0
	for i := range 16 {
		sum += 1 << p.Board().Exponent(i) &^ 1
	}
	return p.Rules() == rules.GPCC2015 && p.Size() == rules.Full && sum < 1<<15
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
