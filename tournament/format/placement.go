package format

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// placementKind describes the format that places a newcomer, the first entry, among bots with known ratings.
// The newcomer meets one of them after the other. The next opponent is the one that is expected to make the
// newcomer's rating the most certain (see [rating.Placement]). A match that repeats an earlier one move by move
// counts only in the points: see [tournament.Repeats]. An opponent with mostAlike repeats in a row plays no more
// matches. The event is over when the interval of the rating is narrow enough, after its number of matches, when no
// opponent is left, or when the newcomer is set aside.
func placementKind() kind {
	return kind{
		name:    tournament.Placement,
		adapts:  true,
		matches: 200,
		most:    tournament.MaxMatches,
		endless: true,
		check:   checkPlacement,
		create:  func(e tournament.Event) tournament.Format { return newPlacement(e) },
	}
}

// The bounds of a plan's known ratings limit the memory and the time of a placement.
const (
	mostPlacing  = 100    // opponents
	mostElo      = 20_000 // distance from 0
	mostDoubtful = 2000   // standard error of a rating
)

// mostAlike is the number of repeats in a row that ends an opponent's matches. Two bots that always
// answer alike play each opening in two equal matches, so a single repeat proves nothing. Bots that
// vary a little on a small board repeat themselves by chance.
const mostAlike = 6

// defaultWithin is half the width of the interval, in Elo, that ends a placement, unless the event
// sets another one.
const defaultWithin = 50

// placementAhead allows two matches at once. With fewer matches ahead the choice of opponents is better.
const placementAhead = 2

func checkPlacement(p tournament.Plan, bots int) error {
	switch {
	case bots-1 > mostPlacing:
		return fmt.Errorf("a placement against %d bots: want at most %d", bots-1, mostPlacing)
	case p.Known != nil && len(p.Known) != bots-1:
		return fmt.Errorf("ratings of %d bots for a placement against %d: want one for each", len(p.Known), bots-1)
	case p.Within != 0 && !(p.Within >= 1 && p.Within <= mostElo):
		return fmt.Errorf("a placement within %v Elo: want 1 to %d", p.Within, mostElo)
	}
	for i, k := range p.Known {
		if !(k.Elo >= -mostElo && k.Elo <= mostElo && k.Deviation >= 0 && k.Deviation <= mostDoubtful) {
			return fmt.Errorf("rating %d is %v with a deviation of %v: want -%d to %d with 0 to %d", i+1, k.Elo, k.Deviation, mostElo, mostElo, mostDoubtful)
		}
	}
	return checkAhead(p, bots)
}

// placement is a placement up to its last paired match.
type placement struct {
	listing
	opponents []rating.Known
	matches   int // the greatest number of matches, 0 for no limit
	within    float64
	ahead     int
	// known has the results of the matches up to applied. planned adds the expected results of the
	// other matches, up to paired.
	known, planned *rating.Placement
	// The matches up to paired have opponents. The results of the matches up to settled are final.
	paired, settled, applied int
	steps                    []step             // after applied
	met                      map[int]int        // matches against each opponent
	gone                     map[int]bool       // opponents that play no more matches
	made                     []points           // against each opponent, in settled matches that count
	seen                     tournament.Repeats // of the settled matches
	alike                    []int              // repeats in a row against each opponent
	ended                    bool               // no more matches are paired
}

// step is a paired match.
type step struct {
	pairing  tournament.Pairing
	opponent int
	expected float64                 // the newcomer's expected points
	result   *tournament.MatchResult // nil until it is settled
	repeats  bool                    // it repeats an earlier match; set once it is settled
}

// points are won and lost points, in matches: a drawn match counts half for each.
type points struct{ won, lost float64 }

func newPlacement(e tournament.Event) *placement {
	p := e.Settings.Plan
	f := &placement{
		opponents: p.Known, matches: e.Matches, within: cmp.Or(p.Within, defaultWithin),
		ahead: min(cmp.Or(p.Ahead, placementAhead), tournament.MaxAhead), met: map[int]int{}, gone: map[int]bool{},
	}
	f.listing = listing{newField(e), f.lists, f.advance}
	if f.opponents == nil {
		f.opponents = make([]rating.Known, len(f.names)-1)
	}
	f.made, f.alike = make([]points, len(f.opponents)), make([]int, len(f.opponents))
	f.known, f.planned = rating.NewPlacement(f.opponents), rating.NewPlacement(f.opponents)
	f.advance()
	return f
}

func (f *placement) Add(m tournament.MatchResult) {
	f.add(m, m.Match <= f.settled)
	f.advance()
}

// advance settles decided matches in order, and pairs one match after the other.
func (f *placement) advance() {
	for f.settleNext() || f.pairNext() {
	}
}

// settleNext settles the first match that is not settled, if it is decided.
func (f *placement) settleNext() bool {
	if f.settled == f.paired {
		return false
	}
	s := &f.steps[f.settled-f.applied]
	m := f.result(s.pairing)
	if m == nil {
		return false
	}
	f.settle(m)
	f.settled++
	s.result, s.repeats = m, f.seen.Add(*m)
	if !s.repeats {
		f.count(f.made, m)
	}
	return true
}

