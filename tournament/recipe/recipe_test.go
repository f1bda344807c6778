package recipe_test

import (
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

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
