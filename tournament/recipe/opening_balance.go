package recipe

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"versus2048/internal/parallel"
	"versus2048/players"
	"versus2048/rules"
)

// OpeningTrial says how a candidate is tried: one bot plays both roles from it in a number of games. The
// defender's mean score is the position's value.
type OpeningTrial struct {
	Bot   players.Spec
	Games int // of each candidate, at least 1
	Seed  uint64
}

// BalanceOpenings chooses count of the candidates, or all if there are fewer: the positions with values nearest to the
// median of all values. It returns them in the order of the candidates. Positions with an early mate of the defender,
// or with little influence of the attacker, are far from the median, so the chosen positions leave both roles something
// to play for. (A match plays each opening with both role assignments, which makes any opening fair. But some openings
// do not show which of two bots is stronger.) It returns ctx's error if ctx ends, and the error of a bot that fails.
func BalanceOpenings(ctx context.Context, candidates []rules.Position, count int, t OpeningTrial) ([]rules.Position, error) {
	values, err := t.values(ctx, candidates)
	if err != nil {
		return nil, err
	}
	middle := median(values)
	indices := make([]int, len(candidates))
	for i := range indices {
		indices[i] = i
	}
	slices.SortStableFunc(indices, func(a, b int) int {
		return cmp.Compare(math.Abs(values[a]-middle), math.Abs(values[b]-middle))
	})
	indices = indices[:min(count, len(indices))]
	slices.Sort(indices)
	var kept []rules.Position
	for _, i := range indices {
		kept = append(kept, candidates[i])
	}
	return kept, nil
}

// median returns the middle of x, the higher one if there are two, or 0 if x is empty.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(x))[len(x)/2]
}

// values returns the positions' values. They do not depend on how many positions are tried at once.
func (t OpeningTrial) values(ctx context.Context, positions []rules.Position) ([]float64, error) {
	values := make([]float64, len(positions))
	err := parallel.Do(ctx, runtime.GOMAXPROCS(0), len(positions), nil, func(i int) (err error) {
		values[i], err = t.value(ctx, positions[i])
		return err
	})
	return values, err
}

func (t OpeningTrial) value(ctx context.Context, p rules.Position) (float64, error) {
	sum := 0
	for game := range max(1, t.Games) {
		score, err := t.play(ctx, p, uint64(game))
		if err != nil {
			return 0, fmt.Errorf("trying the opening %v: %w", p, err)
		}
		sum += score
	}
	return float64(sum) / float64(max(1, t.Games)), nil
}

// play plays one game from p and returns its score. Under rules with tiles placed by chance, chance
// replaces the attacker.
func (t OpeningTrial) play(ctx context.Context, p rules.Position, game uint64) (int, error) {
	defender, attacker := t.Bot.New(players.Game{Seed: t.Seed + 2*game}), t.Bot.New(players.Game{Seed: t.Seed + 2*game + 1})
	if p.Rules().Chance() {
		attacker = players.Chance(players.Game{Seed: t.Seed + 2*game + 1})
	}
	sides := [2]players.Player{rules.Attacker: attacker, rules.Defender: defender}
	for !p.Over() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		m, err := sides[p.SideToMove()].Choose(ctx, p)
		if err != nil {
			return 0, err
		}
		if p, err = p.Play(m); err != nil {
			return 0, err
		}
	}
	return p.Score(), nil
}
