package format

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"versus2048/tournament"
)

// Ladder is the name of the format without an end, which bots join and leave while
// it is played. Each match goes to the bot with the least certain rating, and to the
// opponent whose match with it is the most informative: see
// docs/adr/0012-formats.md.
const Ladder = tournament.Ladder

func ladderKind() kind {
	return kind{
		name:    Ladder,
		adapts:  true,
		most:    tournament.MaxMatches,
		endless: true,
		check:   checkAhead,
		create:  func(e tournament.Event) tournament.Format { return newLadder(e) },
	}
}

// defaultAhead keeps sixteen games busy, and wastes few matches after a test's
// decision.
const defaultAhead = 8

// aheadOf returns the plan's number. A recorded event may ask for more than this version plays.
func aheadOf(p tournament.Plan) int {
	return min(cmp.Or(p.Ahead, defaultAhead), tournament.MaxAhead)
}

func checkAhead(p tournament.Plan, _ int) error {
	if p.Ahead < 0 {
		return fmt.Errorf("%d matches ahead: want at least 1", p.Ahead)
	}
	return nil
}

// ladder is a ladder as far as it is paired. A bot is known by its index among the names.
type ladder struct {
	field
	memberships []tournament.Membership
	open        bool // whoever leaves does so at once
	live        bool // all recorded matches have been told: what is undecided is not played yet
	highest     int  // number of a decided match
	matches     int  // the least that each bot plays, 0 for no end
	// ahead is how many matches may be played at once: a match is paired by the results of
	// all matches except the ahead ones before it.
	ahead int
	bots  []ladderBot
	met   map[[2]int]*encounters
	// The matches up to paired have bots. The results of those up to settled are final, and
	// the ratings have those up to applied, after which the rungs are the paired matches.
	paired, settled, applied int
	rungs                    []rung
	skipped                  int // walkovers settled in a row
}

type ladderBot struct {
	estimate estimate
	matches  int // that it was given
	balance  int // how often first minus how often second
}

// encounters are the matches of two bots so far.
type encounters struct {
	matches int
	first   int // which bot was first in the last one
}

// rung is a paired match with what its result will change.
type rung struct {
	pairing tournament.Pairing
	update  update
	points  float64 // that First made, once the match is settled
	void    bool    // it is settled without being played
}

func newLadder(e tournament.Event) *ladder {
	f := &ladder{field: newField(e), matches: e.Matches, ahead: aheadOf(e.Settings.Plan), met: map[[2]int]*encounters{}}
	f.open = e.Settings.Plan.Open != tournament.Closed
	f.setLineup(e)
	return f
}

// SetLineup takes over the bots that have joined and left.
func (f *ladder) SetLineup(e tournament.Event) {
	f.live = true
	f.setLineup(e)
}

func (f *ladder) setLineup(e tournament.Event) {
	if names := namesOf(e); !slices.Equal(names, f.names) || !slices.Equal(e.Memberships, f.memberships) {
		f.names, f.memberships, f.skipped = names, e.Memberships, 0
	}
	for len(f.bots) < len(f.names) {
		f.bots = append(f.bots, ladderBot{estimate: unrated()})
	}
	f.advance()
}

// Listed returns the number of the last match that is paired.
func (f *ladder) Listed() int { return f.paired }

// Due reports whether the named bot has matches to play.
func (f *ladder) Due(name string) bool {
	return slices.ContainsFunc(f.rungs[f.settled-f.applied:], func(r rung) bool {
		return (r.pairing.First == name || r.pairing.Second == name) && f.result(r.pairing) == nil && !f.Void(r.pairing)
	})
}

// Void reports whether a match is not played because one of its bots has left: only in an open ladder. Of
// the recorded matches that are told one by one it knows that they are not void while they may still be
// told: before those that were paired when they were settled.
func (f *ladder) Void(p tournament.Pairing) bool {
	_, told := f.told[p.Match]
	if !f.open || told || !f.live && f.highest < p.Match+f.ahead {
		return false
	}
	return tournament.Left(f.memberships, p.First, p.Match) || tournament.Left(f.memberships, p.Second, p.Match)
}

// Add counts a match.
func (f *ladder) Add(m tournament.MatchResult) {
	f.highest = max(f.highest, m.Match)
	f.add(m, m.Match <= f.settled)
	f.advance()
}

// lists yields each match that is paired and not settled.
func (f *ladder) lists(yield func(list) bool) {
	for _, r := range f.rungs[f.settled-f.applied:] {
		p := r.pairing
		if f.Void(p) {
			continue
		}
		if !yield(func(yield func(tournament.Pairing, *tournament.MatchResult) bool) { yield(p, f.result(p)) }) {
			return
		}
	}
}

// Next gives out the matches that are paired.
func (f *ladder) Next(free tournament.Free) (tournament.Pairing, bool) {
	return f.firstOf(f.lists, free)
}

// Total is 0 if there is no end.
func (f *ladder) Total() tournament.Total {
	if f.matches == 0 {
		return tournament.Total{Bound: tournament.About, Joinable: true}
	}
	t := tournament.Total{Matches: f.paired, Joinable: true}
	missing := 0 // summed over the bots
	for i, name := range f.names {
		if tournament.TakesPart(f.memberships, name, f.paired+1) {
			missing += max(0, f.matches-f.bots[i].matches)
		}
	}
	if missing > 0 && !f.stuck() {
		t.Matches, t.Bound = f.paired+(missing+1)/2, tournament.About
	}
	return f.total(t, f.lists)
}

// Encounters returns what every two bots have made.
func (f *ladder) Encounters() []tournament.Encounter { return f.countingOf(f.lists) }

