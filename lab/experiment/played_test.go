package experiment

import (
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	wanted := table1Events(t, settings())[0]
	if e, err := Find(t.Context(), memory{}, wanted); err != nil || e.ID != 0 || e.Name != wanted.Name {
		t.Errorf("with an empty store: %+v, %v", e, err)
	}
	old := wanted
	old.ID, old.Seed = 3, 99
	recorded := wanted
	recorded.ID, recorded.Matches, recorded.Concurrency = 5, 2, 4
	recorded.Entries = nil
	for _, entry := range wanted.Entries {
		// As if the program that recorded it had lacked this option.
		entry.Spec = strings.TrimSuffix(entry.Spec, ",seed=0")
		recorded.Entries = append(recorded.Entries, entry)
	}
	e, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), old, recorded)}, wanted)
	if err != nil || e.ID != 5 || e.Matches != 2 {
		t.Errorf("found %+v, %v, want event 5", e, err)
	}
}

func TestFindRejectsOtherConditions(t *testing.T) {
	wanted := table1Events(t, settings())[0]
	for why, spoil := range map[string]func(*Config){
		"seed 8":          func(s *Config) { s.Seed = 8 },
		"2x3":             func(s *Config) { s.Size.Height = 3 },
		"mcts:playouts=9": func(s *Config) { s.Playouts = 9 },
	} {
		s := settings()
		spoil(&s)
		_, err := Find(t.Context(), memory{events: table1Events(t, s)[:1]}, wanted)
		if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), Conditions(wanted)) {
			t.Errorf("error %v, want one that says %q and %q", err, why, Conditions(wanted))
		}
	}
	clocked := wanted
	clocked.Clock.PerMove = time.Second
	if _, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), clocked)}, wanted); err == nil || !strings.Contains(err.Error(), "1s a move") {
		t.Errorf("an event with a clock: error %v", err)
	}
	set := wanted
	set.Settings.Adjudication.MaxTurns = 100
	if _, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), set)}, wanted); err == nil || !strings.Contains(err.Error(), `"max_turns":100`) {
		t.Errorf("an event with settings: error %v", err)
	}
	swapped := wanted
	swapped.Entries = append(wanted.Entries[1:2:2], wanted.Entries[0])
	if _, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), swapped)}, wanted); err == nil {
		t.Error("an event with its bots swapped is accepted")
	}
	gone := table1Events(t, settings())[0]
	gone.Entries[0].Spec = "mcts:temperature=7"
	if _, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), gone)}, wanted); err == nil || !strings.Contains(err.Error(), "temperature=7") {
		t.Errorf("a spec with an unknown option: error %v", err)
	}
}

// trial returns the event of a variant with one recorded match per letter, decided from the
// variant's side: "W", "L", "D", or "." for one that is still open. Every second match has MCTS2
// first, as in a round-robin.
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

// The test stops at the first match that is still open.
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
		{"WWW.", 40, 4, 73}, // the recorded matches are played first,
		{"WWWWWWWW.", 40, 9, 1},
		{"WWWWWWW.", 4, 8, 1}, // even beyond the limit
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
