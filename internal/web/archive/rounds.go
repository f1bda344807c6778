package archive

import (
	"fmt"

	"versus2048/internal/web/drawing"
	"versus2048/tournament"
)

// round is a round with its decided matches.
type round struct {
	Round   int
	Matches []tournament.MatchResult
}

// Pairings is a round of a format that is played round by round.
type Pairings struct {
	Title   string
	Ties    []tournament.Tie
	Matches []Match
}

// Match is a decided match in a list.
type Match struct {
	Match         int
	First, Second string
	Scores        [2]int // as defender
	Points        [2]string
	By            tournament.Decision
}

func matchOf(m *tournament.MatchResult) Match {
	return Match{
		Match: m.Match, First: m.First, Second: m.Second, Scores: [2]int{m.Legs[0].Score, m.Legs[1].Score},
		Points: [2]string{drawing.PointsText(m.Points(m.First)), drawing.PointsText(m.Points(m.Second))}, By: m.By,
	}
}

// lastRounds is how many rounds of a ladder are listed: each match of a ladder is a round.
const lastRounds = 20

// Pairings returns the pairings of an event: its ties, or its rounds.
func (s *Statistics) Pairings() (tables []Pairings) {
	for _, tie := range s.Standings.Ties {
		if n := len(tables); n == 0 || tables[n-1].Ties[0].Round != tie.Round || tables[n-1].Title != tie.Title {
			tables = append(tables, Pairings{Title: tie.Title})
		}
		last := &tables[len(tables)-1]
		last.Ties = append(last.Ties, tie)
	}
	if tables != nil {
		return tables
	}
	if s.ladder {
		table := Pairings{Title: "last matches"}
		for i := len(s.rounds) - 1; i >= max(0, len(s.rounds)-lastRounds); i-- {
			for _, m := range s.rounds[i].Matches {
				table.Matches = append(table.Matches, matchOf(&m))
			}
		}
		if table.Matches != nil {
			tables = append(tables, table)
		}
		return tables
	}
	for _, round := range s.rounds {
		table := Pairings{Title: fmt.Sprintf("round %d", round.Round)}
		for _, m := range round.Matches {
			table.Matches = append(table.Matches, matchOf(&m))
		}
		tables = append(tables, table)
	}
	return tables
}