// Standings ranks by the ratings that the ladder pairs by. They are quick estimates
// relative to the average bot's 0; the deviation is their standard error.
func (f *ladder) Standings() tournament.Standings {
	s := tournament.Standings{Format: Ladder, Columns: []string{"rating", "deviation", "points"}}
	unsettled, _ := f.unsettled(f.lists)
	made := accounts(maps.Values(f.encounters(unsettled)))
	for i, name := range f.names {
		a, e := made[name], f.bots[i].estimate
		values := []float64{e.rating, e.deviation, a.points}
		s.Places = append(s.Places, tournament.Place{Name: name, Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, 1)
	return s
}

// advance settles matches in order as far as they are decided, and pairs one match after the
// other.
func (f *ladder) advance() {
	for f.settleNext() || f.pairNext() {
	}
}

// settleNext settles the first match that is not settled, if it is decided.
func (f *ladder) settleNext() bool {
	if f.settled == f.paired {
		return false
	}
	r := &f.rungs[f.settled-f.applied]
	m := f.result(r.pairing)
	if m == nil && f.Void(r.pairing) {
		delete(f.out, r.pairing.Match)
		f.settled++
		r.void = true
		return true
	}
	if m == nil {
		return false
	}
	f.skipped++
	if _, played := f.told[m.Match]; played {
		f.skipped = 0
	}
	if f.stuck() {
		return false
	}
	f.settle(m)
	f.settled++
	r.points = m.Points(m.First)
	return true
}

// stuck reports whether walkovers were settled for too long, without a match in between: nobody is left to play.
func (f *ladder) stuck() bool { return f.skipped > maxWalkovers*f.ahead }

// pairNext pairs the next match by the results up to ahead matches before it. It returns
// false if one is missing, or if there are no bots to play the match.
func (f *ladder) pairNext() bool {
	match := f.paired + 1
	if f.applied < match-f.ahead {
		if f.settled == f.applied {
			return false
		}
		f.rungs[0].apply(f.bots)
		f.rungs = f.rungs[1:]
		f.applied++
	}
	if f.withoutOpponents(match) {
		return false
	}
	a, b, ok := f.choose(match)
	if ok {
		f.pair(match, a, b)
	}
	return ok
}

// withoutOpponents reports whether a ladder without an end has no match to play from this one on, until somebody joins:
// all bots but one are set aside, and the last one would win walkovers for ever. Who is set aside is what the matches say
// that this one is paired by, so that the order in which the others end changes nothing. A bot that joins later counts:
// the matches before it may be walkovers that are on record as paired.
func (f *ladder) withoutOpponents(match int) bool {
	if f.matches > 0 || len(f.SetAside()) == 0 {
		return false
	}
	left := 0
	for _, name := range f.names {
		last, aside := f.SetAside()[name]
		if aside && last <= f.applied {
			continue
		}
		if tournament.TakesPart(f.memberships, name, match) || joinsAfter(f.memberships, name, match) {
			left++
		}
	}
	return left < 2
}

// joinsAfter reports whether the named bot takes part from a match after this one on.
func joinsAfter(all []tournament.Membership, name string, match int) bool {
	return slices.ContainsFunc(all, func(m tournament.Membership) bool { return m.Name == name && m.From > match })
}

// choose returns the bots for a match: of the bots with matches left to play, the
// one with the greatest deviation, and the opponent that reduces it the most. ok is
// false if no bot has matches left, or no opponent.
func (f *ladder) choose(match int) (a, b int, ok bool) {
	a, b = -1, -1
	for i := range f.bots {
		wants := f.matches == 0 || f.bots[i].matches < f.matches
		if wants && tournament.TakesPart(f.memberships, f.names[i], match) && (a < 0 || f.bots[i].estimate.deviation > f.bots[a].estimate.deviation) {
			a = i
		}
	}
	if a < 0 {
		return a, b, false
	}
	most := 0.0
	for i := range f.bots {
		if i == a || !tournament.TakesPart(f.memberships, f.names[i], match) {
			continue
		}
		if worth := f.worth(a, i); b < 0 || worth > most {
			b, most = i, worth
		}
	}
	return a, b, b >= 0
}

// worth returns how informative a match with b is about a: the share of a's variance
// that it removes, divided by one more than the number of matches that the two have
// had, so that bots meet different opponents.
func (f *ladder) worth(a, b int) float64 {
	had := 0
	if e := f.met[[2]int{min(a, b), max(a, b)}]; e != nil {
		had = e.matches
	}
	x, y := f.bots[a].estimate, f.bots[b].estimate
	left := x.after(y) / x.deviation
	return (1 - left*left) / float64(1+had)
}

// pair gives a match to two bots. First is the bot that was Second in their last
// match. In their first match it is the bot that was First less often.
func (f *ladder) pair(match, a, b int) {
	key := [2]int{min(a, b), max(a, b)}
	e := f.met[key]
	if e == nil {
		e = &encounters{}
		f.met[key] = e
	}
	e.matches++
	switch {
	case e.matches%2 == 0:
		a, b = key[0]+key[1]-e.first, e.first
	case f.bots[a].balance > f.bots[b].balance:
		a, b = b, a
	}
	e.first = a
	p := tournament.Pairing{Match: match, Round: match, Nth: e.matches, First: f.names[a], Second: f.names[b]}
	f.rungs = append(f.rungs, rung{pairing: p, update: expect(f.bots, a, b)})
	f.paired = match
	f.bots[a].matches++
	f.bots[b].matches++
	f.bots[a].balance++
	f.bots[b].balance--
}
