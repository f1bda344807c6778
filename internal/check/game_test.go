package check

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// kindOfGames has the games that a bot plays, and the checks that are about other games.
type kindOfGames struct {
	games   rules.Variants
	skipped []string
}

func kindsOfGames() map[string]kindOfGames {
	parse := rules.ParseVariants
	return map[string]kindOfGames{
		"one size":  {parse(nil, []string{"2x2"}, nil), nil},
		"two sizes": {parse(nil, []string{"3x3", "4x4"}, nil), nil},
		"one game":  {parse([]string{"gpcc2016"}, []string{"4x4"}, nil), []string{"moves.merges", "moves.one-slide", "moves.huge", "moves.twos", "games.solo"}},
		"solo":      {parse([]string{"solo"}, nil, nil), []string{"moves.attacker", "moves.one-cell", "moves.twos", "over.thinking"}},
		"defender":  {parse(nil, nil, []string{"defender"}), []string{"moves.attacker", "moves.one-cell", "moves.twos", "over.thinking"}},
		"attacker":  {parse(nil, []string{"3x2"}, []string{"attacker"}), []string{"moves.defender", "moves.merges", "games.solo", "over.thinking"}},
	}
}

// inAllKinds checks a bot without a fault that plays only some games. If silent is set, the bot does not say which
// games it plays.
func inAllKinds(t *testing.T, silent bool, check func(t *testing.T, bot Bot, kind kindOfGames)) {
	for name, kind := range kindsOfGames() {
		for _, medium := range []Media{Lines, Sockets} {
			t.Run(name+" "+medium.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := newWorld()
					w.only, w.silent = kind.games, silent
					check(t, botIn(w, medium), kind)
				})
			})
		}
	}
}

// Only the games that are asked for are checked, and the report says so.
func TestGamesThatAreAskedFor(t *testing.T) {
	testkit.Long(t)
	inAllKinds(t, true, func(t *testing.T, bot Bot, kind kindOfGames) { checkKind(t, bot, kind.games, kind.skipped) })
}

// botIn returns a bot without a fault.
func botIn(w *world, medium Media) Bot {
	if medium == Sockets {
		return socketBotIn("", w)
	}
	return &LineBot{"a bot", func() (program, error) { return startPipe("", w) }}
}

// checkKind checks a bot in some games. The bot has to fail no check.
func checkKind(t *testing.T, bot Bot, games rules.Variants, skipped []string) Report {
	t.Helper()
	o := testOptions()
	o.brief, o.Games = true, games
	report, err := Run(context.Background(), bot, o)
	if err != nil {
		t.Fatal(err)
	}
	if failed := report.Failures(); len(failed) > 0 {
		t.Errorf("failed %v", failed)
		explain(t, report)
	}
	for _, r := range report.Results {
		if is := r.State == Skipped; is && r.Why != report.Limits || !is && slices.Contains(skipped, r.ID) {
			t.Errorf("%s: %s %s, of the limits %q", r.ID, r.State, r.Why, report.Limits)
		}
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil || !strings.Contains(text.String(), "Other games were not checked: "+report.Limits) || !strings.Contains(report.Limits, games.String()) {
		t.Errorf("(%v) the report is\n%s", err, text.String())
	}
	return report
}

// A bot that plays only some games fails where it is asked for others.
func TestOtherGamesFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.only, w.silent = rules.Variants{Sizes: []rules.Size{rules.Full}}, true
		o := testOptions()
		o.brief, o.Only = true, []string{"games.next"}
		report, err := Run(context.Background(), botIn(w, Lines), o)
		if err != nil || report.Passed() {
			t.Errorf("(%v) it passes", err)
		}
	})
}

// A bot is checked in the games that it says it plays, and the report says so.
func TestGamesThatTheBotPlays(t *testing.T) {
	testkit.Long(t)
	inAllKinds(t, false, func(t *testing.T, bot Bot, kind kindOfGames) {
		report := checkKind(t, bot, rules.Variants{}, kind.skipped)
		if want := "the bot plays only " + kind.games.String(); report.Limits != want {
			t.Errorf("the limits are %q, want %q", report.Limits, want)
		}
	})
}

// If a bot plays none of the games that are asked for, nothing is checked.
func TestNothingToCheck(t *testing.T) {
	for _, medium := range []Media{Lines, Sockets} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.only = rules.ParseVariants(nil, []string{"4x4"}, nil)
			o := testOptions()
			o.Games = rules.ParseVariants(nil, []string{"3x3"}, nil)
			report, err := Run(context.Background(), botIn(w, medium), o)
			if err != nil || len(report.Results) == 0 {
				t.Fatalf("%d results, error %v", len(report.Results), err)
			}
			for _, r := range report.Results {
				if r.State != Skipped || r.Why != "the bot plays only size=4x4, and only size=3x3 is asked for" {
					t.Errorf("%s: %s %s", r.ID, r.State, r.Why)
				}
			}
		})
	}
}
