package experiment

import (
	"strings"
	"testing"
	"time"

	"versus2048/rules"
)

// These are the names, bots and seed under which the events are looked for.
func TestTable1Events(t *testing.T) {
	s := Settings{Matches: PaperMatches, Playouts: PaperPlayouts, Size: rules.Full, Seed: 1, Concurrency: 2}
	const mcts, dag, evminimax = "mcts:playouts=10000,c=1000,expand=5", "dag:playouts=10000,c=1000,expand=5", "evminimax:depth=3"
	for i, want := range []struct{ name, first, second string }{
		{"table1 MCTS/evMiniMax", "MCTS=" + mcts, "evMiniMax=" + evminimax},
		{"table1 MCTS2/evMiniMax", "MCTS2=" + dag, "evMiniMax=" + evminimax},
		{"table1 MCTS2/MCTS", "MCTS2=" + dag, "MCTS=" + mcts},
	} {
		e := table1Events(t, s)[i]
		if e.Name != want.name || e.Matches != 80 || e.Seed != 1 || e.Size != rules.Full || e.Rules != rules.GPCC2015 {
			t.Errorf("event %+v, want %q", e, want.name)
		}
		for j, bot := range []string{want.first, want.second} {
			name, spec, _ := strings.Cut(bot, "=")
			if got := e.Entries[j]; got.Name != name || got.Spec != fullSpec(spec) {
				t.Errorf("%s: bot %+v, want %s", e.Name, got, bot)
			}
		}
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for why, spoil := range map[string]func(*Settings){
		"playouts=0":      func(s *Settings) { s.Playouts = 0 },
		"0 matches":       func(s *Settings) { s.Matches = 0 },
		"0 games at once": func(s *Settings) { s.Concurrency = 0 },
		"5x2":             func(s *Settings) { s.Size.Width = 5 },
	} {
		s := settings()
		spoil(&s)
		if _, err := Table1Events(s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want one that says %q", err, why)
		}
	}
}

func TestFind(t *testing.T) {
	wanted := table1Events(t, settings())[0]
	if e, err := Find(t.Context(), memory{}, wanted); err != nil || e.ID != 0 || e.Name != wanted.Name {
		t.Errorf("where nothing is on record: %+v, %v", e, err)
	}
	old := wanted
	old.ID, old.Seed = 3, 99
	recorded := wanted
	recorded.ID, recorded.Matches, recorded.Concurrency = 5, 2, 4
	recorded.Entries = nil
	for _, entry := range wanted.Entries {
		// As if the program that recorded it had had one option less.
		entry.Spec = strings.TrimSuffix(entry.Spec, ",seed=0")
		recorded.Entries = append(recorded.Entries, entry)
	}
	e, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), old, recorded)}, wanted)
	if err != nil || e.ID != 5 || e.Matches != 2 {
		t.Errorf("found %+v, %v, want event 5", e, err)
	}
}

func TestFindRefusesOtherConditions(t *testing.T) {
	wanted := table1Events(t, settings())[0]
	for why, spoil := range map[string]func(*Settings){
		"seed 8":          func(s *Settings) { s.Seed = 8 },
		"2x3":             func(s *Settings) { s.Size.Height = 3 },
		"mcts:playouts=9": func(s *Settings) { s.Playouts = 9 },
	} {
		s := settings()
		spoil(&s)
		e := table1Events(t, s)[0]
		e.ID = 2
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
		t.Error("an event with its bots swapped is taken")
	}
	gone := table1Events(t, settings())[0]
	gone.Entries[0].Spec = "mcts:temperature=7"
	if _, err := Find(t.Context(), memory{events: append(table1Events(t, settings()), gone)}, wanted); err == nil || !strings.Contains(err.Error(), "temperature=7") {
		t.Errorf("a spec that is no more: error %v", err)
	}
}
