package format

import (
	"slices"

	"versus2048/tournament"
)

// struck is a format without the bots that strikes have set aside: if it pairs
// one of them, the opponent wins without a game.
type struck struct {
	format  tournament.Format
	preset  bool // see kind
	strikes tournament.Strikes
}

// maxWalkovers limits how often the format is asked again because of bots that
// are set aside: an endless one could pair them for ever.
const maxWalkovers = 1000

// Next lists the matches that can be played now.
func (f struck) Next(done []tournament.MatchResult) []tournament.Pairing {
	_, next := f.settle(done)
	return next
}

// Total is the format's total without the matches that are not played.
func (f struck) Total(done []tournament.MatchResult) tournament.Total {
	settled, next := f.settle(done)
	t := f.format.Total(settled)
	t.Matches = max(0, t.Matches-(len(settled)-len(done)))
	if len(next) > 0 && t.Bound == tournament.Exactly {
		t.Bound = tournament.About // other bots may be set aside
	}
	return t
}

// Standings returns the format's standings. Where pairings depend on results they
// count all matches, even if the strikes make a bot's matches void: who met whom in a
// Swiss event, or advanced in a knockout, cannot be undone.
func (f struck) Standings(done []tournament.MatchResult) tournament.Standings {
	if f.preset {
		return f.format.Standings(f.results(done))
	}
	settled, _ := f.settle(done)
	return f.format.Standings(settled)
}

// results returns the matches that count: see [Results].
func (f struck) results(done []tournament.MatchResult) []tournament.MatchResult {
	settled, _ := f.settle(done)
	if f.strikes.Games != tournament.VoidGames {
		return settled
	}
	last := f.strikes.SetAside(done)
	return slices.DeleteFunc(settled, func(m tournament.MatchResult) bool { return last[m.First] > 0 || last[m.Second] > 0 })
}

// settle returns the matches to pass to the format, with walkovers, and the pairings
// that it then lists and that are played.
func (f struck) settle(done []tournament.MatchResult) (settled []tournament.MatchResult, next []tournament.Pairing) {
	last := f.strikes.SetAside(done)
	for _, m := range done {
		if gone := last.Of(m.Pairing); gone != nil {
			m = walkover(m.Pairing, gone) // played while an earlier match was not decided
		}
		settled = append(settled, m)
	}
	for range maxWalkovers {
		before := len(settled)
		next = nil
		for _, p := range f.format.Next(settled) {
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

// walkover returns the result of a match that is not played because the bots in gone,
// one or both, are set aside.
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

// Results returns the matches that count in the event's crosstable, given the
// decided ones. With strikes, a bot that is set aside loses the matches that it does
// not play, or none of its matches count: see [tournament.Strikes].
func Results(e tournament.Event, done []tournament.MatchResult) []tournament.MatchResult {
	if f, ok := New(e).(struck); ok {
		return f.results(done)
	}
	return done
}
