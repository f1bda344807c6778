package format

import (
	"cmp"
	"fmt"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// SPRT is the name of the format in which two bots play until a sequential test is
// decided. The test takes the matches in the order of their numbers, whatever the
// order in which they end. It is decided by the first match, or the first pair of
// matches on one opening, that takes it past a bound. The few matches that started
// ahead of that one are played, but the test does not count them.
const SPRT = "sprt"

func sprtKind() kind {
	return kind{
		name:    SPRT,
		endless: true,
		fields:  []string{fieldSPRT, fieldAhead},
		check: func(p tournament.Plan, bots int) error {
			if err := checkAhead(p, bots); err != nil {
				return err
			}
			if bots != 2 {
				return fmt.Errorf("an sprt of %d bots: want two", bots)
			}
			return testOf(p).Validate()
		},
		create: func(e tournament.Event) tournament.Format {
			p := e.Settings.Plan
			return newSPRT([2]string(namesOf(e)), testOf(p), e.Matches, aheadOf(p), len(e.Settings.Openings.Starts) > 0)
		},
	}
}

// testOf returns the plan's test, with defaults for what it leaves out.
func testOf(p tournament.Plan) rating.SPRT {
	t := p.SPRT
	t.Alpha, t.Beta, t.Model = cmp.Or(t.Alpha, 0.05), cmp.Or(t.Beta, 0.05), cmp.Or(t.Model, rating.Normalized)
	return t
}

type sprt struct {
	Names   [2]string // the hypotheses are about the first one
	Test    rating.SPRT
	Matches int  // the most that are played without a decision, 0 for no limit
	Ahead   int  // matches that may start before the test takes the first of them
	Pairs   bool // matches 2k-1 and 2k share an opening, so that they are one trial
	// states caches the test's state by counts, since Next tests each prefix of the
	// event again and again.
	states map[rating.Counts]rating.State
}

func newSPRT(names [2]string, test rating.SPRT, matches, ahead int, pairs bool) sprt {
	return sprt{Names: names, Test: test, Matches: matches, Ahead: ahead, Pairs: pairs, states: map[rating.Counts]rating.State{}}
}

// Next lists the undecided matches up to the last one that may start ahead of the
// test.
func (f sprt) Next(done []tournament.MatchResult) []tournament.Pairing {
	all := byNumber(done)
	var left []tournament.Pairing
	for k := 1; k <= f.listed(f.take(all)); k++ {
		if all[k] == nil {
			left = append(left, meeting(k, k, k, f.Names[0], f.Names[1]))
		}
	}
	return left
}

// Total counts the matches of a decided test. Before the decision it is the limit.
func (f sprt) Total(done []tournament.MatchResult) tournament.Total {
	s := f.take(byNumber(done))
	if s.state != rating.Running {
		return tournament.Total{Matches: f.listed(s)}
	}
	return tournament.Total{Matches: f.Matches, Bound: tournament.AtMost}
}

// Standings ranks by points, then by margin, and adds the state of the test.
func (f sprt) Standings(done []tournament.MatchResult) tournament.Standings {
	s := leagueStandings(SPRT, "points", f.Names[:], done, byPoints)
	s.Test = f.take(byNumber(done)).report(f.Names[0], f.Test)
	return s
}

// listed returns the number of the last match that may start. The decision of the
// test does not change it.
func (f sprt) listed(s sample) int {
	trials := s.trials + max(1, f.Ahead/f.trialSize())
	if s.state != rating.Running {
		trials--
	}
	last := trials * f.trialSize()
	if f.Matches > 0 {
		last = min(last, f.Matches)
	}
	return last
}

// trialSize returns how many matches a trial of the test has.
func (f sprt) trialSize() int {
	if f.Pairs {
		return 2
	}
	return 1
}

// take gives the test one trial after the other, until the test is decided or a match
// of the next trial is not.
func (f sprt) take(all numbered) sample {
	s := sample{paired: f.Pairs, state: rating.Running}
	for s.state == rating.Running && s.add(all, f.Names[0], f.trialSize()) {
		s.state = f.stateOf(s.counts())
	}
	return s
}

// stateOf returns the test's state for these counts.
func (f sprt) stateOf(c rating.Counts) rating.State {
	state, known := f.states[c]
	if !known {
		state = f.Test.State(c)
		f.states[c] = state
	}
	return state
}

// sample holds the trials that the test has counted.
type sample struct {
	trials int
	single rating.Trinomial
	pairs  rating.Pentanomial // instead, if a trial is a pair of matches
	paired bool
	state  rating.State
}

// add counts the next trial. It returns false if a match of it is not decided.
func (s *sample) add(all numbered, name string, matches int) bool {
	halves := 0 // half points
	for k := range matches {
		m := all[s.trials*matches+k+1]
		if m == nil {
			return false
		}
		halves += int(2 * m.Points(name))
	}
	s.trials++
	if s.paired {
		s.pairs[halves]++
		return true
	}
	*[]*int64{&s.single.Loss, &s.single.Draw, &s.single.Win}[halves]++
	return true
}

func (s *sample) counts() rating.Counts {
	if s.paired {
		return s.pairs
	}
	return s.single
}

// report returns the state of the test as the standings show it.
func (s sample) report(first string, test rating.SPRT) *tournament.TestState {
	t := &tournament.TestState{First: first, Test: test, Trials: s.trials, LLR: test.LLR(s.counts()), Outcome: string(s.state)}
	t.Lower, t.Upper = test.Bounds()
	t.Counts = []int64{s.single.Loss, s.single.Draw, s.single.Win}
	if s.paired {
		t.Counts = s.pairs[:]
	}
	return t
}
