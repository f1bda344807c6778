package format

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

func TestPlanValidate(t *testing.T) {
	sprt := tournament.Plan{Kind: tournament.SPRT, SPRT: rating.SPRT{Elo1: 5}}
	for _, tc := range []struct {
		name string
		plan tournament.Plan
		n    int
		ok   bool
	}{
		{"default", tournament.Plan{}, 2, true},
		{"round-robin", tournament.Plan{Kind: tournament.RoundRobin}, 2, true},
		{"unknown", tournament.Plan{Kind: "rounds"}, 2, false},
		{"gauntlet", tournament.Plan{Kind: tournament.Gauntlet}, 2, true},
		{"seeds", tournament.Plan{Kind: tournament.Gauntlet, Seeds: 3}, 4, true},
		{"nobody but seeds", tournament.Plan{Kind: tournament.Gauntlet, Seeds: 4}, 4, false},
		{"seeds of nothing", tournament.Plan{Seeds: 1}, 4, false},
		{"swiss", tournament.Plan{Kind: tournament.Swiss}, 2, true},
		{"all rounds, even", tournament.Plan{Kind: tournament.Swiss, Rounds: 7}, 8, true},
		{"too many, even", tournament.Plan{Kind: tournament.Swiss, Rounds: 8}, 8, false},
		{"all rounds, odd", tournament.Plan{Kind: tournament.Swiss, Rounds: 7}, 7, true},
		{"too many, odd", tournament.Plan{Kind: tournament.Swiss, Rounds: 8}, 7, false},
		{"half, odd", tournament.Plan{Kind: tournament.Swiss, Rounds: 501}, 1001, true},
		{"more than half, odd", tournament.Plan{Kind: tournament.Swiss, Rounds: 502}, 1001, false},
		{"rounds of a knockout", tournament.Plan{Kind: tournament.Knockout, Rounds: 1}, 8, false},
		{"ladder", tournament.Plan{Kind: tournament.Ladder, Ahead: 3}, 8, true},
		{"ahead of nothing", tournament.Plan{Kind: tournament.Swiss, Ahead: 3}, 8, false},
		{"negative", tournament.Plan{Kind: tournament.Ladder, Ahead: -1}, 8, false},
		{"sprt", sprt, 2, true},
		{"sprt of three", sprt, 3, false},
		{"sprt of nothing", tournament.Plan{Kind: tournament.SPRT}, 2, false},
		{"placement", tournament.Plan{Kind: tournament.Placement, Within: 80, Known: []rating.Known{{Elo: 1}, {Elo: 2, Deviation: 3}}}, 3, true},
		{"placement without ratings", tournament.Plan{Kind: tournament.Placement}, 3, true},
		{"ratings of some", tournament.Plan{Kind: tournament.Placement, Known: []rating.Known{{Elo: 1}}}, 3, false},
		{"no number", tournament.Plan{Kind: tournament.Placement, Known: []rating.Known{{Elo: math.NaN()}}}, 2, false},
		{"no width", tournament.Plan{Kind: tournament.Placement, Within: -1}, 2, false},
		{"no deviation", tournament.Plan{Kind: tournament.Placement, Known: []rating.Known{{Deviation: -1}}}, 2, false},
		{"too many", tournament.Plan{Kind: tournament.Placement}, 200, false},
		{"width of nothing", tournament.Plan{Kind: tournament.Ladder, Within: 5}, 3, false},
		{"hypotheses of nothing", tournament.Plan{SPRT: sprt.SPRT}, 2, false},
	} {
		if err := validatePlan(tc.plan, tc.n); (err == nil) != tc.ok {
			t.Errorf("%s: error %v", tc.name, err)
		}
	}
}

func TestMatchesMayBeUnlimited(t *testing.T) {
	for _, kind := range tournament.Formats() {
		e := eventOf(2, 0)
		e.Settings.Plan = tournament.Plan{Kind: kind}
		if kind == tournament.SPRT {
			e.Settings.Plan.SPRT.Elo1 = 5
		}
		if k, _ := kindOf(e.Settings.Plan); (Validate(e) == nil) != k.endless {
			t.Errorf("%s without a limit: error %v", kind, Validate(e))
		}
		if e.Matches = DefaultMatches(e.Settings.Plan); Validate(e) != nil {
			t.Errorf("%s with %d matches: error %v", kind, e.Matches, Validate(e))
		}
	}
}

// Zero settings are left out of the JSON.
func TestSettingsJSON(t *testing.T) {
	for want, s := range map[string]tournament.Settings{
		`{}`:                                   {},
		`{"plan":{"kind":"swiss","rounds":5}}`: {Plan: tournament.Plan{Kind: tournament.Swiss, Rounds: 5}},
		`{"plan":{"kind":"sprt","sprt":{"elo0":-1,"elo1":2,"alpha":0.1,"beta":0.2,"model":"logistic"},"ahead":4}}`: {
			Plan: tournament.Plan{Kind: tournament.SPRT, Ahead: 4, SPRT: rating.SPRT{Elo0: -1, Elo1: 2, Alpha: 0.1, Beta: 0.2, Model: rating.Logistic}},
		},
	} {
		got, err := json.Marshal(s)
		if err != nil || string(got) != want {
			t.Errorf("%s, error %v: want %s", got, err, want)
		}
		var back tournament.Settings
		if err := json.Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%s is read as %+v, error %v", want, back, err)
		}
	}
}

func TestPlanErrors(t *testing.T) {
	for want, p := range map[string]tournament.Plan{
		`format "cup": want one of round-robin, gauntlet, swiss, `:                         {Kind: "cup"},
		"format round-robin takes no seeds: want the format gauntlet":                      {Seeds: 2},
		"format knockout takes no rounds: want the format swiss":                           {Kind: tournament.Knockout, Rounds: 2},
		"format swiss takes no matches ahead: want the format ladder or sprt or placement": {Kind: tournament.Swiss, Ahead: 2},
		"format ladder takes no hypotheses: want the format sprt":                          {Kind: tournament.Ladder, SPRT: rating.SPRT{Elo1: 5}},
		"4 seeds of 4 bots: want at least 1 seed and 1 opponent":                           {Kind: tournament.Gauntlet, Seeds: 4},
		"an sprt of 4 bots: want two":                                                      {Kind: tournament.SPRT, SPRT: rating.SPRT{Elo1: 5}},
	} {
		if err := validatePlan(p, 4); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", p, err, want)
		}
	}
}
