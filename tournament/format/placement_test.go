package format

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// placementOf returns a placement against n opponents, which are 150 Elo from each other.
func placementOf(n, matches int, within float64, ahead int) tournament.Event {
	plan := tournament.Plan{Kind: tournament.Placement, Within: within, Ahead: ahead}
	for i := range n {
		plan.Known = append(plan.Known, rating.Known{Elo: float64(1000 + 150*i), Deviation: float64(10 * (i % 3))})
	}
	return planned(n+1, matches, plan)
}

// The same matches are played in whichever order they end, however many are played at once, and wherever the event is
// resumed. Each is the newcomer's.
func TestPlacementIgnoresOrderOfResults(t *testing.T) {
	for ahead := 1; ahead <= 5; ahead += 2 {
		e := placementOf(4, 25, 90, ahead)
		for seed := range uint64(3) {
			whole := pairings(rehearse(t, e, chancy(seed), 2000))
			r := rehearsal{e, chancy(seed), 2 + int(seed)*3, rand.New(rand.NewPCG(seed, 7))}
			if again := pairings(r.play(t, 2000)); !slices.Equal(whole, again) {
				t.Fatalf("ahead %d, seed %d:\n%v\n%v", ahead, seed, whole, again)
			}
			for i, p := range whole {
				if p.Match != i+1 || p.First != "bot0" && p.Second != "bot0" {
					t.Errorf("match %d is %+v", i+1, p)
				}
			}
		}
	}
}

// A placement ends when its interval is narrow enough, and not before.
func TestPlacementEnds(t *testing.T) {
	const within = 100
	e := placementOf(6, 0, within, 2)
	done := rehearse(t, e, chancy(1), 2000)
	f := After(e, done).(*placement)
	if total := f.Total(); total != (tournament.Total{Matches: len(done)}) || len(done) < 20 || len(done) > 200 {
		t.Fatalf("total %+v after %d matches", total, len(done))
	}
	if width := f.estimate(nil).Elo().HalfWidth(); width > within {
		t.Errorf("the interval is +/- %.0f", width)
	}
	if width := After(e, done[:len(done)-4]).(*placement).known.Elo().HalfWidth(); width <= within {
		t.Errorf("four matches before the end the interval was +/- %.0f", width)
	}
	limited := placementOf(6, 7, within, 2)
	done = rehearse(t, limited, chancy(1), 2000)
	if total := After(limited, done).Total(); len(done) != 7 || total != (tournament.Total{Matches: 7}) {
		t.Errorf("%d of 7 matches, total %+v", len(done), total)
	}
}

// The opponents are near the newcomer, as soon as it is known where that is.
func TestPlacementMeetsItsEquals(t *testing.T) {
	e := placementOf(9, 60, 1, 2)
	strength := func(p tournament.Pairing) tournament.MatchResult { // as strong as bot3, which has 1300
		draw := chancy(uint64(p.Match))
		for _, m := range []string{"bot1", "bot2"} {
			if p.First == m || p.Second == m {
				return won(p, "bot0")
			}
		}
		for _, m := range []string{"bot5", "bot6", "bot7", "bot8", "bot9"} {
			if p.First == m || p.Second == m {
				return won(p, m)
			}
		}
		return draw(p)
	}
	met := map[string]int{}
	for _, p := range pairings(rehearse(t, e, strength, 2000)) {
		met[p.First]++
		met[p.Second]++
	}
	if near := met["bot2"] + met["bot3"] + met["bot4"] + met["bot5"]; near < 50 {
		t.Errorf("%d of 60 matches are against bots that are near: %v", near, met)
	}
	s := After(e, rehearse(t, e, strength, 2000)).Standings()
	at := slices.IndexFunc(s.Places, func(p tournament.Place) bool { return p.Name == "bot0" })
	if p := s.Places[at]; p.Values[0] < 1150 || p.Values[0] > 1500 || p.Played != 60 || len(s.Places) != 10 {
		t.Errorf("place %+v among %+v", p, s.Places)
	}
}

// won returns a match that the named bot has won.
func won(p tournament.Pairing, name string) tournament.MatchResult {
	legs := [2]tournament.Summary{{Score: 4}, {Score: 8}}
	if p.First == name {
		legs[0].Score = 12
	}
	return decided(p, legs)
}

// A bot that fails is not met again; if the newcomer does, the placement is over.
func TestPlacementWithStrikes(t *testing.T) {
	for bot, want := range map[string]int{"bot0": 3, "bot2": 40} {
		e := placementOf(4, 40, 1, 1)
		e.Settings.Strikes.Faults = 2
		done := rehearse(t, e, faulty(bot), 2000)
		played := 0
		for _, m := range done {
			if m.First == bot || m.Second == bot {
				played++
			}
		}
		if total := After(e, done).Total(); played > 3 || len(done) > want || total.Matches != len(done) {
			t.Errorf("%s: %d matches, %d of the bot that fails, total %+v", bot, len(done), played, total)
		}
	}
}

