package format

import (
	"cmp"
	"slices"

	"versus2048/tournament"
)

// rank orders places by their first values, so many as count, the higher ones
// first, and numbers them. Equal ones share a place, in the order they had.
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

// account is what a bot has made in its matches.
type account struct {
	played int
	points float64 // 1 for a match won, 1/2 for one drawn
	margin int     // its scores as defender less its opponents'
}

// add counts a match of the named bot.
func (a *account) add(m *tournament.MatchResult, name string) {
	a.played++
	a.points += m.Points(name)
	a.margin += m.Margin(name)
}

// accounts are those of the named bots in the matches, in the order of names.
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

// indices are the places of names in their list.
func indices(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[name] = i
	}
	return index
}

// leagueStandings are places by a figure of each bot's account, then its
// margin.
func leagueStandings(format, column string, names []string, done []tournament.MatchResult, figure func(account) float64) tournament.Standings {
	s := tournament.Standings{Format: format, Columns: []string{column, "margin"}}
	for i, a := range accounts(names, done) {
		s.Places = append(s.Places, tournament.Place{Name: names[i], Played: a.played, Values: []float64{figure(a), float64(a.margin)}})
	}
	s.Places = rank(s.Places, 2)
	return s
}

func byPoints(a account) float64 { return a.points }

// byShare is the part of the points that were to be had.
func byShare(a account) float64 { return a.points / float64(cmp.Or(a.played, 1)) }

// meeting is the nth match of two bots, from 1: a is First in those of odd
// number, b in the others. So two matches of a pair, 2k-1 and 2k, are the same
// but for the order of the bots, and can share an opening.
func meeting(match, round, nth int, a, b string) tournament.Pairing {
	if nth%2 == 0 {
		a, b = b, a
	}
	return tournament.Pairing{Match: match, Round: round, Nth: nth, First: a, Second: b}
}

// numbered are matches by their numbers.
type numbered map[int]*tournament.MatchResult

func byNumber(done []tournament.MatchResult) numbered {
	all := make(numbered, len(done))
	for i := range done {
		all[done[i].Match] = &done[i]
	}
	return all
}

// undecided are those of the pairings that are not decided.
func (n numbered) undecided(pairings []tournament.Pairing) []tournament.Pairing {
	var left []tournament.Pairing
	for _, p := range pairings {
		if n[p.Match] == nil {
			left = append(left, p)
		}
	}
	return left
}
