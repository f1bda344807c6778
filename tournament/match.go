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
	Legs    [2]Summary     // leg 1, with First as the defender, and leg 2, with Second
	Outcome Outcome
	By      Decision
}

// Outcome is the winner of a match.
type Outcome string

// The outcomes.
const (
	FirstWins  Outcome = "first"
	SecondWins Outcome = "second"
	Drawn      Outcome = "draw"
)

// Decision is the reason why a match was won or drawn.
type Decision string

// The decisions.
const (
	ByScore         Decision = "score"
	ByForfeit       Decision = "forfeit"        // one bot failed or resigned as the attacker
	ByDoubleForfeit Decision = "double-forfeit" // both bots failed or resigned as the attacker
	// ByWalkover means that a bot was set aside before the match, so that no game counts. Ratings
	// ignore such matches.
	ByWalkover Decision = "walkover"
)

// Points returns 1 if the named bot won the match, 1/2 for a draw, and 0 otherwise.
func (m *MatchResult) Points(name string) float64 {
	var t Tally
	t.Add(*m, name)
	return t.Points()
}

// Margin returns the named bot's score as defender minus the other bot's score. It is 0 if an
// attacker failed or resigned, since the scores then mean nothing, and for a walkover. If the match
// was decided before the end of its second game, the winner's margin is a lower bound.
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

// Defence returns the match's game with the named bot as the defender.
func (m *MatchResult) Defence(name string) Summary {
	if m.First == name {
		return m.Legs[0]
	}
	return m.Legs[1]
}

// Scored reports whether the scores of both games count: see [Summary.Scored]. Then their difference
// is meaningful.
func (m MatchResult) Scored() bool { return m.Legs[0].Scored() && m.Legs[1].Scored() }

// decide returns the winner of a match and the reason. First defends in the first game, Second in the other one. The
// higher score wins. A defender that fails keeps the score on the board. An attacker that fails forfeits the match;
// otherwise it could keep its opponent's score low by failing early. If both bots fail as attackers, the match is a
// draw. See docs/adr/0002-faults.md.
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

// Result is the part of a finished game that matters for the event.
type Result struct {
	Pairing
	Game   int64 // the journal's number for the game
	Leg    int
	Start  rules.Position
	Detail string // a description of the ending, for people
	Summary
}

// Faulty returns the bot that lost the game by a fault, or "".
func (r *Result) Faulty() string { return r.faulty(r.Leg, &r.Summary) }

// faulty returns the bot that lost a leg of the match by a fault, or "".
func (p *Pairing) faulty(leg int, s *Summary) string {
	attacker, defender := p.Roles(leg)
	switch {
	case !s.Ending.Fault():
		return ""
	case s.Forfeited:
		return attacker
	}
	return defender
}

// ResultOf replays a finished game and returns its result.
func ResultOf(g *Game) Result {
	return Result{g.Pairing, g.ID, g.Leg, g.Record.Start, g.Record.Detail, Summarize(g)}
}

// Scorebook joins the two games of every match. It keeps a finished game only until the other game of the match is
// finished, too. The zero Scorebook is empty.
type Scorebook struct {
	half map[int]Result // the finished game, by match
}

// Add adds a finished game. If the match's other game was added before, the match is decided: then
// Add returns the match and true.
func (b *Scorebook) Add(r Result) (m MatchResult, decided bool) {
	if b.half == nil {
		b.half = map[int]Result{}
	}
	other, known := b.half[r.Match]
	if !known || other.Leg == r.Leg {
		b.half[r.Match] = r
		return m, false
	}
	delete(b.half, r.Match)
	m = MatchResult{Pairing: r.Pairing, Start: r.Start}
	m.Legs[r.Leg-1], m.Legs[other.Leg-1] = r.Summary, other.Summary
	m.Outcome, m.By = decide(m.Legs[0], m.Legs[1])
	return m, true
}

// Half returns the only finished game of a match. ok is false for a match with none or two.
func (b *Scorebook) Half(match int) (r Result, ok bool) {
	r, ok = b.half[match]
	return r, ok
}

// Matches returns the matches with two finished games, by number.
func Matches(games []Game) []MatchResult {
	var book Scorebook
	var matches []MatchResult
	for i := range games {
		if games[i].Record.Ending == record.Unfinished {
			continue
		}
		if m, decided := book.Add(ResultOf(&games[i])); decided {
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

// Reversed returns the same matches from the other bot's side.
func (t Tally) Reversed() Tally { return Tally{Won: t.Lost, Drawn: t.Drawn, Lost: t.Won} }

// Played returns the number of matches.
func (t Tally) Played() int { return t.Won + t.Drawn + t.Lost }

// Points returns the sum of 1 for each won match and 1/2 for each drawn one.
func (t Tally) Points() float64 { return float64(t.Won) + float64(t.Drawn)/2 }
