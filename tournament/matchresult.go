package tournament

import (
	"maps"
	"slices"

	"versus2048/rules"
)

// MatchResult is a finished match.
type MatchResult struct {
	Pairing
	Legs    [2]Summary // leg 1, where First defends, and leg 2, where Second does
	Outcome Outcome
	By      Decision
}

// Outcome says who won a match.
type Outcome string

// The outcomes.
const (
	FirstWins  Outcome = "first"
	SecondWins Outcome = "second"
	Drawn      Outcome = "draw"
)

// Decision says why a match was won or drawn.
type Decision string

// The decisions.
const (
	ByScore         Decision = "score"
	ByForfeit       Decision = "forfeit"        // one side failed as attacker
	ByDoubleForfeit Decision = "double-forfeit" // both did
)

// Summary is what a finished game comes to.
type Summary struct {
	Score       int // the defender's
	LargestTile int
	Turns       int
	// Forfeited tells that the attacker failed, so that the score says nothing.
	Forfeited bool
}

// Summarize replays a finished game.
func Summarize(g *Game) Summary {
	last, _ := g.Record.Replay() // as far as it goes; verification finds the rest
	winner, fault := g.Record.Winner()
	return Summary{
		Score:       last.Score(),
		LargestTile: last.LargestTile(),
		Turns:       g.Record.Turns(),
		Forfeited:   fault && winner == rules.Defender,
	}
}

// Matches are the matches whose two games are both finished, by number.
func Matches(games []Game) []MatchResult {
	byNumber := map[int]*MatchResult{}
	legs := map[int]int{}
	for i := range games {
		g := &games[i]
		if g.Record.Ending == rules.Unfinished {
			continue
		}
		m := byNumber[g.Match]
		if m == nil {
			m = &MatchResult{Pairing: g.Pairing}
			byNumber[g.Match] = m
		}
		m.Legs[g.Leg-1] = Summarize(g)
		legs[g.Match]++
	}
	var matches []MatchResult
	for _, number := range slices.Sorted(maps.Keys(byNumber)) {
		if legs[number] == 2 {
			m := byNumber[number]
			m.Outcome, m.By = decide(m.Legs[0], m.Legs[1])
			matches = append(matches, *m)
		}
	}
	return matches
}

// decide says who wins a match, from the game in which First defends and the
// one in which Second does. The higher score as defender wins. A defender that
// fails keeps the score on the board. An attacker that fails forfeits the
// match: by failing early it would otherwise keep its opponent's score low. If
// both fail as attackers nobody has earned the match. See
// docs/adr/0002-faults.md.
func decide(first, second Summary) (Outcome, Decision) {
	switch {
	case first.Forfeited && second.Forfeited:
		return Drawn, ByDoubleForfeit
	case first.Forfeited:
		return FirstWins, ByForfeit
	case second.Forfeited:
		return SecondWins, ByForfeit
	case first.Score > second.Score:
		return FirstWins, ByScore
	case first.Score < second.Score:
		return SecondWins, ByScore
	}
	return Drawn, ByScore
}