// opponentOf returns the newcomer's opponent in a match, or -1 if it is not a bot of the event. In
// a recorded match the opponent may differ from the present pairing: earlier versions counted
// repeats, and chose opponents by them.
func (f *placement) opponentOf(p tournament.Pairing) int {
	name := p.First
	if name == f.names[0] {
		name = p.Second
	}
	return slices.Index(f.names[1:], name)
}

// count counts a match that was played and is not a repeat.
func (f *placement) count(made []points, m *tournament.MatchResult) {
	if opponent := f.opponentOf(m.Pairing); opponent >= 0 && m.By != tournament.ByWalkover {
		won := m.Points(f.names[0])
		made[opponent].won += won
		made[opponent].lost += 1 - won
	}
}

// pairNext pairs the next match, say number n, by the results of the matches up to number n-ahead. It returns false if
// one of these results is missing, or if there are no more matches to play.
func (f *placement) pairNext() bool {
	if f.ended || f.matches > 0 && f.paired == f.matches {
		return false
	}
	if f.applied <= f.paired-f.ahead {
		if f.settled == f.applied {
			return false
		}
		f.apply(f.steps[0])
		f.steps = f.steps[1:]
		f.applied++
	}
	opponent := f.planned.Best(func(i int) bool { return !f.gone[i] })
	if f.ended = f.ended || opponent < 0 || f.known.Elo().HalfWidth() <= f.within; f.ended {
		return false
	}
	f.pair(opponent)
	return true
}

// apply adds the result of a match to the ratings, unless the match is a walkover or repeats an earlier
// one. The opponent in a walkover plays no more matches. If the newcomer was set aside, no more matches
// are paired.
func (f *placement) apply(s step) {
	f.planned.Add(s.opponent, -s.expected, s.expected-1)
	if s.result.By == tournament.ByWalkover {
		out := slices.Contains(f.SetAside().Of(s.pairing), f.names[0])
		f.gone[s.opponent], f.ended = true, f.ended || out
		return
	}
	opponent := f.opponentOf(s.result.Pairing)
	if opponent < 0 {
		return
	}
	if s.repeats {
		f.alike[opponent]++
		f.gone[opponent] = f.gone[opponent] || f.alike[opponent] >= mostAlike
		return
	}
	f.alike[opponent] = 0
	won := s.result.Points(f.names[0])
	f.known.Add(opponent, won, 1-won)
	f.planned.Add(opponent, won, 1-won)
}

func (f *placement) pair(opponent int) {
	f.paired++
	f.met[opponent]++
	expected := f.planned.Expected(opponent)
	f.planned.Add(opponent, expected, 1-expected)
	f.steps = append(f.steps, step{meeting(f.paired, f.paired, f.met[opponent], f.names[0], f.names[opponent+1]), opponent, expected, nil, false})
}

func (f *placement) lists(yield func(list) bool) {
	for _, s := range f.steps[f.settled-f.applied:] {
		p := s.pairing
		if !yield(func(yield func(tournament.Pairing, *tournament.MatchResult) bool) { yield(p, f.result(p)) }) {
			return
		}
	}
}

// Total returns the number of matches of a placement that is over. Before that it returns the limit.
func (f *placement) Total() tournament.Total {
	t := tournament.Total{Matches: f.matches, Bound: tournament.AtMost}
	if f.ended || f.matches > 0 && f.paired == f.matches {
		t = tournament.Total{Matches: f.paired}
	}
	return f.total(t)
}

// Standings ranks all bots by rating: the newcomer by its matches so far, the others by the plan.
// The deviation is the rating's standard error.
func (f *placement) Standings() tournament.Standings {
	s := tournament.Standings{Format: tournament.Placement, Columns: []string{"rating", "deviation", "points"}, Newcomer: f.names[0]}
	unsettled, _ := f.unsettled()
	newcomer := f.estimate(unsettled)
	// Bots with equal ratings have the same place, in spite of rounding errors; + 0 makes -0 a 0.
	first := rating.Known{Elo: math.Round(1e6*newcomer.Elo().Value)/1e6 + 0, Deviation: newcomer.Deviation()}
	known := append([]rating.Known{first}, f.opponents...)
	s.Places = f.places(f.accounts(), 1, func(bot int, a account) []float64 {
		return []float64{known[bot].Elo, known[bot].Deviation, a.points}
	})
	return s
}

func (f *placement) estimate(unsettled []tournament.MatchResult) *rating.Placement {
	made := append([]points{}, f.made...)
	var among tournament.Repeats // equal matches have equal results, so their order does not matter
	for i := range unsettled {
		if m := &unsettled[i]; !f.seen.Seen(*m) && !among.Add(*m) {
			f.count(made, m)
		}
	}
	estimate := rating.NewPlacement(f.opponents)
	for opponent, p := range made {
		if p != (points{}) {
			estimate.Add(opponent, p.won, p.lost)
		}
	}
	return estimate
}
