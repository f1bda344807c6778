package players

import (
	"testing"

	"versus2048/rules"
)

// TestPlayOn checks that each game is played on in its place: it ends with the
// large tile that it began with.
func TestPlayOn(t *testing.T) {
	g := newGenerator(8)
	for _, n := range []int{0, 1, 2, 15, 16, 31, 32, 33, 200} {
		games := make([]turning, n)
		for i := range games {
			games[i].board = rules.Board(0).With(i%16, 11+i%4).With((i+1)%16, 1)
			games[i].moved = -uint64(i / 16 % 2)
		}
		playOn(games, &g)
		for i, last := range games {
			tiles := 0
			for cell := range 16 {
				if k := last.board.Exponent(cell); k > 10 {
					tiles += k
				}
			}
			if !last.board.Stuck(rules.Full) || tiles != 11+i%4 {
				t.Errorf("%d games: game %d ends with %016x", n, i, last.board)
			}
		}
	}
}

// TestBatch holds the scores of many playouts against those of single ones.
func TestBatch(t *testing.T) {
	g := newGenerator(9)
	for _, text := range []string{
		midgame, "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 D", "2,0,0/4,0,8/0,2,0 A",
		"2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,8 D", "16384,16384,8,16/2,4,2,8/16384,2,4,2/2,16384,4,8 D", "32768,32768/2,4 D",
	} {
		const n = 50
		p := mustParsePosition(t, rules.GPCC2015, text)
		var gap sample
		var many batch
		for range 40 {
			each := 0
			for range n {
				each += playoutByPositions(p, &g)
			}
			for _, score := range many.play(p, n, &g) {
				each -= score
			}
			gap.add(float64(each) / n)
		}
		gap.near(t, text, 0)
	}
}
