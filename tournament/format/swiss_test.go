package format

import (
	"fmt"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/tournament"
)

// sweep plays all listed matches, again and again until none is listed.
func sweep(e tournament.Event, result func(tournament.Pairing) tournament.MatchResult) (done []tournament.MatchResult) {
	f := New(e)
	for next := drain(f); len(next) > 0; next = drain(f) {
		for _, p := range next {
			done = append(done, result(p))
			f.Add(done[len(done)-1])
		}
	}
	return done
}

// swissOf returns a Swiss event of n bots.
func swissOf(n, rounds, matches int) tournament.Event {
	return planned(n, matches, tournament.Plan{Kind: tournament.Swiss, Rounds: rounds})
}

// The first round of the largest event takes little memory. An event that would have to list all
// pairs first is refused.
func TestSwissOfManyBots(t *testing.T) {
	testkit.Long(t)
	e := swissOf(tournament.MaxBots, 0, 1)
	var f tournament.Format
	if took := testkit.Allocated(func() { f = New(e) }); took > 64<<20 {
		t.Errorf("%d bots take %d MiB", tournament.MaxBots, took>>20)
	}
	if n := len(drain(f)); n != tournament.MaxBots/2 {
		t.Errorf("the first round has %d matches", n)
	}
	err := Validate(swissOf(mostAhead+2, mostAhead/2+2, 1))
	if want := "502 rounds of 1002 bots: want at most 501"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	for _, allowed := range []tournament.Event{swissOf(mostAhead+2, mostAhead/2+1, 1), swissOf(mostAhead, mostAhead-1, 1)} {
		if err := Validate(allowed); err != nil {
			t.Error(err)
		}
	}
}

// No two bots meet twice, and no bot has a second bye, in any allowed number of rounds.
func TestSwissNoRematch(t *testing.T) {
	for n := 2; n <= 12; n++ {
		for rounds := 1; rounds <= maxRounds(n); rounds++ {
			for seed := range uint64(5) {
				e := swissOf(n, rounds, 1)
				wantSwiss(t, e, sweep(e, chancy(seed)))
			}
		}
	}
	for _, n := range []int{33, 64} {
		e := swissOf(n, n/2, 1)
		wantSwiss(t, e, sweep(e, chancy(1)))
		wantSwiss(t, e, sweep(e, byStrength))
	}
}

func wantSwiss(t *testing.T, e tournament.Event, done []tournament.MatchResult) {
	t.Helper()
	rounds := e.Settings.Plan.Rounds
	n, met, played := len(e.Entries), map[[2]string]bool{}, map[string]int{}
	for _, m := range done {
		key := [2]string{min(m.First, m.Second), max(m.First, m.Second)}
		if met[key] {
			t.Fatalf("%d bots, %d rounds: %v meet again in round %d", n, rounds, key, m.Round)
		}
		met[key] = true
		played[m.First]++
		played[m.Second]++
	}
	for _, name := range names(n) {
		if k := played[name]; k < rounds-n%2 || k > rounds {
			t.Fatalf("%d bots, %d rounds: %s has played %d", n, rounds, name, k)
		}
	}
}

// The rounds of eight bots when the earlier entry always wins, as the Dutch system
// pairs them.
func TestSwissPairsByPoints(t *testing.T) {
	want := []string{
		"04 15 26 37",
		"02 13 46 57",
		"01 24 35 67",
	}
	rounds := make([]string, 3)
	for _, m := range sweep(swissOf(8, 3, 1), byStrength) {
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
	byes := make([]map[string]bool, 3)
	for i := range byes {
		byes[i] = map[string]bool{"bot0": true, "bot1": true, "bot2": true, "bot3": true, "bot4": true}
	}
	done := sweep(swissOf(5, 3, 2), byStrength)
	for _, m := range done {
		delete(byes[m.Round-1], m.First)
		delete(byes[m.Round-1], m.Second)
	}
	for i, want := range []string{"bot4", "bot3", "bot2"} {
		if len(byes[i]) != 1 || !byes[i][want] {
			t.Errorf("round %d: %v has the bye, want %s", i+1, byes[i], want)
		}
	}
}
