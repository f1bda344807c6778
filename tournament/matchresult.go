package tournament

import (
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

// Points are 1 for a match that the named bot won, 1/2 for a drawn one.
func (m *MatchResult) Points(name string) float64 {
	var t Tally
	t.Add(*m, name)
	return t.Points()
}

// Margin is the named bot's score as defender less the other's. It is 0 where an
// attacker's fault cut a game short, so that its score says nothing, and the
// least that it can be where the match was decided before its end.
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
	ByForfeit       Decision = "forfeit"        // one side failed as attacker, or resigned
	ByDoubleForfeit Decision = "double-forfeit" // both did
	ByWalkover      Decision = "walkover"       // no game counts: a side was set aside before; nothing for a rating
)

// Summary is what a finished game comes to.
type Summary struct {
	Score       int // the defender's
	LargestTile int
	Turns       int
	Ending      record.Ending
	// Forfeited tells that the attacker failed or resigned, so that the score says
	// nothing.
	Forfeited bool
}

// Scored tells whether the score is all that the defender could make: it is not
// where the attacker failed, nor where the match was decided before the end,
// which leaves a lower bound. Other scores enter no statistics of scores.
func (s Summary) Scored() bool { return !s.Forfeited && s.Ending != record.Decided }

// Scored tells whether both games' scores can be compared by how much they
// differ.
func (m MatchResult) Scored() bool { return m.Legs[0].Scored() && m.Legs[1].Scored() }

// Facts are what the referee announced of a finished game.
type Facts struct {
	Start       rules.Position
	Ending      record.Ending
	Plies       int
	Score       int // the defender's
	LargestTile int
}

// Summary is what a game with these facts comes to.
func (f Facts) Summary() Summary {
	winner, lost := record.Winner(f.Start, f.Plies, f.Ending)
	return Summary{
		Score:       f.Score,
		LargestTile: f.LargestTile,
		Turns:       record.Turns(f.Start, f.Plies),
		Ending:      f.Ending,
		Forfeited:   lost && winner == rules.Defender,
	}
}

// Summarize replays a finished game.
func Summarize(g *Game) Summary {
	r := &g.Record
	last, _ := r.Replay() // as far as it goes; verification finds the rest
	return Facts{r.Start, r.Ending, len(r.Moves), last.Score(), last.LargestTile()}.Summary()
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
