package format

import (
	"iter"
	"maps"
	"slices"

	"versus2048/tournament"
)

// league is a format with fixed pairings that do not depend on results: the same rounds are repeated in each
// cycle. It computes each match from the match's number, so its size does not grow with the number of matches.
type league struct {
	field
	format string
	column string // of the standings
	figure func(account) float64
	cycle  cycle
	plan   int // matches of the event
	rounds int // of a cycle
	tables int // matches of a round
	// attacks reports that the bot that was entered first attacks first in all matches of a pair.
	attacks bool

	// at is the index of the first match that is neither decided nor a walkover; indices are numbers minus one.
	// ahead has the later decided matches, by their places in the cycle: while one match takes long, the other
	// pairs may be far ahead.
	at    int
	ahead map[int]*run
}

// cycle arranges pairs of bots, known by their indices, in rounds and tables.
type cycle interface {
	// bots returns the bots at a table. The first one is First in the odd-numbered matches of the two.
	bots(round, table int) (first, second int)
	// tablesOf yields the tables of a bot in a round.
	tablesOf(round, bot int) iter.Seq[int]
	// size returns the number of rounds, and of tables in each round.
	size() (rounds, tables int)
}

func newLeague(e tournament.Event, format, column string, figure func(account) float64, c cycle) *league {
	l := &league{field: newField(e), format: format, column: column, figure: figure, cycle: c, ahead: map[int]*run{}}
	l.rounds, l.tables = c.size()
	l.plan, l.attacks = e.Matches*l.rounds*l.tables, e.Settings.Plan.SeedsAttack
	return l
}

// run is a set of numbers: all numbers below next, and some beyond.
type run struct {
	next   int
	beyond map[int]bool
}

func (r *run) add(n int) {
	if n > r.next {
		if r.beyond == nil {
			r.beyond = map[int]bool{}
		}
		r.beyond[n] = true
		return
	}
	for r.next = max(r.next, n+1); r.beyond[r.next]; r.next++ {
		delete(r.beyond, r.next)
	}
}

func (r *run) has(n int) bool { return n < r.next || r.beyond[n] }

func (l *league) Add(m tournament.MatchResult) {
	l.add(m, l.strikes.Faults > 0 && m.Match <= l.at)
	if l.strikes.Faults == 0 {
		l.settle(&m)
	}
	l.mark(m.Match - 1)
	l.advance()
}

func (l *league) SetLineup(e tournament.Event) {
	l.faults.SetLeft(e.Withdrawn())
	l.advance()
}

// advance moves on to the first match that is neither decided nor a walkover.
func (l *league) advance() {
	for end := l.end(); l.at < end && (l.decided(l.at) || l.SetAside().Of(l.pairing(l.at)) != nil); {
		l.pass()
	}
}

func (l *league) Due(name string) bool {
	bot := slices.Index(l.names, name)
	for round := 0; bot >= 0 && round < l.rounds; round++ {
		for table := range l.cycle.tablesOf(round, bot) {
			if p, left := l.undecidedBut(round*l.tables+table, nil); left && l.SetAside().Of(p) == nil {
				return true
			}
		}
	}
	return false
}

// end returns the number of matches that advance goes through. If every pair has a bot that is set aside, only
// walkovers follow after the last match that set a bot aside, and advance need not go through them.
func (l *league) end() int {
	if len(l.SetAside()) == 0 || l.anyPair() {
		return l.plan
	}
	return min(l.plan, slices.Max(slices.Collect(maps.Values(l.SetAside()))))
}

func (l *league) perCycle() int { return l.rounds * l.tables }

// mark notes that match k is decided.
func (l *league) mark(k int) {
	if k < l.at || k >= l.plan {
		return // a match that was recorded twice, or is of another event
	}
	place := k % l.perCycle()
	r := l.ahead[place]
	if r == nil {
		r = &run{next: l.first(place)}
		l.ahead[place] = r
	}
	r.add(k / l.perCycle())
}

// first returns the first cycle, from 0, in which the match at this place is l.at or a later one.
func (l *league) first(place int) int {
	return (l.at - place + l.perCycle() - 1) / l.perCycle()
}

func (l *league) decided(k int) bool {
	r := l.ahead[k%l.perCycle()]
	return r != nil && r.has(k/l.perCycle())
}

// pass settles match l.at, which is decided or a walkover, and moves on.
func (l *league) pass() {
	place, turn := l.at%l.perCycle(), l.at/l.perCycle()
	if m, told := l.pending[l.at+1]; told {
		if l.SetAside().Of(m.Pairing) == nil {
			l.settle(&m)
		} else { // walkovers are computed, not counted one by one, whether played or not
			delete(l.pending, m.Match)
			l.skipped--
		}
	}
	if r := l.ahead[place]; r != nil {
		if r.add(turn); r.next == turn+1 && len(r.beyond) == 0 {
			delete(l.ahead, place)
		}
	}
	l.at++
}

// anyPair reports whether there is a pair without a bot that is set aside.
func (l *league) anyPair() bool {
	aside := l.SetAside()
	for round := range l.rounds {
		for table := range l.tables {
			a, b := l.cycle.bots(round, table)
			if _, gone := aside[l.names[a]]; gone {
				continue
			}
			if _, gone := aside[l.names[b]]; !gone {
				return true
			}
		}
	}
	return false
}

