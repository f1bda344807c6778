package regret

import (
	"context"
	"fmt"
	"math/rand/v2"

	"versus2048/analysis/exact"
	"versus2048/rules"
)

// Oracle knows perfect play: a table of package exact.
type Oracle interface {
	Rules() rules.Ruleset
	Size() rules.Size
	// Moves are the legal moves with their values.
	Moves(p rules.Position) ([]exact.MoveValue, error)
}

// Settings are what may be chosen of a sample.
type Settings struct {
	Positions int    // of each role in each stage of the game
	Seed      uint64 // where all random choices come from
	Workers   int    // positions drawn at once
}

// Stages is how many stages a game has: quarters of its plies.
const Stages = 4

// Stratum is what the positions of a sample are of: a role and a stage.
type Stratum struct {
	Role  rules.Side `json:"role"`  // who is to move
	Stage int        `json:"stage"` // the quarter of the game, from 1
}

func (s Stratum) String() string { return fmt.Sprintf("%v, quarter %d", s.Role, s.Stage) }

// Sample is positions in which the choice of the move matters, by strata.
type Sample struct {
	Rules     rules.Ruleset
	Size      rules.Size
	Settings  Settings
	Strata    []Stratum
	Positions []Position // of the first stratum, then of the next
	// Looked is how many positions were looked at in each stratum until one was
	// found in which the choice matters, all together.
	Looked []int
}

// Position is one of a sample.
type Position struct {
	rules.Position
	Stratum
	Values []exact.MoveValue // of all legal moves
	Seed   uint64            // for the bot that is asked, below 2^53
}

// Draw draws a sample. It returns an error if a setting is out of range or the
// oracle fails, and when ctx ends. Strata in which the choice never mattered have
// no position, those in which it hardly did fewer than the others. Unless report
// is nil it is told how far the drawing is.
func Draw(ctx context.Context, o Oracle, s Settings, report func(done, total int)) (*Sample, error) {
	if s.Positions < 1 || s.Workers < 1 {
		return nil, fmt.Errorf("%d positions, drawn %d at once: want at least 1", s.Positions, s.Workers)
	}
	sample := &Sample{Rules: o.Rules(), Size: o.Size(), Settings: s, Strata: strata(o.Rules())}
	found := make([]search, len(sample.Strata)*s.Positions)
	err := parallel(ctx, s.Workers, len(found), report, func(i int) (err error) {
		stratum := i / s.Positions
		// A larger sample of the same seed has all positions of a smaller one.
		random := rand.New(rand.NewPCG(s.Seed, uint64(stratum)<<32|uint64(i%s.Positions)))
		found[i], err = newSearch(o, random, sample.Strata[stratum])
		return err
	})
	if err != nil {
		return nil, err
	}
	sample.Looked = make([]int, len(sample.Strata))
	for i, d := range found {
		sample.Looked[i/s.Positions] += d.looked
		if d.found != nil {
			sample.Positions = append(sample.Positions, *d.found)
		}
	}
	return sample, nil
}

// strata are all of a game. Where chance places, nobody else attacks.
func strata(r rules.Ruleset) (all []Stratum) {
	for _, role := range []rules.Side{rules.Defender, rules.Attacker} {
		for stage := 1; stage <= Stages && !(role == rules.Attacker && r.Chance()); stage++ {
			all = append(all, Stratum{role, stage})
		}
	}
	return all
}

// Count is how many positions a stratum has.
func (s *Sample) Count(of Stratum) (n int) {
	for _, p := range s.Positions {
		if p.Stratum == of {
			n++
		}
	}
	return n
}

// Distinct is how many positions the sample has if those equal under rotation and
// reflection count once: where a game has few, independent draws meet.
func (s *Sample) Distinct() int {
	type place struct {
		board rules.Board
		side  rules.Side
	}
	seen := map[place]bool{}
	for _, p := range s.Positions {
		seen[place{p.Board().Canonical(p.Size()), p.SideToMove()}] = true
	}
	return len(seen)
}
