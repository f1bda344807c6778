package format

import (
	"cmp"
	"fmt"
	"slices"

	"versus2048/tournament"
)

// ladderKind describes the format that bots can join and leave while it is played, with or without an end. Each match
// goes to the bot with the least certain rating, and to the opponent for the most informative match: see
// docs/adr/0012-formats.md.
func ladderKind() kind {
	return kind{
		name:    tournament.Ladder,
		adapts:  true,
		most:    tournament.MaxMatches,
		endless: true,
		check:   checkAhead,
		create:  func(e tournament.Event) tournament.Format { return newLadder(e) },
	}
}

// defaultAhead allows sixteen games at once. A greater number would waste more matches after the end of an sprt.
const defaultAhead = 8

// aheadOf returns the plan's number, at most the number that this version plays: a recorded event may ask for more.
func aheadOf(p tournament.Plan) int {
	return min(cmp.Or(p.Ahead, defaultAhead), tournament.MaxAhead)
}

func checkAhead(p tournament.Plan, _ int) error {
	if p.Ahead < 0 {
		return fmt.Errorf("%d matches ahead: want at least 1", p.Ahead)
	}
	return nil
}

// ladder is a ladder up to its last paired match. A bot is known by its index among the names.
type ladder struct {
	listing
	memberships []tournament.Membership
	open        bool // a leaving bot leaves at once
	live        bool // all recorded matches have been added: the undecided ones are still to be played
	highest     int  // the highest number of a decided match
	matches     int  // the least number of matches of each bot, 0 for no end
	// ahead is the number of matches that may be played at once: match n is paired by the results of
	// the matches up to n-ahead.
	ahead int
	bots  []ladderBot
	met   map[[2]int]*encounters
	// The matches up to paired have bots. The results of the matches up to settled are final. The
	// ratings include the matches up to applied; the rungs are the paired matches after these.
	paired, settled, applied int
	rungs                    []rung
	skipped                  int // walkovers settled in a row
}

type ladderBot struct {
	estimate estimate
	matches  int // matches that it was given
	balance  int // the number of matches as First minus the number of matches as Second
}

// encounters are the matches of two bots so far.
type encounters struct {
	matches int
	first   int // the bot that was first in the last match
}

// rung is a paired match with the changes that its result will make.
type rung struct {
	pairing tournament.Pairing
	update  update
	points  float64 // First's points, once the match is settled
	void    bool    // settled without a result: see ladder.Void
}

func newLadder(e tournament.Event) *ladder {
	f := &ladder{matches: e.Matches, ahead: aheadOf(e.Settings.Plan), met: map[[2]int]*encounters{}}
	f.listing = listing{newField(e), f.lists, f.advance}
	f.open = e.Settings.Plan.Open != tournament.Closed
	f.setLineup(e)
	return f
}

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

func (f *ladder) Listed() int { return f.paired }

func (f *ladder) Due(name string) bool {
	return slices.ContainsFunc(f.rungs[f.settled-f.applied:], func(r rung) bool {
		return (r.pairing.First == name || r.pairing.Second == name) && f.result(r.pairing) == nil && !f.Void(r.pairing)
	})
}

// Void reports whether a match is not played because one of its bots has left. That happens only in an open ladder.
// While recorded matches are being added one by one, match n is not void as long as its result may still follow. The
// result cannot follow any more once match n+ahead or a later one has been added, since that match was paired after
// match n was settled.
func (f *ladder) Void(p tournament.Pairing) bool {
	_, told := f.pending[p.Match]
	if !f.open || told || !f.live && f.highest < p.Match+f.ahead {
		return false
	}
	return tournament.Left(f.memberships, p.First, p.Match) || tournament.Left(f.memberships, p.Second, p.Match)
}

func (f *ladder) Add(m tournament.MatchResult) {
	f.highest = max(f.highest, m.Match)
	f.add(m, m.Match <= f.settled)
	f.advance()
}

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

