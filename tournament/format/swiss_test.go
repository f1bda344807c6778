package format

import (
	"fmt"
	"testing"

	"versus2048/tournament"
)

// sweep plays all listed matches, again and again.
func sweep(f tournament.Format, result func(tournament.Pairing) tournament.MatchResult) (done []tournament.MatchResult) {
	for next := f.Next(nil); len(next) > 0; next = f.Next(done) {
		for _, p := range next {
			done = append(done, result(p))
		}
	}
	return done
}

// No two bots meet twice, and no bot has a second bye, in any allowed number of rounds.
func TestSwissNoRematch(t *testing.T) {
	for n := 2; n <= 12; n++ {
		for rounds := 1; rounds <= maxRounds(n); rounds++ {
			for seed := range uint64(5) {
				f := swiss{Names: names(n), Rounds: rounds, Matches: 1}
				wantSwiss(t, f, sweep(f, chancy(seed)))
			}
		}
	}
	for _, n := range []int{33, 64} {
		f := swiss{Names: names(n), Rounds: n / 2, Matches: 1}
		wantSwiss(t, f, sweep(f, chancy(1)))
		wantSwiss(t, f, sweep(f, byStrength))
	}
}

func wantSwiss(t *testing.T, f swiss, done []tournament.MatchResult) {
	t.Helper()
	n, met, played := len(f.Names), map[[2]string]bool{}, map[string]int{}
	for _, m := range done {
		key := [2]string{min(m.First, m.Second), max(m.First, m.Second)}
		if met[key] {
			t.Fatalf("%d bots, %d rounds: %v meet again in round %d", n, f.Rounds, key, m.Round)
		}
		met[key] = true
		played[m.First]++
		played[m.Second]++
	}
	for _, name := range f.Names {
		if k := played[name]; k < f.Rounds-n%2 || k > f.Rounds {
			t.Fatalf("%d bots, %d rounds: %s has played %d", n, f.Rounds, name, k)
		}
	}
}

// The rounds of eight bots when the earlier entry always wins, as the Dutch system
// pairs them.
func TestSwissPairsByPoints(t *testing.T) {
	f := swiss{Names: names(8), Rounds: 3, Matches: 1}
	want := []string{
		"04 15 26 37",
		"02 13 46 57",
		"01 24 35 67",
	}
	rounds := make([]string, 3)
	for _, m := range sweep(f, byStrength) {
		rounds[m.Round-1] += fmt.Sprintf("%c%c ", min(m.First, m.Second)[3], max(m.First, m.Second)[3])
	}
	for i, round := range rounds {
		if round != want[i]+" " {
			t.Errorf("round %d: %s, want %s", i+1, round, want[i])
		}
	}
}

// The bye goes to the last of the bots with the fewest points that have not had one.
func TestSwissBye(t *testing.T) {
	f := swiss{Names: names(5), Rounds: 3, Matches: 2}
	byes := make([]map[string]bool, 3)
	for i := range byes {
		byes[i] = map[string]bool{"bot0": true, "bot1": true, "bot2": true, "bot3": true, "bot4": true}
	}
	done := sweep(f, byStrength)
	for _, m := range done {
		delete(byes[m.Round-1], m.First)
		delete(byes[m.Round-1], m.Second)
	}
	for i, want := range []string{"bot4", "bot3", "bot2"} {
		if len(byes[i]) != 1 || !byes[i][want] {
			t.Errorf("round %d: %v has the bye, want %s", i+1, byes[i], want)
		}
	}
	for _, p := range f.Standings(done).Places {
		t.Log(p)
	}
}
