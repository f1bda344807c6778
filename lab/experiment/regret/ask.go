package regret

import (
	"context"
	"fmt"

	"versus2048/internal/parallel"
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

// Ask asks a bot for its move in every position and returns the answers in the order of the positions. workers is the
// number of positions at once, at least 1. Ask returns an error if the bot cannot play the game, fails or chooses an
// illegal move, and when ctx ends. It calls report, unless it is nil, with its progress.
func (s *Sample) Ask(ctx context.Context, bot Maker, workers int, report func(done, total int)) ([]Answer, error) {
	if err := bot.Plays(s.Rules, s.Size); err != nil {
		return nil, err
	}
	moves := make([]rules.Move, len(s.Positions))
	err := parallel.Do(ctx, workers, len(moves), report, func(i int) (err error) {
		moves[i], err = Choose(ctx, bot, s.Positions[i].Question())
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.Judge(moves)
}

// Question is a position where a bot is to move, and the seed of the bot.
type Question struct {
	Position rules.Position
	Seed     uint64
}

// Question returns the question to bots in the position.
func (p Position) Question() Question { return Question{p.Position, p.Seed} }

// Choose asks a bot for its move. It returns an error if the bot fails, or chooses an illegal move, and when ctx ends.
func Choose(ctx context.Context, bot Maker, q Question) (rules.Move, error) {
	m, err := bot.New(players.Game{Seed: q.Seed}).Choose(ctx, q.Position)
	if ctx.Err() != nil {
		return 0, ctx.Err() // the search was cut short
	}
	if err == nil {
		_, err = q.Position.Play(m)
	}
	if err != nil {
		return 0, fmt.Errorf("in %v: %w", q.Position, err)
	}
	return m, nil
}

// Judge returns the answers of a bot that has chosen these moves, one for each position, in the order of the
// positions. It returns an error for an illegal move, or if there are more or fewer moves than positions.
func (s *Sample) Judge(moves []rules.Move) ([]Answer, error) {
	if len(moves) != len(s.Positions) {
		return nil, fmt.Errorf("%d moves for %d positions: want one for each", len(moves), len(s.Positions))
	}
	answers := make([]Answer, len(moves))
	for i, m := range moves {
		p := s.Positions[i]
		if _, err := p.Play(m); err != nil {
			return nil, fmt.Errorf("in %v: %w", p.Position, err)
		}
		answers[i] = Answer{m, Loss(p.SideToMove(), p.Values, m)}
	}
	return answers, nil
}
