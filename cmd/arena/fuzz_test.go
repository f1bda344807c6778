package main

import (
	"encoding/json"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// An event in a config file can be requested over HTTP, too; an error names the file with the fault.
func FuzzConfig(f *testing.F) {
	f.Add(recipe.Template())
	f.Add("bots = [\"random\", \"a=greedy\"]\ntime = \"5s\"\n[plan]\nkind = \"sprt\"\n[plan.sprt]\nelo1 = 5.0\n")
	f.Add("[[bot]]\nname = \"a\"\nspec = \"mcts:nodes=64\"\n[lenience]\nmargin = \"292y\"\n")
	f.Add("size.width = 4\nplan.kind.name = 1")
	f.Add("size = \"9x9\"\nseed = 18446744073709551615\nmatches = -9223372036854775808\n")
	f.Add(strings.Repeat("[", 1000) + "\nx = {a={a={a={a=1979-05-27T07:32:00Z}}}}\nplan.sprt.elo0 = nan")
	f.Fuzz(func(t *testing.T, text string) {
		testkit.CheckAllocation(t, len(text), 1024, func() {
			var e tournament.Event
			if err := parseConfig("event.toml", []byte(text), &e); err != nil {
				if !strings.HasPrefix(err.Error(), "event.toml:") {
					t.Errorf("error %v, want one that begins with the file", err)
				}
				return
			}
			if e.Settings.Plan.SPRT.Validate() != nil {
				return // JSON has no NaN and no infinity; the plan is refused before it is sent
			}
			body, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			var again tournament.Event
			if err := json.Unmarshal(body, &again); err != nil {
				t.Errorf("%q is sent as %s, which cannot be read: %v", text, body, err)
			}
		})
	})
}
