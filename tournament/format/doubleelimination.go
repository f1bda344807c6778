package format

import (
	"slices"

	"versus2048/tournament"
)

// DoubleElimination lets a bot go on until it has lost twice: who loses a tie of
// the winners' bracket goes on in the losers' bracket. The winners of both meet
// in the grand final, and once more if that is the first tie which the winner of
// the winners' bracket loses. Seeds and ties are those of a Knockout.
type DoubleElimination struct{ bracket }

// NewDoubleElimination is a double elimination of at least two bots whose ties
// are the best of so many matches.
func NewDoubleElimination(names []string, best int) DoubleElimination {
	f := DoubleElimination{bracket{names: names, best: best}}
	const winnersPart, losersPart = "winners' ", "losers' "
	round := 1
	winners := f.enter(winnersPart, round)
	losers := sources(loserOf, winners)
	for turn := 0; len(winners) > 1; turn++ {
		losers = sources(winnerOf, f.meet(losersPart, round+1, losers))
		winners = f.meet(winnersPart, round+2, sources(winnerOf, winners))
		dropped := sources(loserOf, winners)
		if turn%2 == 0 { // away from whom they have just beaten
			slices.Reverse(dropped)
		}
		losers = sources(winnerOf, f.meet(losersPart, round+3, alternate(losers, dropped)))
		round += 3
	}
	final := f.meet("grand ", round+1, []source{{winnerOf, winners[0]}, losers[0]})[0]
	f.meet("second grand ", round+2, []source{{winnerOf, final}, {upsetBy, final}})
	return f
}

// alternate is a[0], b[0], a[1], b[1] and so on.
func alternate(a, b []source) []source {
	var all []source
	for i := range a {
		all = append(all, a[i], b[i])
	}
	return all
}

// Next lists the matches of the ties that can be played.
func (f DoubleElimination) Next(done []tournament.MatchResult) []tournament.Pairing {
	return f.next(done)
}

// Total is about what ties of so many matches come to, without a second grand
// final until there must be one.
func (f DoubleElimination) Total(done []tournament.MatchResult) tournament.Total {
	return f.total(done)
}

// Standings are by the round in which a bot was beaten for the second time.
func (f DoubleElimination) Standings(done []tournament.MatchResult) tournament.Standings {
	return f.standings(DoubleEliminationPlan, done)
}
