package opening

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"versus2048/players"
	"versus2048/rules"
)

// Trial is how a candidate is tried: one bot plays both roles from it, in so many
// games. What the defender scores on average is what the position is worth.
type Trial struct {
	Bot   players.Spec
	Games int // a candidate, at least 1
	Seed  uint64
}

// Balance keeps the count of candidates whose worth is the nearest to the
// median of all, in the order in which they were given. A position from which
// the defender is soon mated, or from which the attacker has little to say, is
// far from it: what is left leaves both roles something to play for. (That a
// match plays each opening with both role assignments makes any opening fair; it
// does not make every opening tell two bots apart.)
func Balance(ctx context.Context, candidates []rules.Position, count int, t Trial) ([]rules.Position, error) {
	worth, err := t.values(ctx, candidates)
	if err != nil {
		return nil, err
	}
	middle := median(worth)
	places := make([]int, len(candidates))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return cmp.Compare(math.Abs(worth[a]-middle), math.Abs(worth[b]-middle))
	})
	places = places[:min(count, len(places))]
	slices.Sort(places)
	var kept []rules.Position
	for _, i := range places {
		kept = append(kept, candidates[i])
	}
	return kept, nil
}

// median is the middle of x, of an even number the higher one of the two; 0 of
// none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(x))[len(x)/2]
}

// values are what the positions are worth. They don't depend on how many are
// tried at once.
func (t Trial) values(ctx context.Context, positions []rules.Position) ([]float64, error) {
	values, errs := make([]float64, len(positions)), make([]error, len(positions))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				values[i], errs[i] = t.value(ctx, positions[i])
			}
		})
	}
	for i := range positions {
		next <- i
	}
	close(next)
	workers.Wait()
	return values, cmp.Or(errs...)
}

// value is the mean score of the trial's games from p.
func (t Trial) value(ctx context.Context, p rules.Position) (float64, error) {
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

// play plays one game from p and returns its score. Where chance places the
// tiles it does so here, too.
func (t Trial) play(ctx context.Context, p rules.Position, game uint64) (int, error) {
	defender, attacker := t.Bot.New(t.Seed+2*game), t.Bot.New(t.Seed+2*game+1)
	if p.Rules().Chance() {
		attacker = players.Chance(t.Seed + 2*game + 1)
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
