package format

import "versus2048/tournament"

// Knockout lets only the winners of a round go on to the next, until one is
// left. Bots are seeded in the order of their names: the best ones have byes in
// the first round where there are too few, and meet late. A tie begins as soon
// as both of its bots are known.
type Knockout struct{ bracket }

// NewKnockout is a knockout of at least two bots whose ties are the best of so
// many matches.
func NewKnockout(names []string, best int) Knockout {
	f := Knockout{bracket{names: names, best: best}}
	round := 1
	for left := f.enter("", round); len(left) > 1; {
		round++
		left = f.meet("", round, sources(winnerOf, left))
	}
	return f
}

// Next lists the matches of the ties that can be played.
func (f Knockout) Next(done []tournament.MatchResult) []tournament.Pairing { return f.next(done) }

// Total is about what ties of so many matches come to.
func (f Knockout) Total(done []tournament.MatchResult) tournament.Total { return f.total(done) }

// Standings are by the round in which a bot was beaten.
func (f Knockout) Standings(done []tournament.MatchResult) tournament.Standings {
	return f.standings(KnockoutPlan, done)
}
