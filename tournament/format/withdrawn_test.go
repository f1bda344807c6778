package format

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/tournament"
)

// withdrawal is the rehearsal of an event that bots leave.
type withdrawal struct {
	t      *testing.T
	event  tournament.Event
	format tournament.Format
	random *rand.Rand
	result func(tournament.Pairing) tournament.MatchResult

	playing []tournament.Pairing
	done    []tournament.MatchResult
	last    map[string]int // the last match that each bot has begun
}

// Bot and Match let matches begin in any order, as if bots were away now and then.
func (w *withdrawal) Bot(string) bool               { return true }
func (w *withdrawal) Match(tournament.Pairing) bool { return w.random.IntN(3) > 0 }

// begin begins matches, so that some are played at once.
func (w *withdrawal) begin() {
	for len(w.playing) < 4 {
		p, ok := w.format.Next(w)
		if !ok {
			break
		}
		w.play(p)
	}
}

// play begins a match.
func (w *withdrawal) play(p tournament.Pairing) {
	for _, name := range []string{p.First, p.Second} {
		if last, left := w.event.Withdrawn()[name]; left && p.Match > last {
			w.t.Fatalf("%+v begins, and %s has left after match %d", p, name, last)
		}
		w.last[name] = max(w.last[name], p.Match)
	}
	w.playing = append(w.playing, p)
}

// end ends a match, if one is played.
func (w *withdrawal) end() {
	if len(w.playing) == 0 {
		return
	}
	i := w.random.IntN(len(w.playing))
	w.done = append(w.done, w.result(w.playing[i]))
	w.format.Add(w.done[len(w.done)-1])
	w.playing = slices.Delete(w.playing, i, i+1)
}

// leave lets a bot leave after the last match that it has begun, or after its last match with a
// final result.
func (w *withdrawal) leave(name string) {
	to := max(w.last[name], w.format.Settled(name))
	w.event.Memberships = append(slices.Clip(w.event.Memberships), tournament.Membership{Name: name, From: max(1, w.event.Joined()[name]), To: to})
	w.event.Memberships = slices.DeleteFunc(w.event.Memberships, func(m tournament.Membership) bool { return m.Name == name && m.To == tournament.NotLeft })
	w.format.SetLineup(w.event)
}

// over reports whether nothing is left to play.
func (w *withdrawal) over() bool {
	p, left := w.format.Next(tournament.Everyone{})
	if left {
		w.play(p)
	}
	return len(w.playing) == 0
}

// check checks that the format stands as if it were told now all that has happened, in another order.
func (w *withdrawal) check() {
	w.t.Helper()
	again := slices.Clone(w.done)
	w.random.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
	resumed := After(w.event, again)
	if a, b := w.format.Standings(), resumed.Standings(); !reflect.DeepEqual(a, b) {
		w.t.Fatalf("after %d matches, left %v: %+v, told again %+v", len(w.done), w.event.Withdrawn(), a, b)
	}
	for _, entry := range w.event.Entries { // Due counts matches in progress, too
		if a, b := w.format.Due(entry.Name), resumed.Due(entry.Name); a != b {
			w.t.Fatalf("after %d matches, left %v: %s has matches to play: %v, told again %v", len(w.done), w.event.Withdrawn(), entry.Name, a, b)
		}
	}
	if a, b := w.format.Total(), resumed.Total(); a != b || a.Matches < len(w.done) {
		w.t.Fatalf("after %d matches, left %v: total %+v, told again %+v", len(w.done), w.event.Withdrawn(), a, b)
	}
}

// Bots leave events of all formats whenever they like. Each event ends, without matches that they had not begun, and
// stands at each time as if all had been told in another order.
func TestWithdrawals(t *testing.T) {
	for n := 2; n <= 6; n++ {
		events := formats(n)
		events[fmt.Sprintf("placement of %d", n)] = planned(n, 20, tournament.Plan{Kind: tournament.Placement, Within: 1})
		for name, e := range events {
			if e.Settings.Plan.Kind == tournament.Ladder {
				continue
			}
			for seed := range uint64(8) {
				e.Settings.Strikes = tournament.Strikes{}
				w := &withdrawal{t: t, event: e, random: rand.New(rand.NewPCG(seed, 7)), result: chancy(seed), last: map[string]int{}}
				if seed%2 == 1 {
					w.event.Settings.Strikes.Faults, w.result = 2, faulty("bot0")
				}
				w.format = New(w.event)
				t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
					w.t = t
					w.playAndLeave()
				})
			}
		}
	}
}

func (w *withdrawal) playAndLeave() {
	leaves := w.random.IntN(12)
	for step := 0; ; step++ {
		w.begin()
		w.end()
		switch {
		case step == leaves:
			w.leave("bot1")
		case step == leaves+5 && len(w.event.Entries) > 3:
			w.leave("bot2")
		}
		if step%4 == 0 || step == leaves || step == leaves+5 {
			w.check()
		}
		if step > leaves+5 && w.over() {
			break
		}
	}
	w.check()
	if total := w.format.Total(); total.Matches != len(w.done) || total.Bound != tournament.Exactly {
		w.t.Errorf("total %+v after %d matches", total, len(w.done))
	}
	if w.format.Due("bot1") || w.format.Due("bot0") {
		w.t.Error("at the end a bot has matches to play")
	}
	if places := w.format.Standings().Places; len(places) != len(w.event.Entries) {
		w.t.Errorf("places %+v", places)
	}
}
