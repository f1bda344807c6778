package format

import (
	"cmp"
	"fmt"
	"math"

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
		endless: true,
		fields:  []string{fieldAhead},
		check:   checkAhead,
		create: func(e tournament.Event) tournament.Format {
			return ladder{Names: namesOf(e), Memberships: e.Memberships, Matches: e.Matches, Ahead: aheadOf(e.Settings.Plan)}
		},
	}
}

// defaultAhead keeps sixteen games busy, and wastes few matches after a test's
// decision.
const defaultAhead = 8

func aheadOf(p tournament.Plan) int { return cmp.Or(p.Ahead, defaultAhead) }

func checkAhead(p tournament.Plan, _ int) error {
	if p.Ahead < 0 {
		return fmt.Errorf("%d matches ahead: want at least 1", p.Ahead)
	}
	return nil
}

type ladder struct {
	Names       []string
	Memberships []tournament.Membership
	Matches     int // the least that each bot plays, 0 for no end
	// Ahead is how many matches may be played at once: a match is paired by the
	// results of all matches except the Ahead ones before it.
	Ahead int
}

// Next lists the undecided matches that are paired.
func (f ladder) Next(done []tournament.MatchResult) []tournament.Pairing {
	s := f.replay(done)
	return s.done.undecided(s.pairings)
}

// Total is 0 if there is no end.
func (f ladder) Total(done []tournament.MatchResult) tournament.Total {
	if f.Matches == 0 {
		return tournament.Total{Bound: tournament.About, Joinable: true}
	}
	s := f.replay(done)
	missing := 0 // summed over the bots
	for i, name := range f.Names {
		if tournament.TakesPart(f.Memberships, name, len(s.pairings)+1) {
			missing += max(0, f.Matches-s.bots[i].matches)
		}
	}
	if missing == 0 {
		return tournament.Total{Matches: len(s.pairings), Joinable: true}
	}
	return tournament.Total{Matches: len(s.pairings) + (missing+1)/2, Bound: tournament.About, Joinable: true}
}

// Standings ranks by the ratings that the ladder pairs by. They are quick estimates
// relative to the average bot's 0; the deviation is their standard error.
func (f ladder) Standings(done []tournament.MatchResult) tournament.Standings {
	replayed := f.replay(done)
	s := tournament.Standings{Format: Ladder, Columns: []string{"rating", "deviation", "points"}}
	for i, a := range accounts(f.Names, done) {
		e := replayed.bots[i].estimate
		values := []float64{e.rating, e.deviation, a.points}
		s.Places = append(s.Places, tournament.Place{Name: f.Names[i], Played: a.played, Values: values})
	}
	s.Places = rank(s.Places, 1)
	return s
}

// ladderState is a ladder as far as it is paired. A bot is known by its index among
// the names, a match by its number minus one.
type ladderState struct {
	event    ladder
	done     numbered
	bots     []ladderBot
	met      map[[2]int]*encounters
	pairings []tournament.Pairing
	updates  []update // of the ratings, by match
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

// replay pairs one match after the other, each by the results up to Ahead matches
// before it. It stops at a match without such results, or without bots to play it.
func (f ladder) replay(done []tournament.MatchResult) *ladderState {
	s := &ladderState{event: f, done: byNumber(done), met: map[[2]int]*encounters{}}
	for range f.Names {
		s.bots = append(s.bots, ladderBot{estimate: unrated()})
	}
	for match := 1; ; match++ {
		if match > f.Ahead {
			m := s.done[match-f.Ahead]
			if m == nil {
				return s
			}
			s.updates[match-f.Ahead-1].apply(s.bots, m)
		}
		a, b, ok := s.choose(match)
		if !ok {
			return s
		}
		s.pair(match, a, b)
	}
}

// choose returns the bots for a match: of the bots with matches left to play, the
// one with the greatest deviation, and the opponent that reduces it the most. ok is
// false if no bot has matches left, or no opponent.
func (s *ladderState) choose(match int) (a, b int, ok bool) {
	f := s.event
	a, b = -1, -1
	for i := range s.bots {
		wants := f.Matches == 0 || s.bots[i].matches < f.Matches
		if wants && tournament.TakesPart(f.Memberships, f.Names[i], match) && (a < 0 || s.bots[i].estimate.deviation > s.bots[a].estimate.deviation) {
			a = i
		}
	}
	if a < 0 {
		return a, b, false
	}
	most := 0.0
	for i := range s.bots {
		if i == a || !tournament.TakesPart(f.Memberships, f.Names[i], match) {
			continue
		}
		if worth := s.worth(a, i); b < 0 || worth > most {
			b, most = i, worth
		}
	}
	return a, b, b >= 0
}

// worth returns how informative a match with b is about a: the share of a's variance
// that it removes, divided by one more than the number of matches that the two have
// had, so that bots meet different opponents.
func (s *ladderState) worth(a, b int) float64 {
	had := 0
	if e := s.met[[2]int{min(a, b), max(a, b)}]; e != nil {
		had = e.matches
	}
	x, y := s.bots[a].estimate, s.bots[b].estimate
	left := x.after(y) / x.deviation
	return (1 - left*left) / float64(1+had)
}

// pair gives a match to two bots. First is the bot that was Second in their last
// match. In their first match it is the bot that was First less often.
func (s *ladderState) pair(match, a, b int) {
	key := [2]int{min(a, b), max(a, b)}
	e := s.met[key]
	if e == nil {
		e = &encounters{}
		s.met[key] = e
	}
	e.matches++
	switch {
	case e.matches%2 == 0:
		a, b = key[0]+key[1]-e.first, e.first
	case s.bots[a].balance > s.bots[b].balance:
		a, b = b, a
	}
	e.first = a
	s.updates = append(s.updates, expect(s.bots, a, b))
	s.bots[a].matches++
	s.bots[b].matches++
	s.bots[a].balance++
	s.bots[b].balance--
	names := s.event.Names
	s.pairings = append(s.pairings, tournament.Pairing{Match: match, Round: match, Nth: e.matches, First: names[a], Second: names[b]})
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
	return update{
		bots:     [2]int{first, second},
		expected: [2]float64{x.expected(y), y.expected(x)},
		gain:     [2]float64{gain(a.deviation, y), gain(b.deviation, x)},
	}
}

// apply changes the ratings by a match.
func (u update) apply(bots []ladderBot, m *tournament.MatchResult) {
	points := m.Points(m.First)
	for i, made := range []float64{points, 1 - points} {
		bots[u.bots[i]].estimate.rating += u.gain[i] * (made - u.expected[i])
	}
}