// Without ratings all opponents are alike, and met in turn. One opponent is enough.
func TestPlacementWithoutRatings(t *testing.T) {
	for n := 2; n <= 5; n++ {
		e := planned(n, 12, tournament.Plan{Kind: tournament.Placement})
		done := rehearse(t, e, chancy(2), 2000)
		wantNumbered(t, fmt.Sprint(n), n, pairings(done))
		if s := After(e, done).Standings(); len(s.Places) != n || !reflect.DeepEqual(s, After(e, done).Standings()) {
			t.Errorf("%+v", s)
		}
	}
}

// Bots that have only drawn are equal, in spite of rounding errors of the rating.
func TestPlacementOfEquals(t *testing.T) {
	e := planned(2, 4, tournament.Plan{Kind: tournament.Placement})
	f := New(e)
	for _, p := range drain(f) {
		f.Add(level(p))
	}
	for _, place := range f.Standings().Places {
		if place.Place != 1 || place.Played == 0 || math.Signbit(place.Values[0]) {
			t.Errorf("%+v, want place 1 with a rating of 0", place)
		}
	}
}

// stubborn makes all matches of two bots equal, except that the matches of bot1 are all different.
// The newcomer loses against bot2 and beats the others.
func stubborn(p tournament.Pairing) tournament.MatchResult {
	winner, line := "bot0", tournament.Line(7)
	if p.First == "bot2" || p.Second == "bot2" {
		winner = "bot2"
	}
	if p.First == "bot1" || p.Second == "bot1" {
		line = tournament.Line(100 + p.Match)
	}
	m := won(p, winner)
	m.Legs[0].Line, m.Legs[1].Line = line, line
	return m
}

// Matches that repeat earlier ones are no evidence: only the different matches determine the rating
// and its interval. Bots that only repeat themselves play no more matches. When no other bots are
// left, the placement is over.
func TestPlacementCountsRepeatsOnce(t *testing.T) {
	for ahead := 1; ahead <= 4; ahead += 3 {
		e := placementOf(3, 0, 1, ahead)
		done := rehearse(t, e, stubborn, 120)
		met := map[string]int{}
		var different []tournament.MatchResult
		var seen tournament.Repeats
		for _, m := range done {
			met[m.First]++
			met[m.Second]++
			if !seen.Add(m) {
				different = append(different, m)
			}
		}
		if most := 1 + mostAlike + ahead; met["bot2"] > most || met["bot3"] > most || met["bot1"] < 90 {
			t.Errorf("ahead %d: met are %v", ahead, met)
		}
		want := rating.NewPlacement(e.Settings.Plan.Known)
		for _, m := range different {
			points := m.Points("bot0")
			want.Add(slices.Index(names(4), opponentOf(m))-1, points, 1-points)
		}
		f := After(e, done).(*placement)
		unsettled, _ := f.unsettled()
		if got := f.estimate(unsettled); math.Abs(got.Elo().Value-want.Elo().Value) > 1e-6 || math.Abs(got.Deviation()-want.Deviation()) > 1e-6 {
			t.Errorf("ahead %d: rating %v, want %v", ahead, got.Elo(), want.Elo())
		}
	}
	all := placementOf(1, 0, 1, 2) // against one bot
	same := func(p tournament.Pairing) tournament.MatchResult {
		m := won(p, "bot0")
		m.Legs[0].Line, m.Legs[1].Line = 7, 7
		return m
	}
	done := rehearse(t, all, same, 100)
	if total := After(all, done).Total(); len(done) > 2*(mostAlike+2)+2 || total != (tournament.Total{Matches: len(done)}) {
		t.Errorf("against a bot that always plays alike: %d matches, total %+v", len(done), total)
	}
}

// A placement that was recorded when repeats counted has other opponents than it would choose now.
// Its rating is still from the opponents that it met.
func TestPlacementOnRecord(t *testing.T) {
	e := placementOf(3, 0, 1, 1)
	want := rating.NewPlacement(e.Settings.Plan.Known)
	var done []tournament.MatchResult
	for match, opponent := range []int{2, 0, 1, 0, 2} {
		p := meeting(match+1, match+1, 1, "bot0", names(4)[opponent+1])
		done = append(done, won(p, names(4)[opponent%2*(opponent+1)]))
		points := done[match].Points("bot0")
		want.Add(opponent, points, 1-points)
	}
	done = append(done, won(meeting(6, 6, 1, "bot0", "nobody"), "bot0")) // a wrong record, of a file say
	got := After(e, done).(*placement).estimate(nil)
	if math.Abs(got.Elo().Value-want.Elo().Value) > 1e-6 {
		t.Errorf("rating %v, want %v", got.Elo(), want.Elo())
	}
}

// opponentOf returns the newcomer's opponent.
func opponentOf(m tournament.MatchResult) string {
	if m.First == "bot0" {
		return m.Second
	}
	return m.First
}
