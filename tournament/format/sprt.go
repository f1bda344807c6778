package format

import (
	"cmp"
	"fmt"
	"slices"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// sprtKind describes the format for two bots that play until a sequential test is decided. The test takes the matches
// in the order of their numbers, even if they end in another order. It is decided by the first match, or the first pair
// of matches on one opening, that takes it past a bound. The few matches that may have started by then are still
// played, but the test does not count them. It also does not count a trial of matches that repeat earlier ones move by
// move: see [tournament.Repeats]. After mostRepeats of these in a row the test ends undecided.
func sprtKind() kind {
	return kind{
		name:    tournament.SPRT,
		most:    tournament.MaxMatches,
		endless: true,
		check: func(p tournament.Plan, bots int) error {
			if err := checkAhead(p, bots); err != nil {
				return err
			}
			if bots != 2 {
				return fmt.Errorf("an sprt of %d bots: want two", bots)
			}
			return testOf(p).Validate()
		},
		create: func(e tournament.Event) tournament.Format { return newSPRT(e) },
	}
}

// testOf returns the plan's test, with defaults for missing values.
func testOf(p tournament.Plan) rating.SPRT {
	t := p.SPRT
	t.Alpha, t.Beta, t.Model = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Model, rating.Normalized)
	return t
}

// sprt is the state of a test after the settled matches. The test takes them in order. The hypotheses are
// about the first bot.
type sprt struct {
	listing
	test    rating.SPRT
	matches int // the greatest number of matches without a decision, 0 for no limit
	ahead   int // matches that may start before the test takes the first of them
	trial   int // matches of a trial: two with the same opening, or one
	settled int // the number of the last settled match
	sample  sample
	seen    tournament.Repeats
	skipped int // walkovers settled in a row
}

// mostRepeats limits the trials in a row that repeat earlier ones. Bots that always answer a
// position alike would otherwise go on forever.
const mostRepeats = 1000

func newSPRT(e tournament.Event) *sprt {
	f := &sprt{test: testOf(e.Settings.Plan), matches: e.Matches, ahead: aheadOf(e.Settings.Plan), trial: 1}
	f.listing = listing{newField(e), f.lists, f.advance}
	if len(e.Settings.Openings.Starts) > 0 {
		f.trial = 2
	}
	f.sample = sample{paired: f.trial == 2, state: rating.Running}
	return f
}

func (f *sprt) Add(m tournament.MatchResult) {
	f.add(m, m.Match <= f.settled)
	f.advance()
}

func (f *sprt) advance() {
	for f.settleNext() {
	}
}

// settleNext settles the next match if it is decided. After the last match of a trial the test takes the trial, unless
// the test has ended.
func (f *sprt) settleNext() bool {
	if f.settled == f.listed() || f.skipped > maxWalkovers {
		return false
	}
	m := f.result(f.match(f.settled + 1))
	if m == nil {
		return false
	}
	f.skipped++
	if _, played := f.pending[m.Match]; played {
		f.skipped = 0
	}
	f.settle(m)
	f.settled++
	if f.ended() {
		return true
	}
	f.sample.halves += int(2 * m.Points(f.names[0]))
	f.sample.fresh = !f.seen.Add(*m) || f.sample.fresh
	f.sample.void = f.sample.void || m.By == tournament.ByWalkover
	if f.settled%f.trial == 0 && f.sample.take() {
		f.sample.state = f.test.State(f.sample.counts())
	}
	return true
}

// ended reports whether the test takes no more trials: it is decided, the bots only repeat
// themselves, or one of them is set aside. Walkovers tell nothing about a bot's play.
func (f *sprt) ended() bool {
	return f.sample.state != rating.Running || f.sample.row >= mostRepeats || f.sample.unplayed > 0
}

func (f *sprt) match(k int) tournament.Pairing { return meeting(k, k, k, f.names[0], f.names[1]) }

// listed returns the number of the last match that may start. The end of the test does not change it.
func (f *sprt) listed() int {
	trials := f.sample.trials + f.sample.repeated + f.sample.unplayed + max(1, f.ahead/f.trial)
	if f.ended() {
		trials--
	}
	last := trials * f.trial
	if f.matches > 0 {
		last = min(last, f.matches)
	}
	return last
}

func (f *sprt) lists(yield func(list) bool) {
	yield(func(yield func(tournament.Pairing, *tournament.MatchResult) bool) {
		for k := f.settled + 1; k <= f.listed(); k++ {
			if p := f.match(k); !yield(p, f.result(p)) {
				return
			}
		}
	})
}

// Total returns the number of matches of a test that has ended. Before the end it returns the limit.
func (f *sprt) Total() tournament.Total {
	t := tournament.Total{Matches: f.matches, Bound: tournament.AtMost}
	if f.ended() {
		t = tournament.Total{Matches: f.listed()}
	}
	return f.total(t)
}

// Standings ranks the bots by points, then by margin, and adds the state of the test.
func (f *sprt) Standings() tournament.Standings {
	s := f.leagueStandings(tournament.SPRT, "points", f.accounts(), byPoints)
	s.Test = f.sample.report(f.names[0], f.test)
	return s
}

// sample holds the trials that the test has taken.
type sample struct {
	trials int // trials that count
	single rating.Trinomial
	pairs  rating.Pentanomial // used in place of single if a trial is a pair of matches
	paired bool
	state  rating.State

	halves        int  // half points of the first bot in the incomplete trial
	fresh         bool // a match of the incomplete trial is not a repeat
	void          bool // a match of the incomplete trial is a walkover
	repeated, row int  // trials that do not count because they repeat others, in all and since the last trial that counts
	unplayed      int  // trials with a walkover, which do not count either
}

// take adds the complete trial and reports whether it counts.
func (s *sample) take() (counts bool) {
	halves, fresh, void := s.halves, s.fresh, s.void
	s.halves, s.fresh, s.void = 0, false, false
	switch {
	case void:
		s.unplayed++
		return false
	case !fresh:
		s.repeated++
		s.row++
		return false
	case s.paired:
		s.pairs[halves]++
	default:
		*[]*int64{&s.single.Loss, &s.single.Draw, &s.single.Win}[halves]++
	}
	s.trials++
	s.row = 0
	return true
}

func (s *sample) counts() rating.Counts {
	if s.paired {
		return s.pairs
	}
	return s.single
}

func (s *sample) report(first string, test rating.SPRT) *tournament.TestState {
	t := &tournament.TestState{First: first, Test: test, Trials: s.trials, Repeated: s.repeated, LLR: test.LLR(s.counts()), Outcome: string(s.state)}
	t.Lower, t.Upper = test.Bounds()
	t.Counts = []int64{s.single.Loss, s.single.Draw, s.single.Win}
	if s.paired {
		t.Counts = slices.Clone(s.pairs[:])
	}
	return t
}
