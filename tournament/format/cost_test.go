package format

import (
	"fmt"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// only lets the named bots play, and counts the questions of the format.
type only struct {
	names map[string]bool
	asked int
}

func (o *only) Bot(name string) bool {
	o.asked++
	return o.names == nil || o.names[name]
}

func (o *only) Match(p tournament.Pairing) bool {
	o.asked++
	return o.names == nil || o.names[p.First] && o.names[p.Second]
}

// A league looks at a few matches to find the next one, and remembers only the matches that finish
// out of order, even if one pair of bots is stuck in the first match while others play a million.
func TestLeagueRemembersLittle(t *testing.T) {
	for _, kind := range []string{tournament.RoundRobin, tournament.Gauntlet} {
		e := planned(5, tournament.MaxMatches, tournament.Plan{Kind: kind, Seeds: 2})
		if kind == tournament.RoundRobin {
			e.Settings.Plan.Seeds = 0
		}
		f := New(e).(*league)
		stuck, _ := f.Next(tournament.Everyone{})
		others := &only{names: map[string]bool{}}
		for _, name := range f.names {
			others.names[name] = name != stuck.First && name != stuck.Second
		}
		others.names[stuck.Second] = kind == tournament.Gauntlet // otherwise no bot could play the others
		const matches = 20_000
		for range matches {
			p, ok := f.Next(others)
			if !ok {
				t.Fatalf("%s: nothing to play for %v", kind, others.names)
			}
			f.Add(byStrength(p))
		}
		if kept := len(f.ahead) + len(f.pending) + len(f.inPlay); kept > 20 || others.asked > matches*100 {
			t.Errorf("%s: %d things kept after %d matches, %d questions", kind, kept, matches, others.asked)
		}
		f.Add(byStrength(stuck))
		if p, ok := f.Next(tournament.Everyone{}); !ok || p.Match != 3 {
			t.Errorf("%s: after the first match comes %+v", kind, p)
		}
	}
}

// Bots that are free find each other however many others are busy.
func TestLeagueFindsTheFreeBots(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for i, a := range names(n) {
			for _, b := range names(n)[i+1:] {
				f := New(eventOf(n, 1_000_000))
				for range 3 * n {
					p, ok := f.Next(&only{names: map[string]bool{a: true, b: true}})
					if !ok || min(p.First, p.Second) != a || max(p.First, p.Second) != b {
						t.Fatalf("of %d bots %s and %s are free, next is %+v", n, a, b, p)
					}
				}
			}
		}
	}
}

// With strikes the matches of a bot that is set aside are counted, not listed: an event of 10^9
// matches a pairing is over at once when no bot is left.
func TestLongPlanWithStrikes(t *testing.T) {
	for _, games := range []tournament.StruckGames{tournament.CountGames, tournament.VoidGames} {
		e := eventOf(3, tournament.MaxMatches)
		e.Settings.Strikes = tournament.Strikes{Faults: 1, Games: games}
		f := New(e)
		for _, bot := range []string{"bot0", "bot2"} {
			for {
				p, ok := f.Next(tournament.Everyone{})
				if !ok {
					t.Fatalf("%s has no match to fail in", bot)
				}
				f.Add(faulty(bot)(p))
				if f.SetAside()[bot] > 0 {
					break
				}
			}
		}
		if p, ok := f.Next(tournament.Everyone{}); ok {
			t.Errorf("one bot is left, and is to play %+v", p)
		}
		played := 0
		for _, p := range f.Standings().Places {
			played += p.Played
		}
		if want := 2 * 3 * tournament.MaxMatches; games == tournament.CountGames && played != want {
			t.Errorf("%d matches in the standings, want %d", played, want)
		}
	}
}

// A format starts at once with any plan.
func TestLongPlansStart(t *testing.T) {
	for _, k := range kinds() {
		e := planned(2, k.most, tournament.Plan{Kind: k.name})
		if k.name == tournament.SPRT {
			e.Settings.Plan.SPRT = rating.SPRT{Elo1: 5}
		}
		if err := Validate(e); err != nil {
			t.Fatal(err)
		}
		var p tournament.Pairing
		if allocated := testing.AllocsPerRun(1, func() { p, _ = New(e).Next(tournament.Everyone{}) }); p.Match != 1 || allocated > 200 {
			t.Errorf("%s of %d matches: first %+v, %.0f allocations", k.name, k.most, p, allocated)
		}
		e.Matches++
		if err := Validate(e); err == nil {
			t.Errorf("%s of %d matches: no error", k.name, e.Matches)
		}
	}
}

// The memory of a ladder and an sprt does not grow with the number of played matches.
func TestEndlessFormatsForget(t *testing.T) {
	for _, kind := range []string{tournament.Ladder, tournament.SPRT} {
		e := planned(2, 0, tournament.Plan{Kind: kind})
		if kind == tournament.SPRT {
			e.Settings.Plan.SPRT = rating.SPRT{Elo0: 0.1, Elo1: 0.2}
		}
		f := New(e)
		size := func() string {
			switch f := f.(type) {
			case *ladder:
				return fmt.Sprint(len(f.rungs), len(f.pending), len(f.inPlay), len(f.field.met), len(f.met))
			case *sprt:
				return fmt.Sprint(len(f.pending), len(f.inPlay), len(f.met))
			}
			return ""
		}
		early := ""
		for i := range 5000 {
			p, ok := f.Next(tournament.Everyone{})
			if !ok {
				t.Fatalf("%s: after %d matches nothing is left to play", kind, i)
			}
			if f.Add(level(p)); i == 50 {
				early = size()
			}
		}
		if late := size(); late != early {
			t.Errorf("%s keeps %s after 50 matches, %s after 5000", kind, early, late)
		}
	}
}
