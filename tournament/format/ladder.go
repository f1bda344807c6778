package format

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"versus2048/tournament"
)

// Ladder is the name of the format without an end, which bots join and leave while
// it is played. Each match goes to the bot with the least certain rating, and to the
// opponent whose match with it is the most informative: see
// docs/adr/0012-formats.md.
const Ladder = "ladder"

func ladderKind() kind {
	return kind{
		name:    Ladder,
		adapts:  true,
		most:    tournament.MaxMatches,
		endless: true,
		fields:  []string{fieldAhead, fieldOpen},
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
	if missing > 0 {
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
	if f.skipped > maxWalkovers*f.ahead {
		return false // nobody is left to play
	}
	f.settle(m)
	f.settled++
	r.points = m.Points(m.First)
	return true
}

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
	a, b, ok := f.choose(match)
	if ok {
		f.pair(match, a, b)
	}
	return ok
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

// estimate is a bot's Glicko rating: Glickman, Parameter estimation in large dynamic
// paired comparison experiments, 1999, with a match as the rating period and without
// the growth of the deviation in between. It is quick to compute, so that a ladder
// can be paired again from its first match. Reports use joint estimates, which are
// better.
type estimate struct {
	rating    float64 // in Elo, 0 for an unknown bot
	deviation float64 // its standard error
}

func unrated() estimate { return estimate{0, 350} }

// glickoScale is Glicko's q: units of the natural logarithm per point of Elo.
const glickoScale = math.Ln10 / 400

// attenuation is Glicko's g, 0 to 1: it reduces the weight of a result against an
// opponent with an uncertain rating.
func (e estimate) attenuation() float64 {
	return 1 / math.Sqrt(1+3*math.Pow(glickoScale*e.deviation/math.Pi, 2))
}

// expected returns the points that e is expected to make in a match.
func (e estimate) expected(opponent estimate) float64 {
	return 1 / (1 + math.Exp(-glickoScale*opponent.attenuation()*(e.rating-opponent.rating)))
}

// after returns the deviation after a match, which does not depend on the match's
// result.
func (e estimate) after(opponent estimate) float64 {
	p := e.expected(opponent)
	g := glickoScale * opponent.attenuation()
	return 1 / math.Sqrt(1/(e.deviation*e.deviation)+g*g*p*(1-p))
}

// update holds the changes that a match makes once it is decided.
type update struct {
	bots     [2]int     // first and second
	expected [2]float64 // points
	learned  [2]float64 // by how much the match reduces 1/deviation^2
	gain     [2]float64 // of rating, for each point beyond the expected ones
}

// expect reduces the deviations of both bots as their match will, so that other bots
// come first until it is decided. It returns what the match will change.
func expect(bots []ladderBot, first, second int) update {
	a, b := &bots[first].estimate, &bots[second].estimate
	x, y := *a, *b
	a.deviation, b.deviation = x.after(y), y.after(x)
	gain := func(deviation float64, opponent estimate) float64 {
		return glickoScale * deviation * deviation * opponent.attenuation()
	}
	learned := func(before, after estimate) float64 {
		return 1/(after.deviation*after.deviation) - 1/(before.deviation*before.deviation)
	}
	return update{
		bots:     [2]int{first, second},
		learned:  [2]float64{learned(x, *a), learned(y, *b)},
		expected: [2]float64{x.expected(y), y.expected(x)},
		gain:     [2]float64{gain(a.deviation, y), gain(b.deviation, x)},
	}
}

// apply changes the ratings by the match, or undoes what was expected of it.
func (r *rung) apply(bots []ladderBot) {
	if r.void {
		r.update.cancel(bots)
		return
	}
	r.update.apply(bots, r.points)
}

// cancel makes the deviations as they would be without the match.
func (u update) cancel(bots []ladderBot) {
	for i, learned := range u.learned {
		b := &bots[u.bots[i]]
		b.estimate.deviation = 1 / math.Sqrt(1/(b.estimate.deviation*b.estimate.deviation)-learned)
		b.matches--
	}
}

// apply changes the ratings by a match in which the first bot made these points.
func (u update) apply(bots []ladderBot, points float64) {
	for i, made := range []float64{points, 1 - points} {
		bots[u.bots[i]].estimate.rating += u.gain[i] * (made - u.expected[i])
	}
}
