package chore

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"versus2048/internal/farm"
	"versus2048/players"
)

// The kinds of batches.
const (
	Regret   farm.Kind = "regret"   // a bot's moves in positions of a sample
	SelfPlay farm.Kind = "selfplay" // games of a network against itself
)

// All returns the chores of all kinds.
func All() map[farm.Kind]Chore {
	return map[farm.Kind]Chore{
		Regret:   typed[MovesSettings, MovesResult]{chooseMoves, checkMoves},
		SelfPlay: typed[GamesSettings, GamesResult]{playGames, checkGames},
	}
}

// OfWorkers returns the functions that workers do batches with, by kind.
func OfWorkers() map[farm.Kind]farm.Chore {
	all := map[farm.Kind]farm.Chore{}
	for kind, c := range All() {
		all[kind] = c.Do
	}
	return all
}

// Chore does the batches of one kind, and checks their results for the command that ordered them.
type Chore interface {
	// Do does a batch. It returns an error if the settings are invalid, or the bot cannot follow them.
	Do(ctx context.Context, bot players.Spec, settings json.RawMessage) (json.RawMessage, error)
	// Check returns an error for a result that is clearly wrong. It makes only cheap checks.
	Check(settings, result json.RawMessage) error
}

// typed is a chore with settings of type S and results of type R, both as JSON. Settings and results with
// unknown keys are errors.
type typed[S, R any] struct {
	do    func(context.Context, players.Spec, S) (R, error)
	check func(S, R) error
}

func (t typed[S, R]) Do(ctx context.Context, bot players.Spec, settings json.RawMessage) (json.RawMessage, error) {
	s, err := decode[S](settings)
	if err != nil {
		return nil, fmt.Errorf("the settings: %w", err)
	}
	r, err := t.do(ctx, bot, s)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

func (t typed[S, R]) Check(settings, result json.RawMessage) error {
	s, err := decode[S](settings)
	if err != nil {
		return err
	}
	r, err := decode[R](result)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	return t.check(s, r)
}

func decode[T any](text json.RawMessage) (value T, err error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err = in.Decode(&value)
	return value, err
}
