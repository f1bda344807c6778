package regret

import (
	"context"
	"math"
	"math/rand/v2"

	"versus2048/analysis/exact"
	"versus2048/players"
	"versus2048/rules"
)

// mostGames is how many games are played to find a position of a stratum.
const mostGames = 200

// tolerance is more than the values of solo are rounded by in a table, in points.
// Values that are nearer to each other are equal.
const tolerance = 1e-6

// search is the search for one position of a sample.
type search struct {
	oracle Oracle
	random *rand.Rand
	looked int       // positions of the stratum that were looked at
	found  *Position // nil if there was none in all the games
}

// newSearch plays games until one has a position of the stratum in which the choice
// matters, and takes one of these, drawn evenly.
func newSearch(o Oracle, random *rand.Rand, of Stratum) (search, error) {
	s := search{oracle: o, random: random}
	for range mostGames {
		game, err := s.game()
		if err != nil {
			return s, err
		}
		if err := s.look(game, of); err != nil || s.found != nil {
			return s, err
		}
	}
	return s, nil
}

// look takes the first position of the stratum in which the choice matters, the
// game's positions shuffled.
func (s *search) look(game []rules.Position, of Stratum) error {
	for _, ply := range s.random.Perm(len(game)) {
		p := game[ply]
		if p.SideToMove() != of.Role || 1+Stages*ply/len(game) != of.Stage {
			continue
		}
		s.looked++
		values, err := s.oracle.Moves(p)
		if err != nil {
			return err
		}
		if matters(values) {
			s.found = &Position{p, of, values, s.random.Uint64N(1 << 53)}
			return nil
		}
	}
	return nil
}

// matters tells whether some move is worth less than another.
func matters(values []exact.MoveValue) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for _, m := range values {
		least, most = min(least, m.Value.Gain), max(most, m.Value.Gain)
	}
	return most-least > tolerance
}

// game plays a game and returns its positions, without the mate at its end. Each
// side has a share of random moves of its own, drawn evenly.
func (s *search) game() (positions []rules.Position, err error) {
	shares := [2]float64{s.random.Float64(), s.random.Float64()}
	chance := players.Chance(s.random.Uint64())
	for p := rules.NewPosition(s.oracle.Rules(), s.oracle.Size()); !p.Over(); {
		positions = append(positions, p)
		var m rules.Move
		switch side := p.SideToMove(); {
		case side == rules.Attacker && p.Rules().Chance():
			m, err = chance.Choose(context.Background(), p)
		case s.random.Float64() < shares[side]:
			m = pick(s.random, p.AppendMoves(nil))
		default:
			m, err = s.perfect(p)
		}
		if err != nil {
			return nil, err
		}
		p = p.Next(m)
	}
	return positions, nil
}

// perfect is a move that loses no score, drawn evenly from them.
func (s *search) perfect(p rules.Position) (rules.Move, error) {
	values, err := s.oracle.Moves(p)
	if err != nil {
		return 0, err
	}
	var best []rules.Move
	for _, m := range values {
		if loss(p.SideToMove(), values, m.Move) == 0 {
			best = append(best, m.Move)
		}
	}
	return pick(s.random, best), nil
}

func pick(random *rand.Rand, moves []rules.Move) rules.Move { return moves[random.IntN(len(moves))] }

// loss is what a move costs the side to move, in points of the final score under
// perfect play from then on: 0 for an optimal move.
func loss(side rules.Side, values []exact.MoveValue, m rules.Move) float64 {
	best, chosen := math.Inf(-1), 0.0
	for _, v := range values {
		worth := v.Value.Gain
		if side == rules.Attacker {
			worth = -worth
		}
		best = max(best, worth)
		if v.Move == m {
			chosen = worth
		}
	}
	if best-chosen <= tolerance {
		return 0
	}
	return best - chosen
}
