package format

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// rehearsal plays a format without games.
type rehearsal struct {
	event  tournament.Event
	result func(p tournament.Pairing) tournament.MatchResult // of a match, the same each time
	atOnce int                                               // matches
	order  *rand.Rand                                        // of the matches' ends
}

// eventOf returns an event of n bots.
func eventOf(n, matches int) tournament.Event {
	e := tournament.Event{Name: "test", Size: rules.Size{Width: 3, Height: 2}, Seed: 42, Matches: matches, Concurrency: 1}
	for _, name := range names(n) {
		e.Entries = append(e.Entries, tournament.Entry{Name: name, Spec: "random"})
	}
	return e
}

// chancy returns random results that depend on the seed and the match only.
func chancy(seed uint64) func(tournament.Pairing) tournament.MatchResult {
	return func(p tournament.Pairing) tournament.MatchResult {
		random := rand.New(rand.NewPCG(seed, uint64(p.Match)))
		legs := [2]tournament.Summary{{Score: random.IntN(4)}, {Score: random.IntN(4)}}
		return decided(p, legs)
	}
}

// decided returns the result of a match with these games.
func decided(p tournament.Pairing, legs [2]tournament.Summary) tournament.MatchResult {
	var book tournament.Scorebook
	book.Add(tournament.Result{Pairing: p, Leg: 1, Summary: legs[0]})
	m, _ := book.Add(tournament.Result{Pairing: p, Leg: 2, Summary: legs[1]})
	return m
}

// level makes every match a draw.
func level(p tournament.Pairing) tournament.MatchResult {
	return tournament.MatchResult{Pairing: p, Outcome: tournament.Drawn, By: tournament.ByScore}
}

// byStrength lets the bot with the alphabetically first name win.
func byStrength(p tournament.Pairing) tournament.MatchResult {
	m := tournament.MatchResult{Pairing: p, Outcome: tournament.SecondWins, By: tournament.ByScore}
	if p.First < p.Second {
		m.Outcome = tournament.FirstWins
		m.Legs[0].Score = 4
	} else {
		m.Legs[1].Score = 4
	}
	return m
}

// play plays to the end, or until most matches are decided. It plays several at once,
// which end in a random order. Now and then the event is resumed: then the matches that
// are played must come again.
func (r *rehearsal) play(t *testing.T, most int) []tournament.MatchResult {
	t.Helper()
	var done []tournament.MatchResult
	var playing []tournament.Pairing
	for f := New(r.event); len(done) < most; {
		if r.order.IntN(10) == 0 {
			f = r.resumed(t, done, playing)
		}
		for len(playing) < r.atOnce {
			p, ok := f.Next(tournament.Everyone{})
			if !ok {
				break
			}
			playing = append(playing, p)
		}
		if len(playing) == 0 {
			return done
		}
		i := r.order.IntN(len(playing))
		done = append(done, r.result(playing[i]))
		f.Add(done[len(done)-1])
		playing = slices.Delete(playing, i, i+1)
	}
	return done
}

// resumed returns the format after these matches, once it has given out the matches in progress.
func (r *rehearsal) resumed(t *testing.T, done []tournament.MatchResult, playing []tournament.Pairing) tournament.Format {
	t.Helper()
	f := After(r.event, done)
	again := onlyThese(slices.Clone(playing))
	for range playing {
		p, ok := f.Next(again)
		if i := slices.Index(again, p); !ok || i < 0 {
			t.Fatalf("after %d matches %+v comes again, not one of %+v", len(done), p, again)
		} else {
			again = slices.Delete(again, i, i+1)
		}
	}
	return f
}

// onlyThese lets only these matches start.
type onlyThese []tournament.Pairing

func (o onlyThese) Bot(name string) bool {
	return slices.ContainsFunc(o, func(p tournament.Pairing) bool { return p.First == name || p.Second == name })
}
func (o onlyThese) Match(p tournament.Pairing) bool { return slices.Contains(o, p) }

// rehearse plays one match after the other.
func rehearse(t *testing.T, e tournament.Event, result func(tournament.Pairing) tournament.MatchResult, most int) []tournament.MatchResult {
	t.Helper()
	r := rehearsal{event: e, result: result, atOnce: 1, order: rand.New(rand.NewPCG(1, 1))}
	return r.play(t, most)
}

// drain gives out all matches that can be played.
func drain(f tournament.Format) (all []tournament.Pairing) {
	for {
		p, ok := f.Next(tournament.Everyone{})
		if !ok {
			return all
		}
		all = append(all, p)
	}
}

// pairings returns the matches' pairings by number.
func pairings(done []tournament.MatchResult) []tournament.Pairing {
	var all []tournament.Pairing
	for _, m := range done {
		all = append(all, m.Pairing)
	}
	slices.SortFunc(all, func(a, b tournament.Pairing) int { return a.Match - b.Match })
	return all
}

