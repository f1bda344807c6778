package lobby

import (
	"testing"

	"versus2048/tournament"
)

// Bots that come uninvited do not take the places of bots that are expected by name.
func TestComplete(t *testing.T) {
	passed, failed := Check{Result: Passed}, Check{Result: Failed}
	ann, zoe, yan := Bot{Name: "ann", Place: Here, Check: passed}, Bot{Name: "zoe", Place: Here, Check: passed}, Bot{Name: "yan", Place: Here, Check: passed}
	for name, c := range map[string]struct {
		bots     []Bot
		missing  int
		complete bool
	}{
		"nobody":                     {nil, 2, false},
		"all":                        {[]Bot{ann, {Name: "bob", Place: Here, Check: passed}}, 0, true},
		"one has failed":             {[]Bot{ann, {Name: "bob", Place: Here, Check: failed}}, 0, false},
		"one has failed, two others": {[]Bot{ann, {Name: "bob", Place: Here, Check: failed}, zoe, yan}, 0, false},
		"one is away, two others":    {[]Bot{ann, {Name: "bob", Place: Away, Check: passed}, zoe, yan}, 1, false},
		"all and an uninvited one":   {[]Bot{ann, {Name: "bob", Place: Here, Check: passed}, {Name: "zoe", Place: Here, Check: failed}}, 0, true},
	} {
		s := State{Bots: c.bots, Expected: 2, Plan: Plan{Names: []string{"ann", "bob"}}}
		if c.bots == nil { // as State lists them
			s.Bots = []Bot{{Name: "ann", Place: Late}, {Name: "bob", Place: Late}}
		}
		s.Missing = s.missing()
		if s.Missing != c.missing || s.Complete() != c.complete {
			t.Errorf("%s: %d missing, complete %v; want %d, %v", name, s.Missing, s.Complete(), c.missing, c.complete)
		}
	}
	s := State{Bots: []Bot{ann}}
	if s.Complete() {
		t.Error("one bot is enough for an event")
	}
	s.Plan.Event = tournament.Event{Bots: []string{"random"}}
	if !s.Complete() {
		t.Error("a bot and one of the arena's own are not enough for an event")
	}
	s.Bots = nil
	s.Plan.Event.Bots = []string{"random", "greedy"}
	if s.Complete() {
		t.Error("an event needs no bot that comes")
	}
}
