package regret

import (
	"context"
	"fmt"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
)

var smallest = rules.Size{Width: 2, Height: 2}

func solve(t *testing.T, r rules.Ruleset, s rules.Size) *exact.Table {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), r, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return solution.Table
}

func drawn(t *testing.T, o Oracle, positions, workers int) *Sample {
	t.Helper()
	s, err := Draw(t.Context(), o, Config{Positions: positions, Seed: 7, Workers: workers}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t *testing.T, s *Sample, bot Maker) []Answer {
	t.Helper()
	answers, err := s.Ask(t.Context(), bot, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func spec(t *testing.T, text string) players.Spec {
	t.Helper()
	s, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asked returns the bot of a spec with its answers.
func asked(t *testing.T, s *Sample, text string) Bot {
	t.Helper()
	return Bot{text, spec(t, text), ask(t, s, spec(t, text))}
}

// chooser is a bot that takes the oracle's move that better prefers.
type chooser struct {
	oracle Oracle
	better func(a, b float64) bool // compares gains of the side to move
}

func (c chooser) New(players.Game) players.Player     { return c }
func (chooser) Plays(rules.Ruleset, rules.Size) error { return nil }

func (c chooser) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	values, err := c.oracle.Moves(p)
	if err != nil {
		return 0, err
	}
	sign := 1.0
	if p.SideToMove() == rules.Attacker {
		sign = -1
	}
	best := values[0]
	for _, m := range values {
		if c.better(sign*m.Value.Gain, sign*best.Value.Gain) {
			best = m
		}
	}
	return best.Move, nil
}

// worst returns a bot that plays the worst move.
func worst(o Oracle) Maker { return chooser{o, func(a, b float64) bool { return a < b }} }

// broken is a bot that fails in every position.
type broken struct{ chooser }

func (b broken) New(players.Game) players.Player { return b }

func (broken) Choose(context.Context, rules.Position) (rules.Move, error) {
	return 0, fmt.Errorf("out of ideas")
}
