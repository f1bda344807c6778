package tournament

import "slices"

// Struck is a format without the bots that strikes set aside: where it pairs
// one of those their opponent wins without a game.
type Struck struct {
	Format
	Strikes Strikes
}

// maxWalkovers is how often the format is asked again for the sake of bots that
// are set aside: an endless one could pair them for ever.
const maxWalkovers = 1000

// Next lists the matches that can be played now.
func (f Struck) Next(done []MatchResult) []Pairing {
	_, next := f.settle(done)
	return next
}

// Total is what the format comes to without the matches that are not played.
func (f Struck) Total(done []MatchResult) Total {
	settled, next := f.settle(done)
	t := f.Format.Total(settled)
	t.Matches = max(0, t.Matches-(len(settled)-len(done)))
	if len(next) > 0 && t.Bound == Exactly {
		t.Bound = About // others may be set aside
	}
	return t
}

// Standings are the format's places. They are the same under both policies: who
// met whom in a swiss event, or went on in a knockout, can't be undone.
func (f Struck) Standings(done []MatchResult) Standings {
	settled, _ := f.settle(done)
	return f.Format.Standings(settled)
}

// Results are the matches that count in the standings, with those that bots
// that are set aside have lost without a game.
func (f Struck) Results(done []MatchResult) []MatchResult {
	settled, _ := f.settle(done)
	if f.Strikes.Games != VoidGames {
		return settled
	}
	last := f.Strikes.setAside(done)
	return slices.DeleteFunc(settled, func(m MatchResult) bool { return last[m.First] > 0 || last[m.Second] > 0 })
}

// settle is what the format is told instead of what is decided, and the matches
// that it then asks for.
func (f Struck) settle(done []MatchResult) (settled []MatchResult, next []Pairing) {
	last := f.Strikes.setAside(done)
	for _, m := range done {
		if gone := leavers(last, m.Pairing); gone != nil {
			m = walkover(m.Pairing, gone) // played while an earlier match was not decided
		}
		settled = append(settled, m)
	}
	for range maxWalkovers {
		before := len(settled)
		next = nil
		for _, p := range f.Format.Next(settled) {
			if gone := leavers(last, p); gone != nil {
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

// leavers are the bots of a match that were set aside before it, given the last
// match of each that was.
func leavers(last map[string]int, p Pairing) (gone []string) {
	for _, name := range []string{p.First, p.Second} {
		if m, aside := last[name]; aside && m < p.Match {
			gone = append(gone, name)
		}
	}
	return gone
}

// walkover is a match that is not played, since those bots are gone.
func walkover(p Pairing, gone []string) MatchResult {
	m := MatchResult{Pairing: p, Legs: [2]Summary{{Forfeited: true}, {Forfeited: true}}, Outcome: Drawn, By: ByWalkover}
	if len(gone) == 1 {
		m.Outcome = FirstWins
		if gone[0] == p.First {
			m.Outcome = SecondWins
		}
	}
	return m
}

// strike is the format with the event's strikes.
func (e *Event) strike(f Format) Format {
	if e.Settings.Strikes.Faults == 0 {
		return f
	}
	return Struck{f, e.Settings.Strikes}
}

// Results are the matches that count in the event's standings, by those that are
// decided.
func (e *Event) Results(done []MatchResult) []MatchResult {
	if f, ok := e.Format().(Struck); ok {
		return f.Results(done)
	}
	return done
}

// Counting are those of an event's decided matches whose games count in its
// statistics: all but those of bots that are set aside, as the event's strikes
// have it.
func (e *Event) Counting(done []MatchResult) []MatchResult {
	last := e.SetAside(done)
	if len(last) == 0 {
		return done
	}
	return slices.DeleteFunc(slices.Clone(done), func(m MatchResult) bool {
		void := e.Settings.Strikes.Games == VoidGames && (last[m.First] > 0 || last[m.Second] > 0)
		return void || leavers(last, m.Pairing) != nil
	})
}

// SetAside are the bots that the event's strikes have set aside, each with the
// number of the last match that it is paired for.
func (e *Event) SetAside(done []MatchResult) map[string]int {
	return e.Settings.Strikes.setAside(done)
}
