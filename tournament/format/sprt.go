package format

import (
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// SPRT lets two bots play until a sequential test is decided. The test takes the
// matches in the order of their numbers, whatever the order in which they end,
// and is decided by the first one, or the first pair on one opening, that takes
// it over a bound. The few matches that were begun ahead of it are played, but
// the test does not count them.
type SPRT struct {
	Names   [2]string // the hypotheses are on the first one
	Test    rating.SPRT
	Matches int  // at most so many, even if nothing is decided; 0 for no limit
	Ahead   int  // matches that may begin before the test knows of one
	Pairs   bool // matches 2k-1 and 2k share an opening, so that they are one trial
	// tested remembers what counts have come to, for Next asks for each prefix of
	// the event again and again.
	tested map[rating.Counts]rating.State
}

// NewSPRT is a test of two bots that knows nothing yet.
func NewSPRT(names [2]string, test rating.SPRT, matches, ahead int, pairs bool) SPRT {
	return SPRT{Names: names, Test: test, Matches: matches, Ahead: ahead, Pairs: pairs, tested: map[rating.Counts]rating.State{}}
}

// Next lists the undecided matches up to those that are ahead of the test.
func (f SPRT) Next(done []tournament.MatchResult) []tournament.Pairing {
	all := byNumber(done)
	var left []tournament.Pairing
	for k := 1; k <= f.listed(f.take(all)); k++ {
		if all[k] == nil {
			left = append(left, meeting(k, k, k, f.Names[0], f.Names[1]))
		}
	}
	return left
}

// Total is what the test came to, or its limit until it is decided.
func (f SPRT) Total(done []tournament.MatchResult) tournament.Total {
	s := f.take(byNumber(done))
	if s.state != rating.Running {
		return tournament.Total{Matches: f.listed(s)}
	}
	return tournament.Total{Matches: f.Matches, Bound: tournament.AtMost}
}

// Standings are by points, with the state of the test.
func (f SPRT) Standings(done []tournament.MatchResult) tournament.Standings {
	s := leagueStandings(SPRTPlan, "points", f.Names[:], done, byPoints)
	s.Test = f.take(byNumber(done)).report(f.Names[0], f.Test)
	return s
}

// trial is how many matches a trial of the test is.
func (f SPRT) trial() int {
	if f.Pairs {
		return 2
	}
	return 1
}

// sample is what the test has seen.
type sample struct {
	trials int
	single rating.Trinomial
	pairs  rating.Pentanomial // instead, where matches are trials by pairs
	paired bool
	state  rating.State
}

func (s *sample) counts() rating.Counts {
	if s.paired {
		return s.pairs
	}
	return s.single
}

// take gives the test one trial after the other until it is decided, or a match
// is not.
func (f SPRT) take(all numbered) sample {
	s := sample{paired: f.Pairs, state: rating.Running}
	for s.state == rating.Running && s.add(all, f.Names[0], f.trial()) {
		s.state = f.state(s.counts())
	}
	return s
}

// add counts the next trial. It is false where a match of it is not decided.
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

// state is the test's for such counts.
func (f SPRT) state(c rating.Counts) rating.State {
	state, known := f.tested[c]
	if !known {
		state = f.Test.State(c)
		f.tested[c] = state
	}
	return state
}

// listed is the number of the last match that may begin. It is the same when the
// test is decided as just before.
func (f SPRT) listed(s sample) int {
	trials := s.trials + max(1, f.Ahead/f.trial())
	if s.state != rating.Running {
		trials--
	}
	last := trials * f.trial()
	if f.Matches > 0 {
		last = min(last, f.Matches)
	}
	return last
}

func (s sample) report(first string, test rating.SPRT) *tournament.TestState {
	t := &tournament.TestState{First: first, Test: test, Trials: s.trials, LLR: test.LLR(s.counts()), Outcome: string(s.state)}
	t.Lower, t.Upper = test.Bounds()
	t.Counts = []int64{s.single.Loss, s.single.Draw, s.single.Win}
	if s.paired {
		t.Counts = s.pairs[:]
	}
	return t
}
