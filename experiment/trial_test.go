package experiment

import (
	"testing"
	"time"
)

// trial is the event of a variant with so many matches on record, each decided
// as the text says from the variant's side: "W", "L", "D", or "." for one that is
// still open. Every second match has MCTS2 first, as in a round-robin.
func trial(t *testing.T, variant, matches string) Played {
	t.Helper()
	variants, err := VariantsNamed([]string{variant})
	if err != nil {
		t.Fatal(err)
	}
	s := settings()
	s.Time = 5
	events, err := ImprovementEvents(variants, s)
	if err != nil {
		t.Fatal(err)
	}
	p := Played{Event: events[0]}
	if matches == "" {
		return p
	}
	p.Event.ID, p.Event.Matches = 21, len(matches)
	tiles := map[rune][2]int{'W': {64, 32}, 'L': {32, 64}, 'D': {32, 32}}
	for i, m := range matches {
		scored, decided := tiles[m]
		if !decided {
			p.Games = append(p.Games, mated(t, p.Event, i+1, 1, 16))
			continue
		}
		for leg, tile := range scored {
			g := mated(t, p.Event, i+1, leg+1, tile)
			if i%2 == 1 {
				g.First, g.Second, g.Leg = g.Second, g.First, 2-leg
			}
			g.Record.Times = []time.Duration{time.Duration(5+leg) * time.Millisecond}
			p.Games = append(p.Games, g)
		}
	}
	return p
}

// The test goes no further than to the first match that is still open.
func TestFinding(t *testing.T) {
	for matches, want := range map[string]Finding{
		"":                       Undecided,
		"WWWWWWW":                Undecided,
		"WWWWWWWW":               Better,
		"WWWWWWWWLLLLLLLLLLLLLL": Better,
		"LLLLLLLL":               Worse,
		".WWWWWWWWWWWW":          Undecided,
		"WWWWWWWW.LLL":           Better,
		"WWW.WWWWWWWWW":          Undecided,
		"DDDDDDDDDDDDDDDDDDDDDD": NoGreatDifference,
	} {
		if got := trial(t, "edges", matches).Finding(); got != want {
			t.Errorf("%q: %s, want %s", matches, got, want)
		}
	}
}

func TestNext(t *testing.T) {
	for _, tc := range []struct {
		matches         string
		most, want      int
		gamesLeftOfMost int
	}{
		{"", 40, 4, 80},
		{"", 3, 3, 6},
		{"WWWW", 40, 8, 72},
		{"WWWW", 6, 6, 4},
		{"WWW.", 40, 4, 73}, // what is on record is played first,
		{"WWWWWWWW.", 40, 9, 63},
		{"WWWWWWW.", 4, 8, 0}, // also beyond the limit
		{"WWWWWWWW", 40, 0, 0},
		{"WLWL", 4, 0, 0},
		{"WLWL", 2, 0, 0},
	} {
		p := trial(t, "edges", tc.matches)
		if got := p.Next(tc.most, 4); got != tc.want {
			t.Errorf("%q of %d: next %d, want %d", tc.matches, tc.most, got, tc.want)
		}
		if got := p.GamesLeft(tc.most); got != tc.gamesLeftOfMost {
			t.Errorf("%q of %d: %d games left, want %d", tc.matches, tc.most, got, tc.gamesLeftOfMost)
		}
	}
}

func TestSummary(t *testing.T) {
	if got := trial(t, "edges", "WWWLWDWWWW.").Summary(); got != "10 matches, 8-1-1: undecided" {
		t.Error(got)
	}
}
