package recipe_test

import (
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// The hypotheses of a new test are 0.1 Elo apart or more, also where their difference as numbers is a little less.
func TestHypothesesApart(t *testing.T) {
	for hypotheses, good := range map[[2]float64]bool{
		{0, 5}: true, {0.2, 0.3}: true, {-0.3, -0.2}: true, {399.9, 400}: true, {0, 0.0999}: false, {-1e-300, 0}: false,
	} {
		var e tournament.Event
		recipe.Prepare(&e)
		e.Settings.Plan.Kind, e.Settings.Plan.SPRT.Elo0, e.Settings.Plan.SPRT.Elo1 = tournament.SPRT, hypotheses[0], hypotheses[1]
		if err := recipe.Complete(&e, recipe.LoadDrawnOpenings); (err == nil) != good {
			t.Errorf("%v: %v", hypotheses, err)
		}
	}
}

// A bot that connected under a name that is read as a spec today has no command, and its file says so.
func TestNamesReadAsSpecs(t *testing.T) {
	for name, spec := range map[string]bool{
		"bob": false, "a=b": false, "a=b=greedy": false, "a: b=greedy": false, "my mcts": false, "spec: mcts": false,
		"greedy": true, "greedy:seed=1": true, "a=greedy": true, "a=greedy:seed=1": true, "mcts:of an earlier version": true,
	} {
		e := tournament.Event{Rules: rules.GPCC2015, Size: rules.Full, Entries: []tournament.Entry{{Name: name}, {Name: "ann", Spec: "greedy"}}}
		if command := recipe.Command(e, ""); spec != (command == "") {
			t.Errorf("%s: command %q", name, command)
		}
		if file := recipe.TOML(e); spec != strings.Contains(file, "# No bot may connect as") {
			t.Errorf("%s: file %s", name, file)
		}
	}
}

// All that repeats a Swiss event leaves out a bot that joined it late. A ladder keeps such a bot.
func TestLateBots(t *testing.T) {
	for format, stays := range map[string]bool{tournament.Swiss: false, tournament.Ladder: true} {
		e := tournament.Event{
			Rules: rules.GPCC2015, Size: rules.Full,
			Entries:     []tournament.Entry{{Name: "ann", Spec: "greedy"}, {Name: "bob", Spec: "greedy"}, {Name: "zoe", Spec: "greedy"}},
			Memberships: []tournament.Membership{{Name: "zoe", From: 5, To: tournament.NotLeft}},
		}
		e.Settings.Plan.Kind = format
		again, _ := recipe.Again(e)
		for _, text := range []string{strings.Join(again.Bots, " "), recipe.Command(e, ""), recipe.TOML(e)} {
			if !strings.Contains(text, "bob") || strings.Contains(text, "zoe") != stays {
				t.Errorf("%s: %s", format, text)
			}
		}
		if len(e.Entries) != 3 {
			t.Errorf("%s: the event itself has the bots %+v", format, e.Entries)
		}
	}
}
