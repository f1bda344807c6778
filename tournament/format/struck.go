package format

import (
	"slices"

	"versus2048/tournament"
)

// Struck is a format without the bots that strikes set aside: where it pairs
// one of those their opponent wins without a game.
type Struck struct {
	tournament.Format
	Strikes tournament.Strikes
}

// maxWalkovers is how often the format is asked again for the sake of bots that
// are set aside: an endless one could pair them for ever.
const maxWalkovers = 1000

// Next lists the matches that can be played now.
func (f Struck) Next(done []tournament.MatchResult) []tournament.Pairing {
	_, next := f.settle(done)
	return next
}

// Total is what the format comes to without the matches that are not played.
func (f Struck) Total(done []tournament.MatchResult) tournament.Total {
	settled, next := f.settle(done)
	t := f.Format.Total(settled)
	t.Matches = max(0, t.Matches-(len(settled)-len(done)))
	if len(next) > 0 && t.Bound == tournament.Exactly {
		t.Bound = tournament.About // others may be set aside
	}
	return t
}

// Standings are the format's places. They are the same under both policies: who
// met whom in a swiss event, or went on in a knockout, can't be undone.
func (f Struck) Standings(done []tournament.MatchResult) tournament.Standings {
	settled, _ := f.settle(done)
	return f.Format.Standings(settled)
}

// Results are the matches that count in the standings, with those that bots
// that are set aside have lost without a game.
func (f Struck) Results(done []tournament.MatchResult) []tournament.MatchResult {
	settled, _ := f.settle(done)
	if f.Strikes.Games != tournament.VoidGames {
		return settled
	}
	last := f.Strikes.SetAside(done)
	return slices.DeleteFunc(settled, func(m tournament.MatchResult) bool { return last[m.First] > 0 || last[m.Second] > 0 })
}

// settle is what the format is told instead of what is decided, and the matches
// that it then asks for.
func (f Struck) settle(done []tournament.MatchResult) (settled []tournament.MatchResult, next []tournament.Pairing) {
	last := f.Strikes.SetAside(done)
	for _, m := range done {
		if gone := last.Of(m.Pairing); gone != nil {
			m = walkover(m.Pairing, gone) // played while an earlier match was not decided
		}
		settled = append(settled, m)
	}
	for range maxWalkovers {
		before := len(settled)
		next = nil
		for _, p := range f.Format.Next(settled) {
			if gone := last.Of(p); gone != nil {
				settled = append(settled, walkover(p, gone))
			} else {
				next = append(next, p)
			}
		}
		if len(settled) == before {
			break
		}
	}
	return settled, next
}

// walkover is a match that is not played, since those bots are gone.
func walkover(p tournament.Pairing, gone []string) tournament.MatchResult {
	m := tournament.MatchResult{Pairing: p, Legs: [2]tournament.Summary{{Forfeited: true}, {Forfeited: true}}, Outcome: tournament.Drawn, By: tournament.ByWalkover}
	if len(gone) == 1 {
		m.Outcome = tournament.FirstWins
		if gone[0] == p.First {
			m.Outcome = tournament.SecondWins
		}
	}
	return m
}

// Results returns the matches that count in the event's standings, given the
// decided ones.
func Results(f tournament.Format, done []tournament.MatchResult) []tournament.MatchResult {
	if f, ok := f.(Struck); ok {
		return f.Results(done)
	}
	return done
}
