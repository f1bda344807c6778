package format

import (
	"slices"
	"testing"

	"versus2048/tournament"
)

func TestLadderHasNoEnd(t *testing.T) {
	f := ladder{Names: names(6), Ahead: 4}
	done := rehearse(t, f, chancy(1), 300)
	if len(done) != 300 || f.Total(done) != (tournament.Total{Bound: tournament.About, Joinable: true}) {
		t.Fatalf("%d matches, total %+v", len(done), f.Total(done))
	}
	met := map[[2]string]int{}
	played := map[string]int{}
	for _, m := range done {
		met[[2]string{min(m.First, m.Second), max(m.First, m.Second)}]++
		played[m.First]++
		played[m.Second]++
	}
	for pair, k := range met {
		if k < 300/15/3 {
			t.Errorf("%v have met %d times of 300", pair, k)
		}
	}
	for name, k := range played {
		if k < 80 {
			t.Errorf("%s has played %d of 300 matches", name, k)
		}
	}
	if len(met) != 15 {
		t.Errorf("%d pairs of 15 have met", len(met))
	}
}

// A bot that joins is the least certain, so it comes first, and what was paired
// before stays.
func TestLadderJoin(t *testing.T) {
	before := ladder{Names: names(4), Ahead: 4}
	done := rehearse(t, before, chancy(3), 40)
	listed := len(done) + before.Ahead
	after := ladder{Names: names(5), Ahead: 4, Memberships: []tournament.Membership{{Name: "bot4", From: listed + 1, To: tournament.NotLeft}}}
	if !slices.Equal(after.Next(done), before.Next(done)) {
		t.Errorf("next %v, before the join %v", after.Next(done), before.Next(done))
	}
	done = rehearse(t, after, chancy(3), 60)
	for i, p := range pairings(done) {
		plays := p.First == "bot4" || p.Second == "bot4"
		if plays != (i+1 > listed) && i < listed+4 {
			t.Errorf("match %d: %+v; bot4 joins with match %d", i+1, p, listed+1)
		}
	}
}

func TestLadderLeave(t *testing.T) {
	f := ladder{Names: names(4), Ahead: 4, Memberships: []tournament.Membership{{Name: "bot1", From: 1, To: 20}, {Name: "bot1", From: 31, To: tournament.NotLeft}, {Name: "bot2", From: 1, To: 0}}}
	in := map[bool]int{}
	for i, p := range pairings(rehearse(t, f, chancy(3), 60)) {
		if p.First == "bot2" || p.Second == "bot2" {
			t.Errorf("match %d: %+v, but bot2 has never been there", i+1, p)
		}
		if p.First == "bot1" || p.Second == "bot1" {
			in[i < 20]++
			if i >= 20 && i < 30 {
				t.Errorf("match %d: %+v, but bot1 has left", i+1, p)
			}
		}
	}
	if in[true] == 0 || in[false] == 0 {
		t.Errorf("bot1 has played %v before and after it was away", in)
	}
}

// With one bot nothing is played; when others come, the ladder goes on.
func TestLadderWaits(t *testing.T) {
	alone := ladder{Names: names(3), Ahead: 4, Memberships: []tournament.Membership{{Name: "bot1", From: 1, To: 10}, {Name: "bot2", From: 1, To: 10}}}
	done := rehearse(t, alone, chancy(3), 60)
	if len(done) != 10 {
		t.Fatalf("%d matches while there were two bots, want 10", len(done))
	}
	alone.Memberships = append(alone.Memberships, tournament.Membership{Name: "bot2", From: 11, To: tournament.NotLeft})
	if next := alone.Next(done); len(next) == 0 || next[0].Match != 11 {
		t.Errorf("next %v", next)
	}
}

// The ratings of a ladder are those that the points say, more or less.
func TestLadderRates(t *testing.T) {
	f := ladder{Names: names(5), Ahead: 8, Matches: 40}
	s := f.Standings(rehearse(t, f, byStrength, 1000))
	for i, p := range s.Places {
		if p.Name != names(5)[i] || p.Values[1] <= 0 || p.Values[1] > 200 || i > 0 && p.Values[0] >= s.Places[i-1].Values[0] {
			t.Errorf("place %d: %+v", i+1, p)
		}
	}
}
