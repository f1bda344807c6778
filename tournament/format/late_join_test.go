package format

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/tournament"
)

// join lets a bot join from the next round on.
func (w *withdrawal) join() {
	name := fmt.Sprint("late", len(w.event.Entries))
	w.event.Entries = append(slices.Clip(w.event.Entries), tournament.Entry{Name: name, Spec: "random"})
	from := w.format.(tournament.Joinable).Listed() + 1
	w.event.Memberships = append(slices.Clip(w.event.Memberships), tournament.Membership{Name: name, From: from, To: tournament.NotLeft})
	w.format.SetLineup(w.event)
}

// Bots join a Swiss event at any time: each is paired in every round from the next one on, no two bots meet twice if
// that can be avoided, and the event stands as if all had been told in another order.
func TestLateJoins(t *testing.T) {
	for n := 2; n <= 7; n++ {
		for rounds := 1; rounds <= maxRounds(n); rounds++ {
			for seed := range uint64(12) {
				e := swissOf(n, rounds, 1+int(seed%2))
				w := &withdrawal{t: t, event: e, random: rand.New(rand.NewPCG(seed, uint64(rounds))), result: chancy(seed), last: map[string]int{}}
				w.format = New(e)
				t.Run(fmt.Sprintf("%d bots, %d rounds, seed %d", n, rounds, seed), func(t *testing.T) {
					w.t = t
					w.playAndJoin(seed%3 == 2)
					if seed%3 < 2 {
						w.wantRounds()
					}
				})
			}
		}
	}
}

// An event stays valid when a bot joins, so that its file can be imported: the rounds depend on the bots at its start.
func TestLateJoinIsValid(t *testing.T) {
	e := swissOf(mostAhead, mostAhead-1, 1)
	e.Entries = append(e.Entries, tournament.Entry{Name: "late", Spec: "random"})
	if err := Validate(e); err == nil {
		t.Error("the event could have begun with the late bot")
	}
	e.Memberships = []tournament.Membership{{Name: "late", From: mostAhead/2 + 1, To: tournament.NotLeft}}
	if err := Validate(e); err != nil {
		t.Error(err)
	}
}

// playAndJoin plays the event, and up to four bots join. If leaves is true, two bots leave: one that has joined, and
// bot1, which was there from the start.
func (w *withdrawal) playAndJoin(leaves bool) {
	latest := ""
	for joins := w.random.IntN(5); !w.over(); {
		w.begin()
		w.end()
		if joins > 0 && w.random.IntN(3) == 0 && w.format.Total().Joinable {
			w.join()
			latest = w.event.Entries[len(w.event.Entries)-1].Name
			joins--
		}
		if leaves && w.random.IntN(6) == 0 && latest != "" {
			w.leave(latest)
			w.leave("bot1")
			leaves = false
		}
		w.check()
	}
	w.check()
	if total := w.format.Total(); total.Matches != len(w.done) || total.Bound != tournament.Exactly || total.Joinable {
		w.t.Errorf("total %+v after %d matches", total, len(w.done))
	}
}

// wantRounds checks the pairings of an event that no bot has left.
func (w *withdrawal) wantRounds() {
	w.t.Helper()
	rounds := make([]map[string]string, w.event.Settings.Plan.Rounds) // the opponent of each bot
	first := make([]int, len(rounds))                                 // match
	for _, m := range w.done {
		r := m.Round - 1
		if rounds[r] == nil {
			rounds[r], first[r] = map[string]string{}, m.Match
		}
		first[r] = min(first[r], m.Match)
		for _, pair := range [][2]string{{m.First, m.Second}, {m.Second, m.First}} {
			if other, met := rounds[r][pair[0]]; met && other != pair[1] {
				w.t.Fatalf("round %d: %s meets %s and %s", m.Round, pair[0], other, pair[1])
			}
			rounds[r][pair[0]] = pair[1]
		}
	}
	met := map[[2]string]bool{}
	for r, pairs := range rounds {
		w.wantRound(r+1, w.presentAt(first[r]), pairs, met)
	}
}

// presentAt returns the bots that can be paired for a match.
func (w *withdrawal) presentAt(match int) (names []string) {
	for _, entry := range w.event.Entries {
		if w.event.Joined()[entry.Name] <= match {
			names = append(names, entry.Name)
		}
	}
	return names
}

// wantRound checks one round and adds its pairs to met, which has the pairs of the earlier rounds. The bye counts as a
// bot without a name.
func (w *withdrawal) wantRound(round int, present []string, pairs map[string]string, met map[[2]string]bool) {
	w.t.Helper()
	if len(present)%2 == 1 {
		present = append(present, "")
	}
	possible, again := canPair(present, met), ""
	for _, name := range present {
		if name == "" {
			continue
		}
		key := [2]string{min(name, pairs[name]), max(name, pairs[name])} // the bot without an opponent has the bye
		if met[key] {
			again = fmt.Sprintf("%q meet again", key)
		}
	}
	for _, name := range present {
		met[[2]string{min(name, pairs[name]), max(name, pairs[name])}] = true
	}
	if byes := len(present) - len(pairs); byes != 0 && byes != 2 || byes == 2 && !slices.Contains(present, "") {
		w.t.Fatalf("round %d: %d of %d are paired: %v", round, len(pairs), len(present), pairs)
	}
	if again != "" && possible {
		w.t.Errorf("round %d: %s", round, again)
	}
}

// canPair reports whether all these bots can be paired without a rematch.
func canPair(bots []string, met map[[2]string]bool) bool {
	if len(bots) == 0 {
		return true
	}
	for i := 1; i < len(bots); i++ {
		if !met[[2]string{min(bots[0], bots[i]), max(bots[0], bots[i])}] && canPair(slices.Concat(bots[1:i], bots[i+1:]), met) {
			return true
		}
	}
	return false
}

// The rounds that a bot has missed give it no points. It does not get the bye of its first round, and is paired there.
func TestLateJoinPoints(t *testing.T) {
	e := swissOf(4, 3, 1)
	w := &withdrawal{t: t, event: e, random: rand.New(rand.NewPCG(1, 1)), result: byStrength, format: New(e), last: map[string]int{}}
	w.begin()
	w.join()
	for !w.over() {
		w.begin()
		w.end()
	}
	if len(w.done) != 6 || w.format.Total() != (tournament.Total{Matches: 6}) {
		t.Errorf("%d matches, total %+v", len(w.done), w.format.Total())
	}
	played := map[int]bool{}
	for _, m := range w.done {
		if m.First == "late4" || m.Second == "late4" {
			played[m.Round] = true
		}
	}
	last := w.format.Standings().Places[4]
	if last.Name != "late4" || played[1] || !played[2] || last.Values[0] > 1 {
		t.Errorf("late4 has played in the rounds %v: %+v", played, last)
	}
}

// A file may claim anything about its bots: nobody was there in the first round.
func TestAllJoinLater(t *testing.T) {
	for n := 2; n <= 5; n++ {
		e := swissOf(n, 0, 1)
		for i, entry := range e.Entries {
			e.Memberships = append(e.Memberships, tournament.Membership{Name: entry.Name, From: 2 + i/2, To: tournament.NotLeft})
		}
		done := sweep(e, byStrength)
		if total := After(e, done).Total(); total.Matches != len(done) || total.Open() {
			t.Errorf("%d bots: %d matches, total %+v", n, len(done), total)
		}
	}
}
