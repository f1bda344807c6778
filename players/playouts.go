package players

import "versus2048/rules"

// batch makes several playouts from one position, in less time than it takes to
// make them one by one. It keeps its memory.
type batch struct {
	games  []turning
	scores []int
}

// play makes n playouts from p and returns their scores, valid until the next
// call.
func (b *batch) play(p rules.Position, n int, g *generator) []int {
	b.games, b.scores = b.games[:0], b.scores[:0]
	if !playsFull(p) {
		for range n {
			b.scores = append(b.scores, playoutAny(p, g))
		}
		return b.scores
	}
	for range n {
		b.games = append(b.games, turning{board: p.Board(), moved: toMove(p)})
	}
	playOn(b.games, g)
	placed := p.Score() - p.Board().Potential()
	for _, t := range b.games {
		b.scores = append(b.scores, placed+t.board.Potential())
	}
	return b.scores
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
