package experiment

import (
	"math/rand/v2"
	"testing"
)

// findingOf returns the finding of matches such as "WWLD", and after how many matches it was reached.
func findingOf(matches string) (Finding, int) {
	s := newSequential()
	for i, m := range matches {
		s.add(map[rune]float64{'W': 1, 'D': 0.5, 'L': 0}[m])
		if s.finding() != Undecided {
			return s.finding(), i + 1
		}
	}
	return Undecided, len(matches)
}

// The cases are computed by hand: a match won adds log 1.5 or log 0.5, and the test ends at log 19.
func TestSequentialExamples(t *testing.T) {
	for _, tc := range []struct {
		matches string
		finding Finding
		after   int
	}{
		{"", Undecided, 0},
		{"WWWWWWW", Undecided, 7},
		{"WWWWWWWWL", Better, 8}, // 8 log 1.5 = 3.24
		{"LLLLLLLLW", Worse, 8},
		{"LLLLLWWWWWWWWWWWWW", NoGreatDifference, 13},     // 5 log 0.5 = -3.47, then 5 log 1.5 + 8 log 0.5 = -3.52
		{"WLWLWLWLWLWLWLWLWLWLWL", NoGreatDifference, 22}, // 11 (log 1.5 + log 0.5) = -3.16
		{"DDDDDDDDDDDDDDDDDDDDDD", NoGreatDifference, 21},
		{"LWWWWWWWWWW", Better, 10}, // 9 log 1.5 + log 0.5 = 2.96
	} {
		if finding, after := findingOf(tc.matches); finding != tc.finding || after != tc.after {
			t.Errorf("%s: %s after %d, want %s after %d", tc.matches, finding, after, tc.finding, tc.after)
		}
	}
}

// A finding never changes, and from the opponent's point of view it is the opposite.
func TestSequentialFindingIsFinal(t *testing.T) {
	opposite := map[Finding]Finding{Better: Worse, Worse: Better, NoGreatDifference: NoGreatDifference, Undecided: Undecided}
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		share := random.Float64()
		s, other, found := newSequential(), newSequential(), Undecided
		for range 100 {
			points := float64(0)
			switch r := random.Float64(); {
			case r < share/2:
				points = 1
			case r < share:
				points = 0.5
			}
			s.add(points)
			other.add(1 - points)
			if found != Undecided && s.finding() != found {
				t.Fatalf("%s became %s", found, s.finding())
			}
			if found = s.finding(); other.finding() != opposite[found] {
				t.Fatalf("%s from one side is %s from the other", found, other.finding())
			}
			if s.better.accepts() && !(s.worse.ended() && !s.worse.accepts()) {
				t.Fatalf("better, while the other test is at %v", s.worse.llr)
			}
		}
	}
}

// Wald's bounds keep the error rate of each test at about errorRate.
func TestSequentialErrorRates(t *testing.T) {
	const trials = 4000
	random := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		share  float64
		right  Finding
		errors float64 // of both tests
		most   float64 // matches, on average
	}{
		{greatShare, Better, errorRate, 23},
		{1 - greatShare, Worse, errorRate, 23},
		{0.5, NoGreatDifference, 2 * errorRate, 32},
	} {
		wrong, matches := 0, 0
		for range trials {
			s := newSequential()
			for s.finding() == Undecided {
				points := 0.0
				if random.Float64() < tc.share {
					points = 1
				}
				s.add(points)
				matches++
			}
			if s.finding() != tc.right {
				wrong++
			}
		}
		errors, average := float64(wrong)/trials, float64(matches)/trials
		t.Logf("share %v: %.3f wrong, %.1f matches on average", tc.share, errors, average)
		if errors > tc.errors || wrong == 0 || average > tc.most {
			t.Errorf("share %v: %.3f wrong after %.1f matches, want at most %v after %v", tc.share, errors, average, tc.errors, tc.most)
		}
	}
}
