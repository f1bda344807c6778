package regret

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"versus2048/internal/parallel"
	"versus2048/lab/experiment"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// Oracle knows perfect play. An *exact.Table implements it.
type Oracle interface {
	Rules() rules.Ruleset
	Size() rules.Size
	// Moves returns the legal moves with their values.
	Moves(p rules.Position) ([]exact.MoveValue, error)
}

// Config holds the adjustable parameters of a sample.
type Config struct {
	Positions int    // per role and stage of the game
	Seed      uint64 // of all random choices
	Workers   int    // positions drawn at once
}

// stages is the number of stages of a game: quarters of its plies.
const stages = 4

// Stratum identifies a group of positions in a sample by role and stage.
type Stratum struct {
	Role  rules.Side `json:"role"`  // the side to move
	Stage int        `json:"stage"` // the quarter of the game, from 1
}

func (s Stratum) String() string { return fmt.Sprintf("%v, quarter %d", s.Role, s.Stage) }

// Sample is a set of positions with a choice of moves that matters, by strata.
type Sample struct {
	Rules     rules.Ruleset
	Size      rules.Size
	Config    Config
	Strata    []Stratum
	Positions []Position // in the order of the strata

	searches []search // the same number for each stratum, in the order of the strata
}

// Position is a position of a sample.
type Position struct {
	rules.Position
	Stratum
	Values []exact.MoveValue // of all legal moves
	Seed   uint64            // for the bot that is asked, below 2^53
}

// Draw draws a sample. It returns an error if a setting is out of range, if the oracle fails, and when ctx
// ends. A stratum has fewer positions than the others, or none, if the choice of the move rarely matters there.
// Draw calls report, unless it is nil, with its progress.
func Draw(ctx context.Context, o Oracle, s Config, report func(done, total int)) (*Sample, error) {
	if s.Positions < 1 {
		return nil, fmt.Errorf("%d positions: want at least 1", s.Positions)
	}
	if s.Workers < 1 {
		return nil, fmt.Errorf("%d workers: want at least 1", s.Workers)
	}
	sample := &Sample{Rules: o.Rules(), Size: o.Size(), Config: s, Strata: strata(o.Rules())}
	searches := make([]search, len(sample.Strata)*s.Positions)
	err := parallel.Do(ctx, s.Workers, len(searches), report, func(i int) (err error) {
		stratum := i / s.Positions
		// A larger sample with the same seed contains all positions of a smaller one.
		random := rand.New(rand.NewPCG(s.Seed, uint64(stratum)<<32|uint64(i%s.Positions)))
		searches[i], err = runSearch(o, random, sample.Strata[stratum])
		return err
	})
	if err != nil {
		return nil, err
	}
	sample.searches = searches
	for _, search := range searches {
		if search.found != nil {
			sample.Positions = append(sample.Positions, *search.found)
		}
	}
	return sample, nil
}

// strata returns all strata of a game. If chance places the tiles, only the defender has strata.
func strata(r rules.Ruleset) (all []Stratum) {
	for _, role := range (Game{Rules: r}).Roles() {
		for stage := 1; stage <= stages; stage++ {
			all = append(all, Stratum{role, stage})
		}
	}
	return all
}

// Count returns the number of positions in a stratum.
func (s *Sample) Count(stratum Stratum) (n int) {
	for _, p := range s.Positions {
		if p.Stratum == stratum {
			n++
		}
	}
	return n
}

// Matters returns the share of a stratum's positions that have a choice that matters, in the games that were played.
// The searches are independent. Each one ends with the first game that has such a position, or after maxGames games,
// so this estimates the share in all games (Wald 1944).
func (s *Sample) Matters(stratum int) report.Interval {
	n := len(s.searches) / len(s.Strata)
	matter, all := make([]float64, n), make([]float64, n)
	for i, search := range s.searches[stratum*n : (stratum+1)*n] {
		matter[i], all[i] = float64(search.matter), float64(search.examined)
	}
	return experiment.RatioOfSums(matter, all, "position").Within(0, 1)
}

// Distinct returns the number of positions in the sample if positions that are equal under rotation and
// reflection count once. Independent draws may coincide where a game has few positions.
func (s *Sample) Distinct() int {
	type key struct {
		board rules.Board
		side  rules.Side
	}
	seen := map[key]bool{}
	for _, p := range s.Positions {
		seen[key{p.Board().Canonical(p.Size()), p.SideToMove()}] = true
	}
	return len(seen)
}

// search is the search for one position of a sample.
type search struct {
	oracle   Oracle
	random   *rand.Rand
	examined int       // positions of the stratum
	matter   int       // positions of the stratum with a choice that matters
	found    *Position // nil if there was none in maxGames games
}

// maxGames is the largest number of games that are played to find one position of a stratum.
const maxGames = 200

// runSearch plays games, at most maxGames, until one has positions of the stratum with a choice that matters, and
// takes one of these positions at random.
func runSearch(o Oracle, random *rand.Rand, stratum Stratum) (search, error) {
	s := search{oracle: o, random: random}
	for range maxGames {
		game, err := s.game()
		if err != nil {
			return s, err
		}
		if err := s.examine(game, stratum); err != nil || s.found != nil {
			return s, err
		}
	}
	return s, nil
}

// examine counts a game's positions of the stratum, in a random order, and takes the first one with a choice
// that matters.
func (s *search) examine(game []rules.Position, stratum Stratum) error {
	for _, ply := range s.random.Perm(len(game)) {
		p := game[ply]
		if p.SideToMove() != stratum.Role || 1+stages*ply/len(game) != stratum.Stage {
			continue
		}
		s.examined++
		values, err := s.oracle.Moves(p)
		if err != nil {
			return err
		}
		if !matters(values) {
			continue
		}
		s.matter++
		if s.found == nil {
			s.found = &Position{p, stratum, values, s.random.Uint64N(1 << 53)}
		}
	}
	return nil
}

// tolerance, in points, exceeds the rounding of the values of solo in a table. Values that differ by no more than
// tolerance count as equal.
const tolerance = 1e-6

// matters reports whether some move is worth less than another.
func matters(values []exact.MoveValue) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for _, m := range values {
		least, most = min(least, m.Value.Gain), max(most, m.Value.Gain)
	}
	return most-least > tolerance
}

// Loss returns the points of the final score that a move loses for the side to move, under perfect play from
// then on: 0 for an optimal move.
func Loss(side rules.Side, values []exact.MoveValue, m rules.Move) float64 {
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

// game plays a game and returns its positions, without the mate at its end. Each side plays random moves at a
// random rate of its own.
func (s *search) game() (positions []rules.Position, err error) {
	shares := [2]float64{s.random.Float64(), s.random.Float64()}
	chance := players.Chance(players.Game{Seed: s.random.Uint64()})
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

// perfect returns one of the moves that lose nothing, drawn at random.
func (s *search) perfect(p rules.Position) (rules.Move, error) {
	values, err := s.oracle.Moves(p)
	if err != nil {
		return 0, err
	}
	var best []rules.Move
	for _, m := range values {
		if Loss(p.SideToMove(), values, m.Move) == 0 {
			best = append(best, m.Move)
		}
	}
	return pick(s.random, best), nil
}

func pick(random *rand.Rand, moves []rules.Move) rules.Move { return moves[random.IntN(len(moves))] }
