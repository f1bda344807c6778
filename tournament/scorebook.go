package tournament

import (
	"cmp"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Scorebook gathers finished games into matches. The zero Scorebook is empty.
type Scorebook struct {
	places map[int]int // of a match in matches, by its number
	legs   []int       // games, by match
	all    []MatchResult
}

// Add notes a finished game. Each is to be added once.
func (b *Scorebook) Add(p Pairing, leg int, start rules.Position, s Summary) {
	if b.places == nil {
		b.places = map[int]int{}
	}
	i, known := b.places[p.Match]
	if !known {
		i = len(b.all)
		b.places[p.Match] = i
		b.all = append(b.all, MatchResult{Pairing: p, Start: start})
		b.legs = append(b.legs, 0)
	}
	b.all[i].Legs[leg-1] = s
	b.legs[i]++
}

// Matches are the matches whose two games are both in the book, by number.
func (b *Scorebook) Matches() []MatchResult {
	var matches []MatchResult
	for i, m := range b.all {
		if b.legs[i] == 2 {
			m.Outcome, m.By = decide(m.Legs[0], m.Legs[1])
			matches = append(matches, m)
		}
	}
	slices.SortFunc(matches, func(a, b MatchResult) int { return cmp.Compare(a.Match, b.Match) })
	return matches
}

// Matches are the matches whose two games are both finished, by number.
func Matches(games []Game) []MatchResult {
	var book Scorebook
	for i := range games {
		if g := &games[i]; g.Record.Ending != record.Unfinished {
			book.Add(g.Pairing, g.Leg, g.Record.Start, Summarize(g))
		}
	}
	return book.Matches()
}
