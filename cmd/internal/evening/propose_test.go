package evening

import (
	"fmt"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/tournament"
)

// usualEvent returns an event with usual settings in that format.
func usualEvent(kind string) (e tournament.Event) {
	e.Name, e.Rules, e.Size, e.Clock.PerMove, e.Seed, e.Concurrency = "evening", rules.GPCC2015, rules.Full, 5*time.Second, 1, 1
	e.Settings.Plan.Kind, e.Matches = kind, 1
	return e
}

func nothing(string) bool { return false }

// The proposals for some evenings: the table that the document shows.
func TestPropose(t *testing.T) {
	for _, test := range []struct {
		format string
		bots   int
		hours  float64
		want   string
	}{} {
		e, f, err := propose(usualEvent(test.format), test.bots, test.hours, nothing)
		got := fmt.Sprintf("%v, %v a move, %d rounds, %d matches, %d games", e.Size, e.Clock.PerMove, e.Settings.Plan.Rounds, e.Matches, f.Games)
		if err != nil || got != test.want {
			t.Errorf("%s, %d bots, %g hours: %s, %v, want %s", test.format, test.bots, test.hours, got, err, test.want)
		}
	}
}

// More hours never mean fewer rounds or matches, and the forecast is never longer than the hours.
func TestProposalsGrow(t *testing.T) {
	for _, format := range []string{tournament.Swiss, tournament.RoundRobin, tournament.Gauntlet, tournament.Knockout, tournament.DoubleElimination} {
		for _, bots := range []int{2, 3, 4, 5, 6, 8, 11, 16, 30, 60} {
			before := 0
			for _, hours := range []float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 12, 24, 48, 100} {
				e, f, err := propose(usualEvent(format), bots, hours, nothing)
				if err != nil {
					t.Log(err)
					if before > 0 {
						t.Errorf("%s, %d bots: %g hours are too few, fewer were enough", format, bots, hours)
					}
					continue
				}
				if got := longest(f); got > time.Duration(hours*float64(time.Hour)) || f.About > got {
					t.Errorf("%s, %d bots, %g hours: %v, about %v", format, bots, hours, got, f.About)
				}
				t.Logf("%s, %d bots, %g hours: %v %v, rounds %d, matches %d, %s", format, bots, hours, e.Size, e.Clock.PerMove, e.Settings.Plan.Rounds, e.Matches, f.Text())
				level := e.Settings.Plan.Rounds*1000 + e.Matches
				if level < before {
					t.Errorf("%s, %d bots: level %d for %g hours, and %d for fewer", format, bots, level, hours, before)
				}
				before = level
			}
		}
	}
}
