package format

import (
	"fmt"

	"versus2048/tournament"
)

// Gauntlet is the name of the format in which each of the first entries, the
// seeds, meets every bot that is not a seed. There are no other matches.
const Gauntlet = "gauntlet"

func gauntletKind() kind {
	return kind{
		name:    Gauntlet,
		matches: 10,
		preset:  true,
		fields:  []string{fieldSeeds},
		check: func(p tournament.Plan, bots int) error {
			if p.Seeds < 0 || p.Seeds >= bots {
				return fmt.Errorf("%d seeds of %d bots: want at least 1 seed and 1 opponent", p.Seeds, bots)
			}
			return nil
		},
		create: func(e tournament.Event) tournament.Format {
			return gauntlet{Names: namesOf(e), Seeds: max(1, e.Settings.Plan.Seeds), Matches: e.Matches}
		},
	}
}

type gauntlet struct {
	Names   []string
	Seeds   int // at least 1, less than the number of names
	Matches int // of each pair that meets
}

// Next lists all undecided matches. In each round every seed meets another
// opponent.
func (f gauntlet) Next(done []tournament.MatchResult) []tournament.Pairing {
	return byNumber(done).undecided(f.all())
}

// Total counts all matches.
func (f gauntlet) Total([]tournament.MatchResult) tournament.Total {
	return tournament.Total{Matches: f.Matches * f.Seeds * (len(f.Names) - f.Seeds)}
}

// Standings ranks by the share of the available points that a bot has made, since
// seeds play more matches than the others, then by margin.
func (f gauntlet) Standings(done []tournament.MatchResult) tournament.Standings {
	return leagueStandings(Gauntlet, "share", f.Names, done, byShare)
}

func (f gauntlet) all() []tournament.Pairing {
	others := f.Names[f.Seeds:]
	var all []tournament.Pairing
	for nth := 1; nth <= f.Matches; nth++ {
		for round := range others {
			for s, seed := range f.Names[:f.Seeds] {
				o := (round + s) % len(others)
				a, b := seed, others[o]
				if (s+o)%2 == 1 { // so that an odd number of matches is balanced too
					a, b = b, a
				}
				all = append(all, meeting(len(all)+1, (nth-1)*len(others)+round+1, nth, a, b))
			}
		}
	}
	return all
}
