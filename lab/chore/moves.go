package chore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"versus2048/lab/experiment/regret"
	"versus2048/players"
	"versus2048/rules"
)

// MovesSettings are the positions of a batch. The bot chooses a move in each of them.
type MovesSettings struct {
	Rules     rules.Ruleset `json:"rules"`
	Size      rules.Size    `json:"size"`
	Positions []Question    `json:"positions"` // 1 to MostPositions
}

// Question is a position where the bot chooses a move. Its game must not be over.
type Question struct {
	Position string `json:"position"` // as rules.ParsePosition reads it
	Seed     uint64 `json:"seed"`     // of the bot, below 2^53
}

// MovesResult is the result of a batch of positions: a move in each of them.
type MovesResult struct {
	Moves []rules.Move `json:"moves"`
}

// MostPositions is the largest number of positions in a batch.
const MostPositions = 1000

// batchPositions is the number of positions that SplitMoves puts into a batch: at a second per move, a worker
// that dies loses at most 8 seconds of work.
const batchPositions = 8

// SplitMoves splits the positions of a sample into batches, and returns the settings of each.
func SplitMoves(sample *regret.Sample) (all []MovesSettings) {
	for batch := range slices.Chunk(sample.Positions, batchPositions) {
		s := MovesSettings{Rules: sample.Rules, Size: sample.Size}
		for _, p := range batch {
			s.Positions = append(s.Positions, Question{p.Position.String(), p.Seed})
		}
		all = append(all, s)
	}
	return all
}

// questions checks and parses the positions.
func (s MovesSettings) questions() (all []regret.Question, err error) {
	if n := len(s.Positions); n < 1 || n > MostPositions {
		return nil, fmt.Errorf("%d positions: want 1 to %d", n, MostPositions)
	}
	for _, q := range s.Positions {
		p, err := rules.ParsePosition(s.Rules, q.Position)
		switch {
		case err != nil:
			return nil, err
		case p.Size() != s.Size:
			return nil, fmt.Errorf("position %v: want one of %v", p, s.Size)
		case p.Over():
			return nil, fmt.Errorf("position %v: the game is over", p)
		case p.SideToMove() == rules.Attacker && p.Rules().Chance():
			return nil, fmt.Errorf("position %v: chance moves next, not a bot", p)
		}
		all = append(all, regret.Question{Position: p, Seed: q.Seed})
	}
	return all, nil
}

func chooseMoves(ctx context.Context, bot players.Spec, s MovesSettings) (out MovesResult, err error) {
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

func checkMoves(s MovesSettings, result MovesResult) error {
	questions, err := s.questions()
	if err != nil {
		return err
	}
	if len(result.Moves) != len(questions) {
		return fmt.Errorf("%d moves for %d positions: want one for each", len(result.Moves), len(questions))
	}
	for i, q := range questions {
		if _, err := q.Position.Play(result.Moves[i]); err != nil {
			return err
		}
	}
	return nil
}
