package format

import "versus2048/tournament"

// Gauntlet lets each of the first entries, the seeds, meet everybody who is not
// a seed; nobody else meets.
type Gauntlet struct {
	Names   []string
	Seeds   int // at least 1, fewer than there are names
	Matches int // of each pair that meets
}

// Next lists all matches that are not yet decided. In a round each seed meets
// another opponent.
func (f Gauntlet) Next(done []tournament.MatchResult) []tournament.Pairing {
	return byNumber(done).undecided(f.all())
}

// Total is all matches.
func (f Gauntlet) Total([]tournament.MatchResult) tournament.Total {
	return tournament.Total{Matches: f.Matches * f.Seeds * (len(f.Names) - f.Seeds)}
}

// Standings are by the share of the points that a bot could make: a seed plays
// more matches than the others. Ties go to the higher margin.
func (f Gauntlet) Standings(done []tournament.MatchResult) tournament.Standings {
	return leagueStandings(GauntletPlan, "share", f.Names, done, byShare)
}

func (f Gauntlet) all() []tournament.Pairing {
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