// Total is 0 if there is no end.
func (f *ladder) Total() tournament.Total {
	if f.matches == 0 {
		return tournament.Total{Bound: tournament.About, Joinable: true}
	}
	t := tournament.Total{Matches: f.paired, Joinable: true}
	missing := 0 // the sum over the bots
	for i, name := range f.names {
		if tournament.TakesPart(f.memberships, name, f.paired+1) {
			missing += max(0, f.matches-f.bots[i].matches)
		}
	}
	if missing > 0 && !f.stuck() {
		t.Matches, t.Bound = f.paired+(missing+1)/2, tournament.About
	}
	return f.total(t)
}

// Standings ranks the bots by ratings as the ladder uses them for pairing, but with all settled matches. The ratings are
// quick estimates in Elo, relative to 0 for an unknown bot. The deviation is their standard error.
func (f *ladder) Standings() tournament.Standings {
	s := tournament.Standings{Format: tournament.Ladder, Columns: []string{"rating", "deviation", "points"}}
	bots := slices.Clone(f.bots)
	for _, r := range f.rungs[:f.settled-f.applied] {
		r.apply(bots)
	}
	s.Places = f.places(f.accounts(), 1, func(bot int, a account) []float64 {
		return []float64{bots[bot].estimate.rating, bots[bot].estimate.deviation, a.points}
	})
	return s
}

// advance settles decided matches in order, and pairs one match after the other.
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
		delete(f.inPlay, r.pairing.Match)
		f.settled++
		r.void = true
		return true
	}
	if m == nil {
		return false
	}
	f.skipped++
	if _, played := f.pending[m.Match]; played {
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

// stuck reports whether too many walkovers in a row were settled: no bot is left to play.
func (f *ladder) stuck() bool { return f.skipped > maxWalkovers*f.ahead }

// pairNext pairs the next match, say number n, by the results of the matches up to number n-ahead. It returns false if
// one of these results is missing, or if there are no bots to play the match.
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

// withoutOpponents reports whether a ladder without an end has no match to play from this match on, until a bot joins.
// Then at most one bot is not set aside, and this bot would win walkovers forever. The answer depends only on the
// matches that decide this match's pairing, so that it does not matter when the other matches end. A bot that joins
// later counts as an opponent: the matches before its first one were paired before it joined, perhaps as walkovers.
func (f *ladder) withoutOpponents(match int) bool {
	aside := f.SetAside()
	if f.matches > 0 || len(aside) == 0 {
		return false
	}
	left := 0
	for _, name := range f.names {
		if last, ok := aside[name]; ok && last <= f.applied {
			continue
		}
		if tournament.TakesPart(f.memberships, name, match) || joinsAfter(f.memberships, name, match) {
			left++
		}
	}
	return left < 2
}

// joinsAfter reports whether the named bot takes part from a later match on.
func joinsAfter(all []tournament.Membership, name string, match int) bool {
	return slices.ContainsFunc(all, func(m tournament.Membership) bool { return m.Name == name && m.From > match })
}

// choose returns the bots for a match. The first is the bot with the greatest deviation among the
// bots with matches left to play. The second is the opponent with the greatest worth for the first.
// ok is false if no bot has matches left, or if there is no opponent.
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

// worth returns the worth of a match with b for the rating of a. It is the part of a's variance that
// the match removes, divided by one more than the number of earlier matches of the two, so that bots
// meet different opponents.
func (f *ladder) worth(a, b int) float64 {
	had := 0
	if e := f.met[[2]int{min(a, b), max(a, b)}]; e != nil {
		had = e.matches
	}
	x, y := f.bots[a].estimate, f.bots[b].estimate
	left := x.after(y) / x.deviation
	return (1 - left*left) / float64(1+had)
}

// pair gives a match to two bots. In their second, fourth, ... match First is the bot that was Second in
// the match before. In the others it is the bot with the smaller balance.
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
