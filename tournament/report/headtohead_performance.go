package report

import (
	"iter"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Performance is what one bot did in its matches against another.
type BotStats struct {
	Name   string `json:"name"`
	Scores        // as defender

	Defending Conduct `json:"defending"`
	Attacking Conduct `json:"attacking"` // empty where chance attacks
}

func newPerformance(name, opponent string, matches []tournament.MatchResult, times *Timesheet) BotStats {
	return BotStats{
		Name:      name,
		Scores:    newScores(gamesOf(name, rules.Defender, matches)),
		Defending: newConduct(name, rules.Defender, matches, times.against(name, opponent, rules.Defender)),
		Attacking: newConduct(name, rules.Attacker, matches, times.against(name, opponent, rules.Attacker)),
	}
}

// Games are the games of the matches in which the named bot has a role and whose
// scores count: see Summary.Scored.
func Games(name string, side rules.Side, matches []tournament.MatchResult) iter.Seq[tournament.Summary] {
	return func(yield func(tournament.Summary) bool) {
		for _, game := range gamesOf(name, side, matches) {
			if game.Scored() && !yield(game) {
				return
			}
		}
	}
}

// gamesOf are the games of the matches in which the named bot has a role.
func gamesOf(name string, side rules.Side, matches []tournament.MatchResult) []tournament.Summary {
	var games []tournament.Summary
	for i := range matches {
		m := &matches[i]
		if m.First != name && m.Second != name {
			continue
		}
		if (m.First == name) == (side == rules.Defender) {
			games = append(games, m.Legs[0])
		} else {
			games = append(games, m.Legs[1])
		}
	}
	return games
}

// Conduct is how a bot played one role in all its games: how fast, on the
// referee's clock, and with what faults.
type Conduct struct {
	Moves    int                   `json:"timed_moves"`
	MeanMS   Figure                `json:"mean_ms"`
	MedianMS Figure                `json:"median_ms"`
	MaxMS    Figure                `json:"max_ms"`
	MeanLag  Figure                `json:"mean_lag_ms"` // the part of the time that the network took
	MaxLag   Figure                `json:"max_lag_ms"`
	Faults   map[record.Ending]int `json:"faults"` // games that its faults or resigning ended, by ending
}

func newConduct(name string, side rules.Side, matches []tournament.MatchResult, p *pace) Conduct {
	c := Conduct{
		Moves:  len(p.times),
		MeanMS: p.mean(p.spent), MedianMS: p.median(), MaxMS: p.figure(p.longest),
		MeanLag: p.mean(p.lag), MaxLag: p.figure(p.mostLag),
		Faults: map[record.Ending]int{},
	}
	for _, game := range gamesOf(name, side, matches) {
		if loser, lost := loser(game); lost && loser == side {
			c.Faults[game.Ending]++
		}
	}
	return c
}

// loser is the side that failed or resigned. It is not ok where none did.
func loser(s tournament.Summary) (side rules.Side, ok bool) {
	switch {
	case s.Forfeited:
		return rules.Attacker, true
	case s.Ending.Fault() || s.Ending == record.Resigned:
		return rules.Defender, true
	}
	return 0, false
}
