package format

import (
	"fmt"
	"testing"

	"versus2048/tournament"
)

func names(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint("bot", i)
	}
	return all
}

func TestRoundRobinPairsMeetEquallyOften(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for _, matches := range []int{1, 2, 5} {
			met := map[[2]string]int{}
			pairings := drain(New(eventOf(n, matches)))
			for i, p := range pairings {
				if p.Match != i+1 {
					t.Fatalf("%d bots: match %d has number %d", n, i+1, p.Match)
				}
				met[[2]string{min(p.First, p.Second), max(p.First, p.Second)}]++
			}
			if len(met) != n*(n-1)/2 {
				t.Fatalf("%d bots: %d pairs met", n, len(met))
			}
			for pair, k := range met {
				if k != matches {
					t.Fatalf("%d bots: %v met %d times, want %d", n, pair, k, matches)
				}
			}
		}
	}
}

func TestRoundRobinOneMatchARound(t *testing.T) {
	const n = 6
	pairings := drain(New(eventOf(n, 1)))
	for round := 0; round < len(pairings); round += n / 2 {
		seen := map[string]bool{}
		for _, p := range pairings[round : round+n/2] {
			if seen[p.First] || seen[p.Second] {
				t.Fatalf("round at match %d: %v plays twice", round+1, p)
			}
			seen[p.First], seen[p.Second] = true, true
		}
	}
}

func TestRoundRobinSkipsDecided(t *testing.T) {
	e := eventOf(5, 3)
	all := drain(New(e))
	var done []tournament.MatchResult
	for i, p := range all {
		if i%3 == 1 {
			done = append(done, tournament.MatchResult{Pairing: p})
		}
	}
	left := drain(After(e, done))
	if len(left) != len(all)-len(done) {
		t.Fatalf("%d left of %d after %d", len(left), len(all), len(done))
	}
	for _, p := range left {
		if p != all[p.Match-1] {
			t.Fatalf("match %d changed from %v to %v", p.Match, all[p.Match-1], p)
		}
	}
}

// Seeds that attack first do so in all matches.
func TestSeedsAttack(t *testing.T) {
	e := tournament.Event{Matches: 3, Entries: []tournament.Entry{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}
	e.Settings.Plan = tournament.Plan{Kind: tournament.Gauntlet, Seeds: 2, SeedsAttack: true}
	f := New(e)
	n := 0
	for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
		if attacker, defender := p.Roles(1); attacker > "b" || defender < "c" {
			t.Errorf("match %d: %s attacks %s first", p.Match, attacker, defender)
		}
		n++
	}
	if n != 12 {
		t.Errorf("%d matches, want 12", n)
	}
}
