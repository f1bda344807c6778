package format

import (
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

func pairedTest(pairs bool) sprt {
	test := rating.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05, Model: rating.Logistic}
	return newSPRT([2]string{"ann", "bob"}, test, 0, 5, pairs)
}

// The test ends with the first trial that decides it. Matches ahead of that one are
// played, but not counted.
func TestSPRTEndsWhenDecided(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		f := pairedTest(pairs)
		done := rehearse(t, f, byStrength, 1000)
		s := f.Standings(done)
		counted := s.Test.Trials * f.trialSize()
		if s.Test.Outcome != "H1" || s.Test.LLR < s.Test.Upper || len(done) <= counted || len(done) > counted+5 {
			t.Errorf("pairs %v: %d matches, test %+v", pairs, len(done), s.Test)
		}
		before := *s.Test
		if again := f.Standings(done[:counted-1]); again.Test.Outcome != "running" || again.Test.LLR >= before.Upper {
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
	f := pairedTest(false)
	done := rehearse(t, f, byStrength, 1000)
	gap := append([]tournament.MatchResult{}, done[1:]...)
	if s := f.Standings(gap); s.Test.Trials != 0 || s.Test.Outcome != "running" {
		t.Errorf("without match 1 the test is %+v", s.Test)
	}
	if next := f.Next(gap); len(next) != 1 || next[0].Match != 1 {
		t.Errorf("next %v, want match 1", next)
	}
}

func TestSPRTWithALimit(t *testing.T) {
	f := pairedTest(false)
	f.Matches = 6
	done := rehearse(t, f, level, 1000)
	if s := f.Standings(done); len(done) != 6 || s.Test.Outcome != "running" {
		t.Errorf("%d matches, test %+v", len(done), s.Test)
	}
	if got := f.Total(nil); got != (tournament.Total{Matches: 6, Bound: tournament.AtMost}) {
		t.Errorf("total %+v", got)
	}
}
