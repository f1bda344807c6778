package format

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"versus2048/tournament"
)

// field is the part that all formats have: the bots of the event, their results against each other,
// and the bots that are set aside.
//
// A bot with too many faults is set aside from the match of its last fault on. So the result of a decided match may
// still become a walkover while a match with a lower number is in progress. A match is settled when that can no longer
// happen. Formats settle matches in their order; only the encounter of a settled match is kept.
type field struct {
	names   []string
	endings tournament.Adjudication
	strikes tournament.Strikes
	faults  *tournament.FaultCount
	met     map[[2]string]*tournament.Encounter // of the settled matches
	pending map[int]tournament.MatchResult      // decided and not settled, by number
	inPlay  map[int]bool                        // given out and not decided, by number
	done    int                                 // the number of decided matches
	skipped int                                 // the number of settled walkovers of matches that nobody played
	last    map[string]int                      // the highest number of a settled match, by bot
}

func newField(e tournament.Event) field {
	return field{
		names: namesOf(e), endings: e.Settings.Adjudication, strikes: e.FormatStrikes(), faults: e.FaultCount(),
		met: map[[2]string]*tournament.Encounter{}, pending: map[int]tournament.MatchResult{}, inPlay: map[int]bool{}, last: map[string]int{},
	}
}

// add notes a decided match. settled means that the match already counts as a walkover: one of its bots was set aside
// while it was in progress.
func (f *field) add(m tournament.MatchResult, settled bool) {
	f.done++
	f.faults.Add(m)
	delete(f.inPlay, m.Match)
	if settled {
		f.skipped--
	} else {
		f.pending[m.Match] = m
	}
}

// SetAside returns the bots that strikes have set aside, and the bots that have left.
func (f *field) SetAside() tournament.SetAside { return f.faults.SetAside() }

// result returns the result of a match, which is a walkover if a bot is set aside. It is nil while
// the match still has to be played.
func (f *field) result(p tournament.Pairing) *tournament.MatchResult {
	if m, decided := f.pending[p.Match]; decided {
		m = f.counted(m)
		return &m
	}
	if gone := f.SetAside().Of(p); gone != nil {
		m := walkover(p, gone)
		return &m
	}
	return nil
}

// counted returns the result of a decided match as it counts: a walkover if a bot was set aside by an earlier match
// that was decided later.
func (f *field) counted(m tournament.MatchResult) tournament.MatchResult {
	if gone := f.SetAside().Of(m.Pairing); gone != nil {
		return walkover(m.Pairing, gone)
	}
	return m
}

func (f *field) settle(m *tournament.MatchResult) {
	if _, decided := f.pending[m.Match]; !decided {
		f.skipped++
	}
	delete(f.pending, m.Match)
	delete(f.inPlay, m.Match)
	f.meet(f.met, *m)
	for _, name := range []string{m.First, m.Second} {
		f.last[name] = max(f.last[name], m.Match)
	}
}

// Settled returns the highest number of a settled match of the named bot.
func (f *field) Settled(name string) int { return f.last[name] }

// allPlayed reports whether every match is certain to be played: there are no strikes, and no bot has left.
func (f *field) allPlayed() bool { return f.strikes.Faults == 0 && len(f.SetAside()) == 0 }

// encounters returns the encounters of the settled matches and of these matches. The caller must not change the result.
func (f *field) encounters(unsettled []tournament.MatchResult) map[[2]string]*tournament.Encounter {
	if len(unsettled) == 0 {
		return f.met
	}
	all := maps.Clone(f.met)
	for _, m := range unsettled {
		if key := pairOf(m.First, m.Second); all[key] != nil && all[key] == f.met[key] {
			copied := *all[key]
			all[key] = &copied
		}
		f.meet(all, m)
	}
	return all
}

// counting returns the encounters that count in the crosstable. It leaves out the encounters of
// bots that are set aside, if their games are void.
func (f *field) counting(all map[[2]string]*tournament.Encounter) []tournament.Encounter {
	aside := f.SetAside()
	var counting []tournament.Encounter
	for _, e := range all {
		_, first := aside[e.First]
		_, second := aside[e.Second]
		if f.strikes.Games != tournament.VoidGames || !first && !second {
			counting = append(counting, *e)
		}
	}
	return counting
}

