package experiment

import (
	"context"
	"fmt"

	"versus2048/internal/parallel"
	"versus2048/players"
	"versus2048/players/playout"
	"versus2048/rules"
)

// ReadingConfig holds the conditions of a comparison.
type ReadingConfig struct {
	Matches    int    // of each reading, two games each, at least 1
	Playouts   int    // of the opponent, mcts, for each move, at least 1
	Seed       uint64 // of all random choices
	Concurrent int    // games played at once, at least 1
}

// ReadingResult has the scores of a reading and of its opponent as defenders.
type ReadingResult struct {
	Reading Reading
	MCTS    []float64 // scores of mcts, defending against the reading
	Scores  []float64 // scores of the reading, defending against mcts
}

// PlayReading plays matches of a reading against mcts from the empty board. The number of games at once does not
// change the games, and the n-th match of every reading has the same seeds. PlayReading returns an error if ctx ends,
// if a setting is out of range, or if a player fails. A reading fails at a 65536.
func PlayReading(ctx context.Context, r Reading, c ReadingConfig) (ReadingResult, error) {
	if c.Matches < 1 || c.Playouts < 1 || c.Concurrent < 1 {
		return ReadingResult{}, fmt.Errorf("%d matches, %d playouts, %d games at once: want at least 1 of each", c.Matches, c.Playouts, c.Concurrent)
	}
	spec, err := players.Parse(fmt.Sprintf("mcts:playouts=%d", c.Playouts))
	if err != nil {
		return ReadingResult{}, err
	}
	pool := new(players.Pool)
	result := ReadingResult{r, make([]float64, c.Matches), make([]float64, c.Matches)}
	err = parallel.Do(ctx, c.Concurrent, 2*c.Matches, nil, func(i int) error {
		seeds := playout.NewGenerator(c.Seed, uint64(i))
		g := game{
			mcts:   spec.New(players.Game{Seed: seeds.Next(), Pool: pool}),
			search: newSearch(r), random: playout.NewGenerator(seeds.Next()),
			role: rules.Side(i % 2),
		}
		score, err := g.play(ctx)
		if g.role == rules.Defender {
			result.Scores[i/2] = float64(score)
		} else {
			result.MCTS[i/2] = float64(score)
		}
		return err
	})
	if err != nil {
		return ReadingResult{}, err
	}
	return result, nil
}

// game is a game of a reading against mcts.
type game struct {
	mcts   players.Player
	search search
	random playout.Generator
	role   rules.Side // of the reading
}

// play plays the game and returns its score, or the error of the context or of a player.
func (g *game) play(ctx context.Context) (score int, err error) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	for !p.Over() && ctx.Err() == nil {
		m, err := g.choose(ctx, p)
		if err != nil {
			return 0, err
		}
		p = p.Next(m)
	}
	return p.Score(), ctx.Err()
}

func (g *game) choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if p.SideToMove() != g.role {
		return g.mcts.Choose(ctx, p)
	}
	if p.HasHuge() {
		return 0, fmt.Errorf("a 65536 in %v: a reading has no evaluation of it", p)
	}
	return g.search.choose(p, p.AppendMoves(nil), &g.random), nil
}
