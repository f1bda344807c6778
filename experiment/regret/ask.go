package regret

import (
	"context"
	"fmt"

	"versus2048/experiment/parallel"
	"versus2048/players"
	"versus2048/rules"
)

// Answer is a bot's move in a position.
type Answer struct {
	Move rules.Move
	Loss float64 // in points of the final score, 0 for an optimal move
}

// Maker creates a player for each position. A players.Spec implements it.
type Maker interface {
	New(players.Game) players.Player
	// Plays returns an error for a game that the bot cannot play.
	Plays(r rules.Ruleset, s rules.Size) error
}

// Ask asks a bot for its move in every position and returns the answers in the order of the positions.
// It asks about as many positions at once as there are workers, at least 1. It returns an error if the
// bot fails, and when ctx ends. It calls report, unless it is nil, with its progress.
func (s *Sample) Ask(ctx context.Context, bot Maker, workers int, report func(done, total int)) ([]Answer, error) {
	if err := bot.Plays(s.Rules, s.Size); err != nil {
		return nil, err
	}
	answers := make([]Answer, len(s.Positions))
	err := parallel.Do(ctx, workers, len(answers), report, func(i int) error {
		p := s.Positions[i]
		m, err := bot.New(players.Game{Seed: p.Seed}).Choose(ctx, p.Position)
		if ctx.Err() != nil {
			return ctx.Err() // the search was cut short
		}
		if err == nil {
			_, err = p.Play(m)
		}
		if err != nil {
			return fmt.Errorf("in %v: %w", p.Position, err)
		}
		answers[i] = Answer{m, Loss(p.SideToMove(), p.Values, m)}
		return nil
	})
	return answers, err
}
