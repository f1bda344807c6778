package puzzles

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
)

// solution is the source of puzzles on a solved board.
type solution struct{ table *exact.Table }

func solved(ctx context.Context, g exact.Game) (source, error) {
	s, err := retrograde.Solve(ctx, g.Rules, g.Size, nil)
	if err != nil {
		return nil, err
	}
	return solution{s.Table}, nil
}

// candidates plays a game and returns its candidates. Each side except chance plays random moves at a random rate, and
// otherwise perfect moves.
func (s solution) candidates(_ context.Context, random *rand.Rand) (all []candidate, err error) {
	rates := [2]float64{random.Float64(), random.Float64()}
	chance := players.Chance(players.Game{Seed: random.Uint64()})
	for p := rules.NewPosition(s.table.Rules(), s.table.Size()); !p.Over(); {
		if p.SideToMove() == rules.Attacker && p.Rules().Chance() {
			m, err := chance.Choose(context.Background(), p)
			if err != nil {
				return nil, err
			}
			p = p.Next(m)
			continue
		}
		scores, err := s.scores(p)
		if err != nil {
			return nil, err
		}
		if c, ok := newCandidate(p, scores); ok {
			all = append(all, c)
		}
		moves := p.AppendMoves(nil)
		m := moves[random.IntN(len(moves))]
		if random.Float64() >= rates[p.SideToMove()] {
			m = perfect(random, p.SideToMove(), moves, scores)
		}
		p = p.Next(m)
	}
	return all, nil
}

// scores returns the final scores of a position's moves.
func (s solution) scores(p rules.Position) (scores []float64, err error) {
	values, err := s.table.Moves(p)
	for _, v := range values {
		scores = append(scores, hundredths(float64(p.Score())+v.Value.Gain))
	}
	return scores, err
}

// perfect draws one of the moves with the best score.
func perfect(random *rand.Rand, side rules.Side, moves []rules.Move, scores []float64) rules.Move {
	best := slices.Max(scores)
	if side == rules.Attacker {
		best = slices.Min(scores)
	}
	var equal []rules.Move
	for i, m := range moves {
		if scores[i] == best {
			equal = append(equal, m)
		}
	}
	return equal[random.IntN(len(equal))]
}

// hundredths rounds a score to hundredths, as puzzles have it.
func hundredths(score float64) float64 { return math.Round(100*score) / 100 }
