package chore

import (
	"context"
	"errors"
	"fmt"

	"versus2048/lab/experiment/regret"
	"versus2048/players"
	"versus2048/rules"
)

// MovesSettings are the positions of a batch. The bot chooses a move in each of them.
type MovesSettings struct {
	Rules     rules.Ruleset `json:"rules"`
	Size      rules.Size    `json:"size"`
	Positions []Asked       `json:"positions"` // 1 to MostPositions
}

// Asked is one of the positions. The game must not be over there.
type Asked struct {
	Position string `json:"position"` // as rules.ParsePosition reads it
	Seed     uint64 `json:"seed"`     // of the bot, below 2^53
}

// Moves is the result: a move in each position.
type Moves struct {
	Moves []rules.Move `json:"moves"`
}

// MostPositions is how many positions a batch may have.
const MostPositions = 1000

// batchPositions is how many positions NewMoves puts into a batch: with a second for each, a worker's death costs little.
const batchPositions = 8

// NewMoves returns the settings of batches that together contain all positions of a sample, in their order.
func NewMoves(s *regret.Sample) (all []MovesSettings) {
	for i, p := range s.Positions {
		if i%batchPositions == 0 {
			all = append(all, MovesSettings{Rules: s.Rules, Size: s.Size})
		}
		last := &all[len(all)-1]
		last.Positions = append(last.Positions, Asked{p.Position.String(), p.Seed})
	}
	return all
}

// questions reads the positions.
func (s MovesSettings) questions() (all []regret.Question, err error) {
	if n := len(s.Positions); n < 1 || n > MostPositions {
		return nil, fmt.Errorf("%d positions: want 1 to %d", n, MostPositions)
	}
	for _, asked := range s.Positions {
		p, err := rules.ParsePosition(s.Rules, asked.Position)
		switch {
		case err != nil:
			return nil, err
		case p.Size() != s.Size:
			return nil, fmt.Errorf("position %v: want one of %v", p, s.Size)
		case p.Over():
			return nil, fmt.Errorf("position %v: the game is over", p)
		case p.SideToMove() == rules.Attacker && p.Rules().Chance():
			return nil, fmt.Errorf("position %v: chance is to move, no bot", p)
		}
		all = append(all, regret.Question{Position: p, Seed: asked.Seed})
	}
	return all, nil
}

func chooseMoves(ctx context.Context, bot players.Spec, s MovesSettings) (out Moves, err error) {
	questions, err := s.questions()
	if err = errors.Join(err, bot.Plays(s.Rules, s.Size)); err != nil {
		return out, err
	}
	for _, q := range questions {
		m, err := regret.Choose(ctx, bot, q)
		if err != nil {
			return out, err
		}
		out.Moves = append(out.Moves, m)
	}
	return out, nil
}

func checkMoves(s MovesSettings, result Moves) error {
	questions, err := s.questions()
	if err == nil && len(result.Moves) != len(questions) {
		err = fmt.Errorf("%d moves in %d positions", len(result.Moves), len(questions))
	}
	if err != nil {
		return err
	}
	for i, q := range questions {
		if _, err := q.Position.Play(result.Moves[i]); err != nil {
			return err
		}
	}
	return nil
}
