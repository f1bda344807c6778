package format

import (
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

func pairedTest(pairs bool) tournament.Event {
	test := rating.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}
	e := planned(2, 0, tournament.Plan{Kind: tournament.SPRT, SPRT: test, Ahead: 5})
	if pairs {
		e.Settings.Openings.Starts = []string{"2,0,0/0,2,0 D 0 9"}
	}
	return e
}

// The test ends with the first trial that decides it. Matches ahead of that one are
// played, but not counted.
func TestSPRTEndsWhenDecided(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		e := pairedTest(pairs)
		done := rehearse(t, e, byStrength, 1000)
		f := After(e, done).(*sprt)
		s := f.Standings()
		counted := s.Test.Trials * f.trial
		if s.Test.Outcome != "H1" || s.Test.LLR < s.Test.Upper || len(done) <= counted || len(done) > counted+5 {
			t.Errorf("pairs %v: %d matches, test %+v", pairs, len(done), s.Test)
		}
		before := *s.Test
		if again := After(e, done[:counted-1]).Standings(); again.Test.Outcome != "running" || again.Test.LLR >= before.Upper {
			t.Errorf("pairs %v: one match before, test %+v", pairs, again.Test)
		}
		if sum := total(s.Test.Counts); sum != int64(s.Test.Trials) || s.Test.Counts[len(s.Test.Counts)-1] != sum {
			t.Errorf("pairs %v: counts %v of %d trials", pairs, s.Test.Counts, s.Test.Trials)
		}
	}
}

func total(counts []int64) (sum int64) {
	for _, k := range counts {
		sum += k
	}
	return sum
}

// An undecided match hides the results after it.
func TestSPRTTakesMatchesInOrder(t *testing.T) {
	e := pairedTest(false)
	done := rehearse(t, e, byStrength, 1000)
	gap := append([]tournament.MatchResult{}, done[1:]...)
	f := After(e, gap)
	if s := f.Standings(); s.Test.Trials != 0 || s.Test.Outcome != "running" {
		t.Errorf("without match 1 the test is %+v", s.Test)
	}
	if next := drain(f); len(next) != 1 || next[0].Match != 1 {
		t.Errorf("next %v, want match 1", next)
	}
}

func TestSPRTWithALimit(t *testing.T) {
	e := pairedTest(false)
	e.Matches = 6
	done := rehearse(t, e, level, 1000)
	if s := After(e, done).Standings(); len(done) != 6 || s.Test.Outcome != "running" {
		t.Errorf("%d matches, test %+v", len(done), s.Test)
	}
	if got := New(e).Total(); got != (tournament.Total{Matches: 6, Bound: tournament.AtMost}) {
		t.Errorf("total %+v", got)
	}
}

// Trials that repeat earlier ones move by move are no evidence. A test that gets no others
// ends undecided.
func TestSPRTCountsRepeatsOnce(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		e := pairedTest(pairs)
		f := New(e)
		played := 0
		for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
			m := byStrength(p)
			m.Legs[0].Line, m.Legs[1].Line = 1, 2
			if p.First != "bot0" {
				m.Legs[0].Line, m.Legs[1].Line = 2, 1
			}
			f.Add(m)
			played++
		}
		s := f.Standings()
		size := f.(*sprt).trial
		if s.Test.Trials != 1 || s.Test.Repeated < mostRepeats || s.Test.Outcome != "running" || played > size*(mostRepeats+10) {
			t.Errorf("pairs %v: %d matches, test %+v", pairs, played, s.Test)
		}
		if total := f.Total(); total != (tournament.Total{Matches: played}) || s.Places[0].Played != played {
			t.Errorf("pairs %v: %d matches, total %+v", pairs, played, total)
		}
	}
}
