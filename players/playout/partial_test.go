package playout

import (
	"testing"

	"versus2048/players/evaluation"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestGame compares every state of games with the position after the same moves.
func TestGame(t *testing.T) {
	g := NewGenerator(19)
	for p := range searchtest.RandomPositions(g.Below, 2) {
		for by := Random; by <= Duel; by++ {
			game := NewPartial(p)
			for at := p; !at.Over(); {
				game.Play(by, 1, &g)
				at = follow(t, at, &game)
				if at.Score() != game.Score() {
					t.Fatalf("%v, %s: score %d, want %d", at, by, game.Score(), at.Score())
				}
				if got, want := (evaluation.Variant{}).Board(game.board, game.size, game.Score()), (evaluation.Variant{}).Position(at); got != want {
					t.Fatalf("%v, %s: evaluated as %v, want %v", at, by, got, want)
				}
			}
		}
	}
}

// follow returns the position after the turn that led to the board of the game.
func follow(t *testing.T, p rules.Position, game *Partial) rules.Position {
	t.Helper()
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		if m.IsSlide() {
			if next.Board() == game.board {
				return next
			}
			continue
		}
		if next.Over() && next.Board() == game.board {
			return next
		}
		for _, slide := range next.AppendMoves(nil) {
			if after := next.Next(slide); after.Board() == game.board && after.Score() == game.Score() {
				return after
			}
		}
	}
	t.Fatalf("no turn leads from %v to %016x", p, game.board)
	return p
}

func TestPolicies(t *testing.T) {
	tests := []struct {
		by   Policy
		from string
		want []rules.Move
	}{
		{Corner, "0,0,0,0/0,2,4,0/0,0,0,0/0,0,0,0 D", []rules.Move{rules.North, rules.West}},
		{Corner, "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D", []rules.Move{rules.East, rules.South}},
		{Merge, "2,2,0,0/8,0,0,0/8,0,0,0/0,0,0,0 D", []rules.Move{rules.North, rules.South}},
		{Merge, "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D", []rules.Move{rules.East, rules.South}},
		{Duel, "2,2,0,0/0,4,0,0/0,0,0,0/0,0,0,0 D", []rules.Move{rules.West, rules.East}},
	}
	g := NewGenerator(20)
	for _, test := range tests {
		p := searchtest.Position(t, rules.GPCC2015, test.from)
		drawn := map[rules.Board]int{}
		for range 200 {
			drawn[test.by.slide(p.Board(), p.Size(), &g)]++
		}
		for _, m := range test.want {
			if drawn[p.Next(m).Board()] < 60 {
				t.Errorf("%s: %v was drawn %d times of 200", test.from, m, drawn[p.Next(m).Board()])
			}
		}
		if len(drawn) != len(test.want) {
			t.Errorf("%s: %d different slides were drawn, want %d", test.from, len(drawn), len(test.want))
		}
	}
}

func TestBesideLargest(t *testing.T) {
	for text, want := range map[string]uint64{
		"0,0,0,0/0,8,0,0/0,0,0,0/0,0,4,0 A":   0x0000_0010_0101_0010,
		"16,0,0,2/0,0,0,0/2,0,0,0/0,0,0,16 A": 0x0100_1000_0001_0010,
		"16,2,0,0/4,0,0,0/0,0,0,0/0,0,0,0 A":  0x1111_1111_1110_1100, // no such cell: all empty ones
		"0,0,0,8/2,0,0,0/0,0,0,0/0,0,0,0 A":   0x0000_0000_1000_0100,
	} {
		p := searchtest.Position(t, rules.GPCC2015, text)
		if got := besideLargest(p.Board(), p.Board().Empty(p.Size())); got != want {
			t.Errorf("%s: %016x, want %016x", text, got, want)
		}
	}
}
