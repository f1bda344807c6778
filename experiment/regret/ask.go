package regret

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

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
	err := parallel(ctx, workers, len(answers), report, func(i int) error {
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
		answers[i] = Answer{m, loss(p.SideToMove(), p.Values, m)}
		return nil
	})
	return answers, err
}

// parallel calls do with 0 to n-1 from the given number of goroutines. If a call fails or ctx ends, it
// starts no further calls and returns the error. It calls report, unless it is nil, with the number of
// calls that are done, never concurrently.
func parallel(ctx context.Context, workers, n int, report func(done, total int), do func(i int) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	var reporting sync.Mutex
	done := 0
	work := func() {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			if err := do(i); err != nil {
				fail(err)
				return
			}
			reporting.Lock()
			if done++; report != nil {
				report(done, n)
			}
			reporting.Unlock()
		}
	}
	for range workers {
		group.Go(work)
	}
	group.Wait()
	return context.Cause(ctx)
}
