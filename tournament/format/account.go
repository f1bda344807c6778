package format

import (
	"cmp"
	"slices"

	"versus2048/tournament"
)

// account sums up what a bot has made in its matches.
type account struct {
	played int
	points float64 // 1 for each match won, 1/2 for each one drawn
	margin int     // its scores as defender minus its opponents' scores
}

// accounts returns the accounts of the named bots, in the order of names.
func accounts(names []string, done []tournament.MatchResult) []account {
	all := make([]account, len(names))
	index := indices(names)
	for i := range done {
		m := &done[i]
		for _, name := range []string{m.First, m.Second} {
			if i, ok := index[name]; ok {
				all[i].add(m, name)
			}
		}
	}
	return all
}

// add counts a match of the named bot.
func (a *account) add(m *tournament.MatchResult, name string) {
	a.played++
	a.points += m.Points(name)
	a.margin += m.Margin(name)
}

// lead returns 1 if a is ahead of b by points or, at equal points, by margin; -1 if
// it is behind, and 0 if they are level.
func (a account) lead(b account) int {
	return cmp.Or(cmp.Compare(a.points, b.points), cmp.Compare(a.margin, b.margin))
}

func indices(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[name] = i
	}
	return index
}

// leagueStandings ranks bots by a figure of their accounts, then by margin. See
// docs/adr/0013-one-ranking.md for why the margin breaks ties.
func leagueStandings(format, column string, names []string, done []tournament.MatchResult, figure func(account) float64) tournament.Standings {
	s := tournament.Standings{Format: format, Columns: []string{column, "margin"}}
	for i, a := range accounts(names, done) {
		values := []float64{figure(a), float64(a.margin)}
		s.Places = append(s.Places, tournament.Place{Name: names[i], Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, 2)
	return s
}

func byPoints(a account) float64 { return a.points }

// byShare returns the points as a share of the available ones, 0 to 1.
func byShare(a account) float64 { return a.points / float64(cmp.Or(a.played, 1)) }

// rank sorts places by their first count values, highest first, and numbers them.
// Places with the same values share a number and keep their order.
func rank(places []tournament.Place, count int) []tournament.Place {
	byValues := func(a, b tournament.Place) int { return slices.Compare(b.Values[:count], a.Values[:count]) }
	slices.SortStableFunc(places, byValues)
	for i := range places {
		places[i].Place = i + 1
		if i > 0 && byValues(places[i-1], places[i]) == 0 {
			places[i].Place = places[i-1].Place
		}
	}
	return places
}

// meeting returns the nth match of bots a and b, from 1: a is First if nth is odd,
// b if it is even. So matches 2k-1 and 2k of a pair of bots differ only in the
// order of the bots, and can share an opening.
func meeting(match, round, nth int, a, b string) tournament.Pairing {
	if nth%2 == 0 {
		a, b = b, a
	}
	return tournament.Pairing{Match: match, Round: round, Nth: nth, First: a, Second: b}
}

// numbered holds matches by their numbers.
type numbered map[int]*tournament.MatchResult

func byNumber(done []tournament.MatchResult) numbered {
	all := make(numbered, len(done))
	for i := range done {
		all[done[i].Match] = &done[i]
	}
	return all
}

// undecided returns the pairings that have no result.
func (n numbered) undecided(pairings []tournament.Pairing) []tournament.Pairing {
	var left []tournament.Pairing
	for _, p := range pairings {
		if n[p.Match] == nil {
			left = append(left, p)
		}
	}
	return left
}
