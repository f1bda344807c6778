package players

import (
	"slices"

	"versus2048/rules"
)

// playouts is the sum of the scores of n playouts from p, in less time than it
// takes n calls of playout.
func playouts(p rules.Position, n int, g *generator) (sum int) {
	if !playsFull(p) {
		for range n {
			sum += playoutAny(p, g)
		}
		return sum
	}
	games := slices.Repeat([]turning{{board: p.Board(), moved: toMove(p)}}, n)
	playOn(games, g)
	for _, t := range games {
		sum += t.board.Potential()
	}
	return sum + n*(p.Score()-p.Board().Potential())
}

// playPairs plays each of the games on to its end.
func playPairs(games []turning, g *generator) {
	for ; len(games) > 1; games = games[2:] {
		games[0].board, games[1].board = twoPlayoutsFull(games[0], games[1], g)
	}
	if len(games) == 1 {
		games[0].board = playoutFull(games[0], g)
	}
}