func (f *field) meet(all map[[2]string]*tournament.Encounter, m tournament.MatchResult) {
	encounterOf(all, m.First, m.Second).Add(f.endings.Judge(m))
}

func encounterOf(all map[[2]string]*tournament.Encounter, a, b string) *tournament.Encounter {
	key := pairOf(a, b)
	e := all[key]
	if e == nil {
		e = &tournament.Encounter{First: key[0], Second: key[1]}
		all[key] = e
	}
	return e
}

func pairOf(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }

// account sums up a bot's results.
type account struct {
	played int
	points float64 // 1 for each won match, 1/2 for each drawn one
	margin int     // its scores as defender minus its opponents' scores
}

func accounts(encounters iter.Seq[*tournament.Encounter]) map[string]account {
	all := map[string]account{}
	for e := range encounters {
		for _, side := range []tournament.Encounter{*e, e.Reversed()} {
			a := all[side.First]
			all[side.First] = account{a.played + side.Tally.Played(), a.points + side.Tally.Points(), a.margin + side.Margin}
		}
	}
	return all
}

func (a *account) add(m *tournament.MatchResult, name string) {
	a.played++
	a.points += m.Points(name)
	a.margin += m.Margin(name)
}

// lead returns 1 if a is ahead of b by points or, at equal points, by margin; -1 if it is behind,
// and 0 if they are level.
func (a account) lead(b account) int {
	return cmp.Or(cmp.Compare(a.points, b.points), cmp.Compare(a.margin, b.margin))
}

// leagueStandings ranks bots by a figure of their accounts, then by margin.
// docs/adr/0013-one-ranking.md explains why the margin breaks ties.
func (f *field) leagueStandings(format, column string, all map[string]account, figure func(account) float64) tournament.Standings {
	s := tournament.Standings{Format: format, Columns: []string{column, "margin"}}
	s.Places = f.places(all, 2, func(_ int, a account) []float64 { return []float64{figure(a), float64(a.margin)} })
	return s
}

// places ranks all bots by the first count values of each.
func (f *field) places(all map[string]account, count int, values func(bot int, a account) []float64) []tournament.Place {
	places := []tournament.Place{} // not nil: an open ladder may not have a bot yet
	for i, name := range f.names {
		a := all[name]
		places = append(places, tournament.Place{Name: name, Played: a.played, Values: values(i, a)})
	}
	return rank(places, count)
}

func byPoints(a account) float64 { return a.points }

// byShare returns the points as a fraction of the available points, 0 to 1.
func byShare(a account) float64 { return a.points / float64(cmp.Or(a.played, 1)) }

// rank sorts places by the first count values of each, highest first, and numbers them. Places with the same values
// have the same number and keep their order.
func rank(places []tournament.Place, count int) []tournament.Place {
	byValues := func(a, b tournament.Place) int { return slices.Compare(b.Values[:count], a.Values[:count]) }
	slices.SortStableFunc(places, byValues)
	for i := range places {
		places[i].Place = i + 1
		if i > 0 && byValues(places[i-1], places[i]) == 0 {
			places[i].Place = places[i-1].Place
		}
	}
	return places
}

// meeting returns the nth match of bots a and b; nth begins with 1. If nth is odd, a is First; if it is even,
// b is First. Matches 2k-1 and 2k of a pair of bots thus differ only in the order of the bots, and
// can have the same opening.
func meeting(match, round, nth int, a, b string) tournament.Pairing {
	if nth%2 == 0 {
		a, b = b, a
	}
	return tournament.Pairing{Match: match, Round: round, Nth: nth, First: a, Second: b}
}

// maxWalkovers limits the walkovers that a format settles in a row. In a ladder the limit is maxWalkovers times the
// number of matches ahead. Without a limit, some formats would go on pairing bots that are set aside, and never end.
const maxWalkovers = 1000

// walkover returns the result of a match that is not played because the bots in gone, one or both, are set aside.
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