// planned returns an event of n bots with a plan.
func planned(n, matches int, plan tournament.Plan) tournament.Event {
	e := eventOf(n, matches)
	e.Settings.Plan = plan
	return e
}

// formats returns events of n bots in all formats, by name.
func formats(n int) map[string]tournament.Event {
	all := map[string]tournament.Event{}
	for _, matches := range []int{1, 2, 3} {
		for _, kind := range []string{tournament.RoundRobin, tournament.Gauntlet, tournament.Swiss, tournament.Knockout, tournament.DoubleElimination, tournament.Ladder} {
			all[fmt.Sprintf("%s of %d, %d matches", kind, n, matches)] = planned(n, matches, tournament.Plan{Kind: kind})
		}
	}
	if n == 2 {
		for _, pairs := range []bool{false, true} {
			e := planned(2, 200, tournament.Plan{Kind: tournament.SPRT, SPRT: rating.SPRT{Elo1: 100}, Ahead: 6})
			if pairs {
				e.Settings.Openings.Starts = []string{"2,0,0/0,2,0 D 0 9"}
			}
			all[fmt.Sprintf("sprt, pairs %v", pairs)] = e
		}
	}
	return all
}

// The same matches are played in whichever order they end, however many are played at
// once, and wherever the event is resumed.
func TestFormatsIgnoreOrderOfResults(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for name, e := range formats(n) {
			for seed := range uint64(6) {
				whole := pairings(rehearse(t, e, chancy(seed), 2000))
				r := rehearsal{e, chancy(seed), 2 + int(seed)*3, rand.New(rand.NewPCG(seed, 7))}
				if again := pairings(r.play(t, 2000)); !slices.Equal(whole, again) {
					t.Fatalf("%s, seed %d: %d matches, %d at once\n%v\n%v", name, seed, len(whole), r.atOnce, whole, again)
				}
			}
		}
	}
}

func TestFormatsNumberMatches(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for name, e := range formats(n) {
			for _, result := range []func(tournament.Pairing) tournament.MatchResult{chancy(5), level, byStrength} {
				done := rehearse(t, e, result, 2000)
				wantNumbered(t, name, n, pairings(done))
				if total := After(e, done).Total(); total.Matches != len(done) || total.Bound != tournament.Exactly {
					t.Errorf("%s: total %+v after %d matches", name, total, len(done))
				}
			}
		}
	}
}

// wantNumbered checks that every bot plays, that numbers are unique, and that the
// matches of two bots are counted and swap sides in pairs.
func wantNumbered(t *testing.T, name string, n int, all []tournament.Pairing) {
	t.Helper()
	last := map[[2]string]tournament.Pairing{}
	number := 0
	played := map[string]bool{}
	for _, p := range all {
		if p.Match <= number || p.First == p.Second || p.Round < 1 {
			t.Fatalf("%s: %+v after match %d", name, p, number)
		}
		number = p.Match
		key := [2]string{min(p.First, p.Second), max(p.First, p.Second)}
		before := last[key]
		if p.Nth != before.Nth+1 || p.Nth%2 == 0 && (p.First != before.Second || p.Second != before.First) {
			t.Fatalf("%s: %+v comes after %+v", name, p, before)
		}
		last[key] = p
		played[p.First], played[p.Second] = true, true
	}
	if len(played) != n {
		t.Fatalf("%s: %d bots have played, want %d", name, len(played), n)
	}
}

// With an even number of matches every bot is first as often as second, and with an
// odd one nearly so.
func TestFormatsBalanceSides(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for name, e := range formats(n) {
			for seed := range uint64(4) {
				balance := map[string]int{}
				for _, p := range pairings(rehearse(t, e, chancy(seed), 2000)) {
					balance[p.First]++
					balance[p.Second]--
				}
				for bot, b := range balance {
					if most := mostImbalance(e); b > most || b < -most {
						t.Errorf("%s, seed %d: %s is first %d times more than second", name, seed, bot, b)
					}
				}
			}
		}
	}
}

// mostImbalance returns how much more often a bot may be first than second, or second
// than first.
func mostImbalance(e tournament.Event) int {
	n := len(e.Entries)
	switch e.Settings.Plan.Kind {
	case tournament.RoundRobin:
		return e.Matches % 2 * (n - 1) // of each pair the earlier entry is first
	case tournament.Gauntlet:
		return e.Matches % 2
	case tournament.Swiss:
		return e.Matches % 2 * 2
	case tournament.SPRT:
		return 1
	}
	return n
}

func TestFormatsByStrength(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for name, e := range formats(n) {
			places := After(e, rehearse(t, e, byStrength, 2000)).Standings().Places
			if len(places) != n || places[0].Name != "bot0" || places[0].Place != 1 {
				t.Errorf("%s: the strongest bot is not the first: %+v", name, places)
			}
		}
	}
}
