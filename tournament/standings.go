package tournament

import (
	"cmp"
	"slices"
)

// Standings are an event's places by the rules of its format, best first.
type Standings struct {
	Format  string   `json:"format"`  // one of Plans
	Columns []string `json:"columns"` // what the values of the places are
	Places  []Place  `json:"places"`
	// Ties are those of a knockout or a double elimination whose bots are known,
	// round by round.
	Ties []Tie `json:"ties,omitempty"`
	// Test is how an sprt stands.
	Test *TestState `json:"test,omitempty"`
}

// Place is one bot's row of the standings.
type Place struct {
	Place  int       `json:"place"` // from 1; bots that nothing tells apart share one
	Name   string    `json:"name"`
	Played int       `json:"played"` // matches
	Values []float64 `json:"values"` // one for each of the standings' columns
}

// rank orders places by their first values, so many as count, the higher ones
// first, and numbers them. Equal ones share a place, in the order they had.
func rank(places []Place, count int) []Place {
	byValues := func(a, b Place) int { return slices.Compare(b.Values[:count], a.Values[:count]) }
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
func (a *account) add(m *MatchResult, name string) {
	a.played++
	a.points += m.Points(name)
	a.margin += m.Margin(name)
}

// accounts are those of the named bots in the matches, in the order of names.
func accounts(names []string, done []MatchResult) []account {
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
func leagueStandings(format, column string, names []string, done []MatchResult, figure func(account) float64) Standings {
	s := Standings{Format: format, Columns: []string{column, "margin"}}
	for i, a := range accounts(names, done) {
		s.Places = append(s.Places, Place{Name: names[i], Played: a.played, Values: []float64{figure(a), float64(a.margin)}})
	}
	s.Places = rank(s.Places, 2)
	return s
}

func byPoints(a account) float64 { return a.points }

// byShare is the part of the points that were to be had.
func byShare(a account) float64 { return a.points / float64(cmp.Or(a.played, 1)) }
