package playout

import (
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestDrawUniform checks the distribution of drawn turns.
func TestDrawUniform(t *testing.T) {
	g := NewGenerator(6)
	checkTurns(t, func(p rules.Position) []rules.Board { return []rules.Board{drawTurn(p, &g)} })
}

// checkTurns compares the frequency of each outcome of a random turn, up to symmetry, with its probability by
// the legal moves.
func checkTurns(t *testing.T, draw func(p rules.Position) []rules.Board) {
	t.Helper()
	for _, text := range []string{
		"2,0,0,0/0,4,0,0/0,0,8,0/0,0,0,2 D",
		"2,4,8,2/0,0,0,0/4,0,0,0/0,0,0,0 D",
		"2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D",
		"4,2,4,2/2,4,2,4/4,2,8,8/2,4,2,4 D",
		"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 A",
		"2,4,8,2/4,0,2,4/8,2,0,8/2,4,8,16 A",
		"8,4,8,2/4,8,2,4/8,2,4,0/2,4,8,16 A",
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		want := map[rules.Board]float64{}
		addTurns(want, p, 1)
		counts := map[rules.Board]*searchtest.Sample{}
		for b := range want {
			counts[b] = &searchtest.Sample{}
		}
		for n := 0; n < 20_000; {
			for _, last := range draw(p) {
				n++
				last = last.Canonical(rules.Full)
				if counts[last] == nil {
					t.Fatalf("%s: %016x is not a legal outcome", text, last)
				}
				for b, s := range counts {
					s.Count(b == last)
				}
			}
		}
		for b, s := range counts {
			if want[b] == 1 {
				continue // found above to be the only outcome
			}
			s.Near(t, text, want[b])
		}
	}
}

// addTurns adds the probability of each board after a random turn from p.
func addTurns(to map[rules.Board]float64, p rules.Position, probability float64) {
	moves := p.AppendMoves(nil)
	for _, m := range moves {
		next, share := p.Next(m), probability/float64(len(moves))
		if m.IsSlide() || next.Over() {
			to[next.Board().Canonical(rules.Full)] += share
		} else {
			addTurns(to, next, share)
		}
	}
}

// drawTurn draws a placement, if it is the attacker's turn, and a slide, if one is legal.
func drawTurn(p rules.Position, g *Generator) rules.Board {
	turn := fullGame{board: p.Board(), moved: toMove(p)}
	for {
		turn = turn.draw(emptyCells(turn.board), g.Next())
		if turn.moved != 0 || emptyCells(turn.board) == 0 && stuck(turn.board) {
			return turn.board
		}
	}
}

// TestStuckFull compares the fast test for the end of a game with the legal moves.
func TestStuckFull(t *testing.T) {
	g := NewGenerator(7)
	full, over := 0, 0
	for range 3000 {
		for p := rules.NewPosition(rules.GPCC2015, rules.Full); ; {
			moves := p.AppendMoves(nil)
			if b := p.Board(); emptyCells(b) == 0 {
				full++
				if stuck(b) != (len(moves) == 0) {
					t.Fatalf("%v: stuck is %v with %d legal slides", p, stuck(b), len(moves))
				}
			}
			if len(moves) == 0 {
				over++
				break
			}
			p = p.Next(moves[g.Below(len(moves))])
		}
	}
	if full <= over {
		t.Errorf("%d full boards, %d of them at the end: want some in which the game is not over", full, over)
	}
}
