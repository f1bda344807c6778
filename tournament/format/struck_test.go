package format

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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

// A ladder without an end waits if only one bot is left. It goes on when another bot joins, and
// when it is resumed after that. Until then the last bot gets no rating from walkovers.
func TestLadderOfTheLastBot(t *testing.T) {
	e := ladderOf(2, 0, 4)
	e.Settings.Strikes.Faults = 2
	done := rehearse(t, e, faulty("bot1"), 100)
	f := After(e, done).(*ladder)
	if len(done) != 2 || f.Listed() >= len(done)+4 {
		t.Errorf("%d matches are played and %d paired, want 2 and the next 3", len(done), f.Listed())
	}
	if places := f.Standings().Places; places[0].Name != "bot0" || places[0].Played > f.Listed() {
		t.Errorf("places %+v", places)
	}
	joined := ladderOf(3, 0, 4)
	joined.Settings.Strikes.Faults = 2
	joined.Memberships = []tournament.Membership{{Name: "bot1", From: 1, To: f.Listed()}, {Name: "bot2", From: f.Listed() + 1, To: tournament.NotLeft}}
	f.SetLineup(joined)
	for range 30 {
		next, resumed := drain(f), drain(After(joined, done))
		if len(next) == 0 || !slices.Equal(next, resumed) {
			t.Fatalf("after %d matches next are %v, resumed %v", len(done), next, resumed)
		}
		for _, p := range next {
			done = append(done, chancy(1)(p))
			f.Add(done[len(done)-1])
		}
		if a, b := f.Standings(), After(joined, done).Standings(); !reflect.DeepEqual(a, b) {
			t.Fatalf("after %d matches %+v, resumed %+v", len(done), a, b)
		}
	}
}

// The pairings do not depend on the order of the matches' ends, even if only one bot is left.
func TestLadderOfTheLastBotIgnoresOrder(t *testing.T) {
	e := ladderOf(3, 0, 5)
	e.Settings.Strikes.Faults = 2
	fail := func(p tournament.Pairing) tournament.MatchResult {
		if p.First != "bot1" && p.Second != "bot1" {
			return faulty("bot2")(p)
		}
		return faulty("bot1")(p)
	}
	want := After(e, rehearse(t, e, fail, 100)).(*ladder)
	for seed := range uint64(20) {
		random, got := rand.New(rand.NewPCG(seed, 7)), New(e).(*ladder)
		for playing := drain(got); len(playing) > 0; playing = append(playing, drain(got)...) {
			i := random.IntN(len(playing))
			got.Add(fail(playing[i]))
			playing = slices.Delete(playing, i, i+1)
		}
		if a, b := got.Standings(), want.Standings(); got.Listed() != want.Listed() || !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %d are paired, want %d: %+v, want %+v", seed, got.Listed(), want.Listed(), a, b)
		}
	}
}

// The total of a ladder without bots is the number of its played matches, for any planned number of
// matches.
func TestTotalOfAnAbandonedLadder(t *testing.T) {
	e := ladderOf(2, 100_000, 1)
	e.Settings.Strikes.Faults = 2
	done := rehearse(t, e, faulty("bot1"), 100)
	if total := After(e, done).Total(); total.Matches != len(done) || total.Bound != tournament.Exactly {
		t.Errorf("total %+v after %d matches", total, len(done))
	}
}
