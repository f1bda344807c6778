package check

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/testkit"
)

// testOptions returns the options of the tests.
func testOptions() Options {
	began := time.Now()
	return Options{Wait: 20 * time.Second, now: func() time.Duration { return time.Since(began) }}
}

// pipeBot returns a wrong bot that speaks the line protocol.
func pipeBot(name string) *LineBot {
	w := newWorld()
	return &LineBot{name, func() (program, error) { return startPipe(name, w) }}
}

// oneOf returns n: each nth wrong bot is tried.
func oneOf(t *testing.T) int { return testkit.Amount(t, 1, 8) }

// Each bot with one fault fails exactly the check that is about it.
func TestWrongLineBots(t *testing.T) {
	step := oneOf(t)
	for i, f := range faults() {
		if f.media&Lines != 0 && i%step == 0 {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { wantFailure(t, pipeBot(f.name), f.check) })
			})
		}
	}
}

// Each bot with one fault over WebSockets fails the check that is about it. If the fault is possible over both media,
// only that check runs here: TestWrongLineBots shows that the bot fails no other one.
func TestWrongSocketBots(t *testing.T) {
	step := oneOf(t)
	for i, f := range faults() {
		if f.media&Sockets == 0 || i%step != 0 {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := testOptions()
				if f.media == Both {
					o.Only = []string{f.check}
				}
				wantFailureWith(t, wrongSocketBot(f.name), o, f.check)
			})
		})
	}
}

// Every check has a bot that fails it, over each of its media.
func TestEveryCheckHasAFault(t *testing.T) {
	for _, c := range List() {
		var media Media
		for _, f := range faults() {
			if f.check == c.ID {
				media |= f.media
			}
		}
		if media&c.Media != c.Media {
			t.Errorf("%s: no bot fails it over every medium that it is for", c.ID)
		}
	}
}

// A bot without a fault passes.
func TestNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { wantFailure(t, pipeBot("")) })
	synctest.Test(t, func(t *testing.T) { wantFailure(t, wrongSocketBot("")) })
}

// wantFailure checks a bot, which has to fail these checks and no other.
func wantFailure(t *testing.T, bot Bot, want ...string) Report {
	t.Helper()
	o := testOptions()
	o.brief = len(want) == 1 && want[0] != "memory.growth" && !strings.HasPrefix(want[0], "moves.")
	return wantFailureWith(t, bot, o, want...)
}

func wantFailureWith(t *testing.T, bot Bot, o Options, want ...string) Report {
	t.Helper()
	report, err := Run(context.Background(), bot, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Failures(); !slices.Equal(got, want) {
		t.Errorf("failed %v, want %v", got, want)
		explain(t, report)
	}
	for _, r := range report.Results {
		if r.State == Skipped && len(want) == 0 {
			t.Errorf("%s was skipped: %s", r.ID, r.Why)
		}
	}
	return report
}

// explain logs why a bot failed.
func explain(t *testing.T, r Report) {
	t.Helper()
	for _, result := range r.Results {
		for _, f := range result.Failures {
			t.Logf("%s: %s", result.ID, f.Problem)
			for _, l := range f.Wire {
				t.Log(l)
			}
		}
	}
}
