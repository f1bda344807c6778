package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"versus2048/rules"
)

func TestVariants(t *testing.T) {
	parse := rules.ParseVariants
	small := rules.Size{Width: 3, Height: 2}
	for _, tc := range []struct {
		games      rules.Variants
		text       string
		r          rules.Ruleset
		size       rules.Size
		attacks    bool
		defends    bool
		impossible bool
	}{
		{parse(nil, nil, nil), "", rules.GPCC2016, small, true, true, false},
		{parse(nil, nil, nil), "", rules.Solo, small, false, true, false},
		{parse([]string{"gpcc2016", "gpcc2015", "gpcc2016", "gpcc2099"}, nil, nil), "rules=gpcc2015,gpcc2016", rules.GPCC2016, small, true, true, false},
		{parse([]string{"gpcc2015"}, nil, nil), "rules=gpcc2015", rules.GPCC2016, small, false, false, false},
		{parse(nil, []string{"4x4"}, []string{"attacker"}), "size=4x4 role=attacker", rules.GPCC2015, rules.Full, true, false, false},
		{parse(nil, []string{"4x4"}, nil), "size=4x4", rules.GPCC2015, small, false, false, false},
		{parse(nil, []string{"5x5"}, nil), "size=", rules.GPCC2015, rules.Full, false, false, true},
		{parse([]string{"solo"}, nil, []string{"attacker"}), "rules=solo role=attacker", rules.Solo, rules.Full, false, false, true},
	} {
		if got := tc.games.String(); got != tc.text {
			t.Errorf("it is written as %q, want %q", got, tc.text)
		}
		if a, d := tc.games.Allows(tc.r, tc.size, rules.Attacker), tc.games.Allows(tc.r, tc.size, rules.Defender); a != tc.attacks || d != tc.defends {
			t.Errorf("%q allows %v %v to the attacker %v, to the defender %v", tc.text, tc.r, tc.size, a, d)
		}
		if err := tc.games.Validate(); (err != nil) != tc.impossible {
			t.Errorf("%q: %v", tc.text, err)
		}
		if err := tc.games.Suits(tc.r, tc.size, tc.r.Roles()...); (err == nil) != (tc.defends && tc.attacks == !tc.r.Chance()) {
			t.Errorf("%q: %v", tc.text, err)
		}
		text, err := json.Marshal(tc.games)
		var again rules.Variants
		if err != nil || json.Unmarshal(text, &again) != nil || again.String() != tc.text {
			t.Errorf("%q is %s in JSON (%v), and then %q", tc.text, text, err, again)
		}
	}
	err := parse(nil, []string{"4x4"}, nil).Suits(rules.GPCC2015, small, rules.Attacker, rules.Defender)
	if want := "it plays only size=4x4, and is asked for rules=gpcc2015 size=3x2 role=attacker,defender"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestCommonVariants(t *testing.T) {
	parse := rules.ParseVariants
	a, b := parse([]string{"gpcc2015", "solo"}, nil, []string{"defender"}), parse([]string{"solo"}, []string{"2x2"}, nil)
	if got := a.And(b).String(); got != "rules=solo size=2x2 role=defender" || b.And(a).String() != got {
		t.Errorf("%s and %s are %s", a, b, got)
	}
	if none := a.And(parse([]string{"gpcc2016"}, nil, nil)); none.Validate() == nil || !strings.Contains(none.String(), "rules=") {
		t.Errorf("they have %q in common", none)
	}
}
