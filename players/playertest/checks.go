package playertest

import (
	"context"
	"slices"
	"testing"

	"versus2048/players"
	"versus2048/rules"
)

// testGames plays whole games under all rule sets, on a narrow, a flat and the
// full board, in both roles. A second player of the same seed takes over in the
// middle of each and must play it to the same end; one whose moves depend on
// the whole game plays the whole game again.
func (s Suite) testGames(t *testing.T) {
	sizes := []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 2, Height: 4}, rules.Full}
	for _, r := range rules.Rulesets() {
		for _, size := range sizes {
			if !s.Plays(r, size) {
				continue
			}
			for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
				t.Run(r.String()+"/"+size.String()+"/"+side.String(), func(t *testing.T) {
					s.testGame(t, Game{rules.NewPosition(r, size), side, 2048})
				})
			}
		}
	}
}

func (s Suite) testGame(t *testing.T, g Game) {
	moves := play(t, s.New(t, g), g)
	middle := len(moves) / 2
	switch s.Determined {
	case ByGame:
		middle = 0
	case ByNothing:
		return
	}
	rest := g
	for _, m := range moves[:middle] {
		rest.Start = rest.Start.Next(m)
	}
	if again := play(t, s.New(t, rest), rest); !slices.Equal(again, moves[middle:]) {
		t.Errorf("from %v a new player of the same seed went on with\n%v, want\n%v", rest.Start, again, moves[middle:])
	}
}

// play plays g to its end against a random opponent, itself a pure function of
// the position, and returns the moves.
func play(t *testing.T, player players.Player, g Game) (moves []rules.Move) {
	t.Helper()
	opponent := players.Chance(1)
	for p := g.Start; !p.Over(); {
		var m rules.Move
		if p.SideToMove() == g.Side {
			m = choose(t.Context(), t, player, p)
		} else {
			m = choose(t.Context(), t, opponent, p)
		}
		moves, p = append(moves, m), p.Next(m)
	}
	return moves
}

// choose asks for a move, which must be legal, and for the search behind it,
// which must be one in p.
func choose(ctx context.Context, t *testing.T, player players.Player, p rules.Position) rules.Move {
	t.Helper()
	m, err := player.Choose(ctx, p)
	if err != nil {
		t.Fatalf("Choose(%v): %v", p, err)
	}
	if _, err := p.Play(m); err != nil {
		t.Fatal(err)
	}
	if s, ok := player.(players.Searcher); ok {
		if report := s.LastSearch(); report != nil && report.Check(p) != nil {
			t.Fatalf("in %v: %v", p, report.Check(p))
		}
	}
	return m
}

// testForced asks where there is only one legal move.
func (s Suite) testForced(t *testing.T) {
	for text, want := range map[string]rules.Move{
		"2,0/4,0 D":         rules.East,
		"4,8,2/2,4,0 A":     rules.Place(6, false),
		"0,0,0,0/4,2,4,8 D": rules.North,
	} {
		g := game(t, text)
		if got := choose(t.Context(), t, s.New(t, g), g.Start); got != want {
			t.Errorf("in %s: got %v, want the only legal move %v", text, got, want)
		}
	}
}

// game is a game of the GPCC 2015 rules from the given position, for the side
// that is to move there.
func game(t *testing.T, text string) Game {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return Game{p, p.SideToMove(), 7}
}

// midgames are positions from which much can be searched.
var midgames = []string{
	"4,2,0,2/16,8,4,0/64,32,2,8/256,128,16,4 D",
	"0,2,0,2/0,0,4,0/0,0,2,8/16,8,16,4 A",
}

// testDeadline gives a player that has much to think about little time. That
// it returns at all is the test: without the deadline it would not.
func (s Suite) testDeadline(t *testing.T) {
	for _, text := range midgames {
		g := game(t, text)
		player := s.Patient(t, g)
		ctx, cancel := context.WithTimeout(t.Context(), s.TimeToMove)
		choose(ctx, t, player, g.Start)
		cancel()
	}
}

// endgame is a position on a board so small that it is solved.
const endgame = "8,4/2,2 D"

// testEnded asks when it is already too late.
func (s Suite) testEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	newPlayer := s.New
	if s.Patient != nil {
		newPlayer = s.Patient
	}
	for _, text := range append(midgames, endgame) {
		if g := game(t, text); s.Plays(g.Start.Rules(), g.Start.Size()) {
			choose(ctx, t, newPlayer(t, g), g.Start)
		}
	}
}
