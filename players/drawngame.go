package players

import "versus2048/rules"

// drawnGame is a random game whose moves are drawn by a policy, on any board
// under any rules, as long as no two 32768s can meet.
type drawnGame struct {
	board   rules.Board
	size    rules.Size
	rules   rules.Ruleset
	earned  int // the score less the board's potential
	placing bool
	over    bool
}

func newDrawnGame(p rules.Position) drawnGame {
	return drawnGame{
		board: p.Board(), size: p.Size(), rules: p.Rules(),
		earned: p.Score() - p.Board().Potential(), placing: p.SideToMove() == rules.Attacker,
	}
}

// mergesFit tells whether no merge that a random game from p can come to makes
// a tile that a board does not hold: all its tiles sum to less than 32768, and
// as much again would have to be placed.
func mergesFit(p rules.Position) bool {
	sum := 0
	for i := range 16 {
		sum += 1 << p.Exponent(i) &^ 1
	}
	return sum < 1<<15
}

// play plays on for so many slides or to the end.
func (g *drawnGame) play(by policy, slides int, random *generator) {
	for range slides {
		if g.placing {
			g.place(by, random)
		}
		next := by.slide(g.board, g.size, random)
		if g.over = next == g.board; g.over {
			return
		}
		g.board, g.placing = next, true
	}
}

func (g *drawnGame) place(by policy, random *generator) {
	empty := g.board.Empty(g.size)
	if by == duel {
		empty = besideLargest(g.board, empty)
	}
	cell, four := drawPlacement(empty, g.rules, random)
	exponent := 1
	if four {
		exponent = 2
		g.earned -= 4
	}
	g.board, g.placing = g.board.With(cell, exponent), false
}

func (g *drawnGame) score() int { return g.board.Potential() + g.earned }

// evaluate is half of what the function evaluate says.
func (g *drawnGame) evaluate() float64 {
	e := newEvaluation(g.size, reading{})
	return float64(e.of(g.board))/2 + float64(g.earned)
}
