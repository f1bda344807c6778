package tournament

import (
	"encoding/json"
	"reflect"
	"testing"

	"versus2048/tournament/rating"
)

func TestPlanValidate(t *testing.T) {
	sprt := Plan{Kind: SPRTPlan, SPRT: rating.SPRT{Elo1: 5}}
	for _, tc := range []struct {
		name string
		plan Plan
		n    int
		ok   bool
	}{
		{"default", Plan{}, 2, true},
		{"round-robin", Plan{Kind: RoundRobinPlan}, 2, true},
		{"unknown", Plan{Kind: "rounds"}, 2, false},
		{"gauntlet", Plan{Kind: GauntletPlan}, 2, true},
		{"seeds", Plan{Kind: GauntletPlan, Seeds: 3}, 4, true},
		{"nobody but seeds", Plan{Kind: GauntletPlan, Seeds: 4}, 4, false},
		{"seeds of nothing", Plan{Seeds: 1}, 4, false},
		{"swiss", Plan{Kind: SwissPlan}, 2, true},
		{"all rounds, even", Plan{Kind: SwissPlan, Rounds: 7}, 8, true},
		{"too many, even", Plan{Kind: SwissPlan, Rounds: 8}, 8, false},
		{"all rounds, odd", Plan{Kind: SwissPlan, Rounds: 7}, 7, true},
		{"too many, odd", Plan{Kind: SwissPlan, Rounds: 8}, 7, false},
		{"rounds of a knockout", Plan{Kind: KnockoutPlan, Rounds: 1}, 8, false},
		{"ladder", Plan{Kind: LadderPlan, Ahead: 3}, 8, true},
		{"ahead of nothing", Plan{Kind: SwissPlan, Ahead: 3}, 8, false},
		{"negative", Plan{Kind: LadderPlan, Ahead: -1}, 8, false},
		{"sprt", sprt, 2, true},
		{"sprt of three", sprt, 3, false},
		{"sprt of nothing", Plan{Kind: SPRTPlan}, 2, false},
		{"hypotheses of nothing", Plan{SPRT: sprt.SPRT}, 2, false},
	} {
		if err := tc.plan.validate(tc.n); (err == nil) != tc.ok {
			t.Errorf("%s: error %v", tc.name, err)
		}
	}
}

func TestMatchesMayBeUnlimited(t *testing.T) {
	for _, kind := range Plans() {
		e := smallEvent(2, 0, 1)
		e.Settings.Plan = Plan{Kind: kind}
		if kind == SPRTPlan {
			e.Settings.Plan.SPRT.Elo1 = 5
		}
		if err := e.Validate(); (err == nil) != e.Settings.Plan.Endless() {
			t.Errorf("%s without a limit: error %v", kind, err)
		}
		if e.Matches = e.Settings.Plan.DefaultMatches(); e.Validate() != nil {
			t.Errorf("%s with %d matches: error %v", kind, e.Matches, e.Validate())
		}
	}
}

// Settings that say nothing are kept as nothing.
func TestSettingsJSON(t *testing.T) {
	for want, s := range map[string]Settings{
		`{}`:                                   {},
		`{"plan":{"kind":"swiss","rounds":5}}`: {Plan: Plan{Kind: SwissPlan, Rounds: 5}},
		`{"plan":{"kind":"sprt","sprt":{"elo0":-1,"elo1":2,"alpha":0.1,"beta":0.2,"model":"logistic"},"ahead":4}}`: {
			Plan: Plan{Kind: SPRTPlan, Ahead: 4, SPRT: rating.SPRT{Elo0: -1, Elo1: 2, Alpha: 0.1, Beta: 0.2, Model: rating.Logistic}},
		},
	} {
		got, err := json.Marshal(s)
		if err != nil || string(got) != want {
			t.Errorf("%s, error %v: want %s", got, err, want)
		}
		var back Settings
		if err := json.Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%s is read as %+v, error %v", want, back, err)
		}
	}
}

func TestBoundOf(t *testing.T) {
	for _, tc := range []struct {
		bound       Bound
		done, total int
		want        string
	}{
		{Exactly, 12, 30, "12 of 30"},
		{About, 12, 30, "12 of about 30"},
		{AtMost, 12, 30, "12 of at most 30"},
		{AtMost, 12, 0, "12"},
	} {
		if got := tc.bound.Of(tc.done, tc.total); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
