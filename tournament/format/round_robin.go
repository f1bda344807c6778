package format

import "versus2048/tournament"

// RoundRobin is the name of the format in which every bot meets every other bot
// the same number of times. It is the default.
const RoundRobin = "round-robin"

func roundRobinKind() kind {
	return kind{
		name:    RoundRobin,
		matches: 10,
		preset:  true,
		create: func(e tournament.Event) tournament.Format {
			return roundRobin{Names: namesOf(e), Matches: e.Matches}
		},
	}
}

type roundRobin struct {
	Names   []string // at least two
	Matches int      // of each pair
}

// Next lists all undecided matches by rounds (the circle method), so that no bot
// waits long for a game.
func (f roundRobin) Next(done []tournament.MatchResult) []tournament.Pairing {
	return byNumber(done).undecided(f.all())
}

// Total counts all matches.
func (f roundRobin) Total([]tournament.MatchResult) tournament.Total {
	n := len(f.Names)
	return tournament.Total{Matches: f.Matches * n * (n - 1) / 2}
}

// Standings ranks by points, then by margin.
func (f roundRobin) Standings(done []tournament.MatchResult) tournament.Standings {
	return leagueStandings(RoundRobin, "points", f.Names, done, byPoints)
}

// all lists all matches of the event by number.
func (f roundRobin) all() []tournament.Pairing {
	var all []tournament.Pairing
	cycle := roundRobinCycle(len(f.Names))
	perRound := len(f.Names) / 2
	for nth := 1; nth <= f.Matches; nth++ {
		for _, pair := range cycle {
			round := len(all)/perRound + 1
			all = append(all, meeting(len(all)+1, round, nth, f.Names[pair[0]], f.Names[pair[1]]))
		}
	}
	return all
}

// roundRobinCycle lists every pair of n indices once, round by round: index 0
// stays, the others move on by one seat a round.
func roundRobinCycle(n int) [][2]int {
	seats := n + n%2 // with a bye if n is odd
	var pairs [][2]int
	for round := range seats - 1 {
		for k := range seats / 2 {
			a, b := atSeat(k, round, seats), atSeat(seats-1-k, round, seats)
			if a < n && b < n {
				pairs = append(pairs, [2]int{min(a, b), max(a, b)})
			}
		}
	}
	return pairs
}

// atSeat returns the index at one of the seats in a round.
func atSeat(seat, round, seats int) int {
	if seat == 0 {
		return 0
	}
	return 1 + (seat-1+round)%(seats-1)
}