func (l *league) pairing(k int) tournament.Pairing {
	a, b := l.cycle.bots(k/l.tables%l.rounds, k%l.tables)
	p := meeting(k+1, k/l.tables+1, k/l.perCycle()+1, l.names[a], l.names[b])
	if l.attacks {
		p.First, p.Second = l.names[max(a, b)], l.names[min(a, b)]
	}
	return p
}

// Next looks for the first match round by round, starting with the round of l.at, at the tables of
// free bots. After one cycle it has seen every pair.
func (l *league) Next(free tournament.Free) (p tournament.Pairing, ok bool) {
	idle := l.idle(free)
	if l.at >= l.plan || len(idle) == 0 {
		return p, false
	}
	start := l.at / l.tables
	for round := start; round < start+l.rounds; round++ {
		if ok && p.Match <= round*l.tables {
			break // all others are later
		}
		for _, bot := range idle {
			for table := range l.cycle.tablesOf(round%l.rounds, bot) {
				q, open := l.open(round%l.rounds*l.tables + table)
				if open && (!ok || q.Match < p.Match) && free.Match(q) {
					p, ok = q, true
				}
			}
		}
	}
	if ok {
		l.inPlay[p.Match] = true
	}
	return p, ok
}

func (l *league) idle(free tournament.Free) []int {
	var idle []int
	for i, name := range l.names {
		if free.Bot(name) {
			idle = append(idle, i)
		}
	}
	return idle
}

// open returns the first match at a place of the cycle that is to be played and has not been given out.
func (l *league) open(place int) (p tournament.Pairing, ok bool) {
	p, ok = l.undecidedBut(place, l.inPlay)
	return p, ok && l.SetAside().Of(p) == nil
}

// undecidedBut returns the first undecided match at a place of the cycle, except for the matches with these numbers.
func (l *league) undecidedBut(place int, numbers map[int]bool) (p tournament.Pairing, ok bool) {
	turn := l.first(place)
	if r := l.ahead[place]; r != nil {
		turn = max(turn, r.next)
	}
	for k := turn*l.perCycle() + place; k < l.plan; k += l.perCycle() {
		if !numbers[k+1] && !l.decided(k) {
			return l.pairing(k), true
		}
	}
	return p, false
}

func (l *league) Total() tournament.Total {
	t := tournament.Total{Matches: l.plan}
	if l.allPlayed() {
		return t
	}
	for _, w := range l.walkovers() {
		t.Matches -= w.Played()
	}
	t.Matches -= l.skipped
	for _, m := range l.pending {
		if l.SetAside().Of(m.Pairing) != nil {
			t.Matches++ // it was played
		}
	}
	if t.Matches > l.done {
		t.Bound = tournament.About // other bots may be set aside
	}
	return t
}

// walkovers counts the walkovers of all pairs with a bot that is set aside, from the side of the bot with the
// alphabetically first name. It includes matches that were played and have become walkovers.
func (l *league) walkovers() map[[2]string]tournament.Tally {
	all := map[[2]string]tournament.Tally{}
	aside := l.SetAside()
	for bot, name := range l.names {
		if _, gone := aside[name]; !gone {
			continue
		}
		for round := range l.rounds {
			for table := range l.cycle.tablesOf(round, bot) {
				a, b := l.cycle.bots(round, table)
				key := pairOf(l.names[a], l.names[b])
				all[key] = l.walkoversOf(round*l.tables+table, key)
			}
		}
	}
	return all
}

// walkoversOf counts the walkovers at a place of the cycle.
func (l *league) walkoversOf(place int, key [2]string) (t tournament.Tally) {
	var after [2]int // for each bot, the number of matches after its last one
	for i, name := range key {
		if last, gone := l.SetAside()[name]; gone {
			after[i] = l.after(place, last)
		}
	}
	t.Drawn = min(after[0], after[1])
	t.Lost, t.Won = after[0]-t.Drawn, after[1]-t.Drawn
	return t
}

// after returns the number of matches at a place of the cycle with numbers above the given one.
func (l *league) after(place, number int) int {
	turns := l.plan / l.perCycle()
	before := (number - place + l.perCycle() - 1) / l.perCycle()
	return turns - min(max(0, before), turns)
}

// Encounters returns the results of every two bots, with the walkovers.
func (l *league) Encounters() []tournament.Encounter {
	var unsettled []tournament.MatchResult
	for _, m := range l.pending {
		if l.SetAside().Of(m.Pairing) == nil {
			unsettled = append(unsettled, m)
		}
	}
	all := l.encounters(unsettled)
	if len(l.SetAside()) > 0 {
		all = maps.Clone(all)
		for key, t := range l.walkovers() {
			e := tournament.Encounter{First: key[0], Second: key[1]}
			if met := all[key]; met != nil {
				e = *met
			}
			e.Tally = e.Tally.Plus(t)
			all[key] = &e
		}
	}
	return l.counting(all)
}

// Standings ranks the bots by the league's figure, then by margin. It counts the matches that count
// in the crosstable.
func (l *league) Standings() tournament.Standings {
	all := accounts(func(yield func(*tournament.Encounter) bool) {
		for _, e := range l.Encounters() {
			if !yield(&e) {
				return
			}
		}
	})
	return l.leagueStandings(l.format, l.column, all, l.figure)
}
