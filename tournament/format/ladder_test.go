package format

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/tournament"
)

// ladderOf returns a ladder of n bots.
func ladderOf(n, matches, ahead int) tournament.Event {
	return planned(n, matches, tournament.Plan{Kind: tournament.Ladder, Ahead: ahead})
}

func TestLadderHasNoEnd(t *testing.T) {
	e := ladderOf(6, 0, 4)
	done := rehearse(t, e, chancy(1), 300)
	if total := After(e, done).Total(); len(done) != 300 || total != (tournament.Total{Bound: tournament.About, Joinable: true}) {
		t.Fatalf("%d matches, total %+v", len(done), total)
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

// A bot that joins has the least certain rating, so it is paired first. Earlier
// pairings stay.
func TestLadderJoin(t *testing.T) {
	before := ladderOf(4, 0, 4)
	done := rehearse(t, before, chancy(3), 40)
	listed := len(done) + 4
	after := ladderOf(5, 0, 4)
	after.Memberships = []tournament.Membership{{Name: "bot4", From: listed + 1, To: tournament.NotLeft}}
	f := After(before, done).(*ladder)
	if f.Listed() != listed {
		t.Errorf("%d matches are listed, want %d", f.Listed(), listed)
	}
	f.SetLineup(after)
	if a, b, c := drain(f), drain(After(before, done)), drain(After(after, done)); !slices.Equal(a, b) || !slices.Equal(a, c) {
		t.Errorf("next %v, before the join %v, resumed %v", a, b, c)
	}
	// Bots that join while it is played are paired as in an event that is resumed.
	for range 30 {
		done = append(done, chancy(3)(drain(After(after, done))[0]))
		f.Add(done[len(done)-1])
		if a, b := f.Standings(), After(after, done).Standings(); !reflect.DeepEqual(a, b) {
			t.Fatalf("after %d matches %+v, resumed %+v", len(done), a, b)
		}
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
	e := ladderOf(4, 0, 4)
	e.Memberships = []tournament.Membership{{Name: "bot1", From: 1, To: 20}, {Name: "bot1", From: 31, To: tournament.NotLeft}, {Name: "bot2", From: 1, To: 0}}
	in := map[bool]int{}
	for i, p := range pairings(rehearse(t, e, chancy(3), 60)) {
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

// With one bot nothing is played. When another one joins, the ladder continues.
func TestLadderWaits(t *testing.T) {
	alone := ladderOf(3, 0, 4)
	alone.Memberships = []tournament.Membership{{Name: "bot1", From: 1, To: 10}, {Name: "bot2", From: 1, To: 10}}
	done := rehearse(t, alone, chancy(3), 60)
	if len(done) != 10 {
		t.Fatalf("%d matches while there were two bots, want 10", len(done))
	}
	f := After(alone, done).(*ladder)
	alone.Memberships = append(alone.Memberships, tournament.Membership{Name: "bot2", From: 11, To: tournament.NotLeft})
	f.SetLineup(alone)
	if next := drain(f); len(next) == 0 || next[0].Match != 11 {
		t.Errorf("next %v", next)
	}
}

// The ratings of a ladder roughly follow the points.
func TestLadderRates(t *testing.T) {
	e := ladderOf(5, 40, 8)
	s := After(e, rehearse(t, e, byStrength, 1000)).Standings()
	for i, p := range s.Places {
		if p.Name != names(5)[i] || p.Values[1] <= 0 || p.Values[1] > 200 || i > 0 && p.Values[0] >= s.Places[i-1].Values[0] {
			t.Errorf("place %d: %+v", i+1, p)
		}
	}
}

// The ratings of a ladder include its last matches, although no pairing depends on them.
func TestShortLadderRates(t *testing.T) {
	e := ladderOf(3, 4, 8)
	s := After(e, rehearse(t, e, byStrength, 1000)).Standings()
	for i, p := range s.Places {
		if p.Name != names(3)[i] || p.Place != i+1 || i > 0 && p.Values[0] >= s.Places[i-1].Values[0] {
			t.Errorf("place %d: %+v", i+1, p)
		}
	}
}

// In an open ladder bots leave and come back. When a new ladder receives the decided matches again,
// it pairs and rates the same, although it knows from the start which bots have left.
func TestOpenLadderReplays(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 31))
		e := ladderOf(5, 0, 1+random.IntN(8))
		e.Settings.Plan.Open = tournament.OpenAll
		f, play := New(e).(*ladder), chancy(seed)
		var begun []tournament.Pairing
		var done []tournament.MatchResult
		for len(done) < 150 {
			if p, ok := f.Next(tournament.Everyone{}); ok && random.IntN(3) > 0 {
				begun = append(begun, p)
				continue
			}
			if name := e.Entries[random.IntN(5)].Name; random.IntN(10) == 0 && !slices.ContainsFunc(begun, func(p tournament.Pairing) bool { return p.First == name || p.Second == name }) {
				move(&e, name, f.Listed())
				f.SetLineup(e)
				continue
			}
			i := random.IntN(max(1, len(begun)))
			if len(begun) == 0 || f.Void(begun[i]) {
				back(&e, f)
				continue
			}
			m := play(begun[i])
			begun = slices.Delete(begun, i, i+1)
			f.Add(m)
			done = append(done, m)
		}
		replayed := After(e, done).(*ladder)
		if a, b := f.Standings(), replayed.Standings(); f.Listed() != replayed.Listed() || !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %d matches are listed, %+v\nreplayed %d, %+v", seed, f.Listed(), a, replayed.Listed(), b)
		}
		for i, r := range f.rungs {
			if r.pairing != replayed.rungs[i].pairing {
				t.Fatalf("seed %d: %+v, replayed %+v", seed, r.pairing, replayed.rungs[i].pairing)
			}
		}
	}
}

// move lets a bot leave if it is present, and else join.
func move(e *tournament.Event, name string, listed int) {
	if !e.Present(name) {
		e.Memberships = append(e.Memberships, tournament.Membership{Name: name, From: listed + 1, To: tournament.NotLeft})
		return
	}
	e.Memberships = slices.Clone(e.Memberships)
	for i := range e.Memberships {
		if m := &e.Memberships[i]; m.Name == name && m.To == tournament.NotLeft {
			m.To = listed
			return
		}
	}
	e.Memberships = append(e.Memberships, tournament.Membership{Name: name, From: 1, To: listed})
}

// back lets all bots that have left join again.
func back(e *tournament.Event, f *ladder) {
	for _, entry := range e.Entries {
		if !e.Present(entry.Name) {
			move(e, entry.Name, f.Listed())
		}
	}
	f.SetLineup(*e)
}
