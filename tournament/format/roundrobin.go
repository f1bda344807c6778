package format

import "versus2048/tournament"

// RoundRobin lets everybody meet everybody else the same number of times.
type RoundRobin struct {
	Names   []string // at least two
	Matches int      // of each pair
}

// Next lists all matches that are not yet decided, by rounds (the circle
// method), so that nobody waits long for a game.
func (f RoundRobin) Next(done []tournament.MatchResult) []tournament.Pairing {
	return byNumber(done).undecided(f.all())
}

// Total is all matches.
func (f RoundRobin) Total([]tournament.MatchResult) tournament.Total {
	n := len(f.Names)
	return tournament.Total{Matches: f.Matches * n * (n - 1) / 2}
}

// Standings are by points. Ties go to the higher margin.
func (f RoundRobin) Standings(done []tournament.MatchResult) tournament.Standings {
	return leagueStandings(RoundRobinPlan, "points", f.Names, done, byPoints)
}

// all lists all matches of the event by number.
func (f RoundRobin) all() []tournament.Pairing {
	var all []tournament.Pairing
	cycle := f.cycle()
	perRound := len(f.Names) / 2
	for nth := 1; nth <= f.Matches; nth++ {
		for _, pair := range cycle {
			round := len(all)/perRound + 1
			all = append(all, meeting(len(all)+1, round, nth, f.Names[pair[0]], f.Names[pair[1]]))
		}
	}
	return all
}

// cycle lists every pair of indices once, round by round: index 0 stays, the
// others move on by one place a round.
func (f RoundRobin) cycle() [][2]int {
	n := len(f.Names) + len(f.Names)%2 // with a bye where the number is odd
	var pairs [][2]int
	for round := range n - 1 {
		for k := range n / 2 {
			a, b := place(k, round, n), place(n-1-k, round, n)
			if a < len(f.Names) && b < len(f.Names) {
				pairs = append(pairs, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairs
}

// place is who sits at place k of n in a round.
func place(k, round, n int) int {
	if k == 0 {
		return 0
	}
	return 1 + (k-1+round)%(n-1)
}
