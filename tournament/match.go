package tournament

import (
	"cmp"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// MatchResult is a finished match.
type MatchResult struct {
	Pairing
	Start   rules.Position // of both games
	Legs    [2]Summary     // leg 1, where First defends, and leg 2, where Second does
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
	ByForfeit       Decision = "forfeit"        // one bot failed or resigned as attacker
	ByDoubleForfeit Decision = "double-forfeit" // both did
	// ByWalkover: a bot was set aside before the match, so that no game counts. Ratings
	// ignore such matches.
	ByWalkover Decision = "walkover"
)

// Points returns 1 if the named bot won the match, 1/2 for a draw, and 0 otherwise.
func (m *MatchResult) Points(name string) float64 {
	var t Tally
	t.Add(*m, name)
	return t.Points()
}

// Margin returns the named bot's score as defender minus the other bot's. It is 0 if
// an attacker's fault cut a game short, so that its score means nothing. If the match
// was decided before its end, the winner's margin is a lower bound.
func (m *MatchResult) Margin(name string) int {
	if m.By != ByScore {
		return 0
	}
	margin := m.Legs[0].Score - m.Legs[1].Score
	if m.First != name {
		return -margin
	}
	return margin
}

// Defence returns the match's game in which the named bot defends.
func (m *MatchResult) Defence(name string) Summary {
	if m.First == name {
		return m.Legs[0]
	}
	return m.Legs[1]
}

// Scored reports whether both games' scores count, so that their difference means
// something: see [Summary.Scored].
func (m MatchResult) Scored() bool { return m.Legs[0].Scored() && m.Legs[1].Scored() }

// decide returns who wins a match, given the game in which First defends and the
// one in which Second does. The higher score as defender wins. A defender that
// fails keeps the score on the board. An attacker that fails forfeits the
// match: otherwise it could keep its opponent's score low by failing early. If
// both fail as attackers the match is a draw. See docs/adr/0002-faults.md.
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

// Matches returns the matches whose two games are both finished, by number.
func Matches(games []Game) []MatchResult {
	var book Scorebook
	for i := range games {
		if g := &games[i]; g.Record.Ending != record.Unfinished {
			book.Add(g.Pairing, g.Leg, g.Record.Start, Summarize(g))
		}
	}
	return book.Matches()
}

// Scorebook combines finished games into matches. The zero Scorebook is empty.
type Scorebook struct {
	index map[int]int // of a match in matches, by its number
	games []int       // finished games, by match
	all   []MatchResult
}

// Add adds a finished game, which must not be in the book yet.
func (b *Scorebook) Add(p Pairing, leg int, start rules.Position, s Summary) {
	if b.index == nil {
		b.index = map[int]int{}
	}
	i, known := b.index[p.Match]
	if !known {
		i = len(b.all)
		b.index[p.Match] = i
		b.all = append(b.all, MatchResult{Pairing: p, Start: start})
		b.games = append(b.games, 0)
	}
	b.all[i].Legs[leg-1] = s
	b.games[i]++
}

// Matches returns the matches whose two games are both in the book, by number.
func (b *Scorebook) Matches() []MatchResult {
	var matches []MatchResult
	for i, m := range b.all {
		if b.games[i] == 2 {
			m.Outcome, m.By = decide(m.Legs[0], m.Legs[1])
			matches = append(matches, m)
		}
	}
	slices.SortFunc(matches, func(a, b MatchResult) int { return cmp.Compare(a.Match, b.Match) })
	return matches
}

// Tally counts matches from one bot's side.
type Tally struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

// Add counts a match of the named bot.
func (t *Tally) Add(m MatchResult, name string) {
	switch {
	case m.Outcome == Drawn:
		t.Drawn++
	case (m.Outcome == FirstWins) == (m.First == name):
		t.Won++
	default:
		t.Lost++
	}
}

// Plus returns the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Won: t.Won + u.Won, Drawn: t.Drawn + u.Drawn, Lost: t.Lost + u.Lost}
}

// Played returns the number of matches.
func (t Tally) Played() int { return t.Won + t.Drawn + t.Lost }

// Points returns the sum of 1 for each match won and 1/2 for each one drawn.
func (t Tally) Points() float64 { return float64(t.Won) + float64(t.Drawn)/2 }
