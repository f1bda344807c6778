package playout

import "versus2048/rules"

// Play plays on from p to the end of the game and returns the final score.
func Play(p rules.Position, g *Generator) int {
	if isFull(p) {
		b := playFull(fullGame{board: p.Board(), moved: toMove(p)}, g)
		return p.Score() + b.Potential() - p.Board().Potential()
	}
	return playAny(p, g)
}

// PlayTwo plays on from p and from q, in less time than two calls of Play.
func PlayTwo(p, q rules.Position, g *Generator) (fromP, fromQ int) {
	if !isFull(p) || !isFull(q) {
		return Play(p, g), Play(q, g)
	}
	a, b := playTwoFull(fullGame{p.Board(), toMove(p)}, fullGame{q.Board(), toMove(q)}, g)
	return p.Score() + a.Potential() - p.Board().Potential(), q.Score() + b.Potential() - q.Board().Potential()
}

// isFull reports whether playFull, which cannot merge two 32768s, can play from p.
func isFull(p rules.Position) bool {
	return p.Rules() == rules.GPCC2015 && p.Size() == rules.Full && MergesFit(p)
}

// MergesFit reports whether a board can hold every tile that a random game from p can make: the tiles
// of p sum to less than 32768. For two 32768s the game would have to place as much again, in thousands
// of plies that no random game lasts.
func MergesFit(p rules.Position) bool { return p.Sum() < 1<<15 }

// Batch makes several playouts from one position, in less time than one by one. It keeps its memory
// for the next call. The zero Batch is ready for use.
type Batch struct {
	games  []fullGame
	scores []int
}

// Play makes n playouts from p and returns their scores, which are valid until the next call.
func (b *Batch) Play(p rules.Position, n int, g *Generator) []int {
	b.games, b.scores = b.games[:0], b.scores[:0]
	if !isFull(p) {
		for range n {
			b.scores = append(b.scores, playAny(p, g))
		}
		return b.scores
	}
	for range n {
		b.games = append(b.games, fullGame{board: p.Board(), moved: toMove(p)})
	}
	playOn(b.games, g)
	placed := p.Score() - p.Board().Potential()
	for _, t := range b.games {
		b.scores = append(b.scores, placed+t.board.Potential())
	}
	return b.scores
}

// playPairs plays each of the games to its end, two at once.
func playPairs(games []fullGame, g *Generator) {
	for ; len(games) > 1; games = games[2:] {
		games[0].board, games[1].board = playTwoFull(games[0], games[1], g)
	}
	if len(games) == 1 {
		games[0].board = playFull(games[0], g)
	}
}
