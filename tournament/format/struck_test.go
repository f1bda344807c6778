package format

import (
	"fmt"
	"testing"

	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// faulty makes one bot fail as attacker in all its matches. The others have random
// results.
func faulty(name string) func(tournament.Pairing) tournament.MatchResult {
	return func(p tournament.Pairing) tournament.MatchResult {
		m := chancy(9)(p)
		switch name {
		case p.First:
			m.Legs[1] = tournament.Summary{Ending: record.IllegalMove, Forfeited: true}
		case p.Second:
			m.Legs[0] = tournament.Summary{Ending: record.IllegalMove, Forfeited: true}
		default:
			return m
		}
		return decided(p, m.Legs)
	}
}

// Every format ends although a bot is set aside, which plays no more matches than it
// takes to set it aside, and all bots have places.
func TestFormatsWithStrikes(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for name, e := range formats(n) {
			e.Settings.Strikes.Faults = 2
			done := rehearse(t, e, faulty("bot1"), 2000)
			f := After(e, done)
			played := map[string]int{}
			for _, m := range done {
				played[m.First]++
				played[m.Second]++
			}
			if len(done) == 2000 || played["bot1"] > 2 {
				t.Errorf("%s: %d matches, %d of the bot that fails", name, len(done), played["bot1"])
			}
			if total := f.Total(); total.Matches != len(done) || total.Bound != tournament.Exactly {
				t.Errorf("%s: total %+v after %d matches", name, total, len(done))
			}
			if places := f.Standings().Places; len(places) != n {
				t.Errorf("%s: places %+v", name, places)
			}
		}
	}
}

// Walkovers decide no test: it ends undecided with the bot that is set aside, after the trials that were played.
func TestWalkoversDecideNoTest(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		e := formats(2)[fmt.Sprintf("sprt, pairs %v", pairs)]
		e.Matches = 0
		e.Settings.Strikes.Faults = 3
		done := rehearse(t, e, faulty("bot1"), 2000)
		f := After(e, done)
		test := f.Standings().Test
		if test.Outcome != string(rating.Running) || test.Trials > len(done) || len(done) > 20 {
			t.Errorf("pairs %v: after %d matches the test says %+v", pairs, len(done), test)
		}
		if total := f.Total(); total.Matches != len(done) || total.Bound != tournament.Exactly {
			t.Errorf("pairs %v: total %+v after %d matches", pairs, total, len(done))
		}
	}
}
