package hosting

import (
	"fmt"
	"os"
	"slices"
	"strings"
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

func nothingFixed(string) bool { return false }

// The proposals for some evenings are those of the table in the document.
func TestProposalsInDocument(t *testing.T) {
	document, err := os.ReadFile("../../../docs/HOST-AN-EVENING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, bots := range []int{4, 6, 8} {
		row := fmt.Sprintf("| %d |", bots)
		for hours := 1.; hours <= 4; hours++ {
			e, _, err := propose(usualEvent(tournament.Swiss), bots, hours, nothingFixed)
			if err != nil {
				t.Fatal(err)
			}
			row += fmt.Sprintf(" %v, %s, %d rounds |", e.Size, strings.Replace(e.Clock.PerMove.String(), "ms", " ms", 1), e.Settings.Plan.Rounds)
		}
		if !strings.Contains(string(document), row+"\n") {
			t.Errorf("the document has no line\n%s", row)
		}
	}
}

// The arena's own bots take part: with two of them, an evening for four bots has the games of six.
func TestProposalsCountOwnBots(t *testing.T) {
	e := usualEvent(tournament.RoundRobin)
	_, want, err := propose(e, 6, 3, nothingFixed)
	if err != nil {
		t.Fatal(err)
	}
	e.Bots = []string{"random", "greedy"}
	if _, got, err := propose(e, 4, 3, nothingFixed); err != nil || got.Text() != want.Text() {
		t.Errorf("the forecast is %s, want %s (%v)", got.Text(), want.Text(), err)
	}
}

// A setting that a host has fixed stays, whatever the hours.
func TestProposalsKeepWhatIsFixed(t *testing.T) {
	e := usualEvent(tournament.Swiss)
	e.Size, e.Settings.Plan.Rounds, e.Clock.PerMove, e.Settings.Adjudication.MaxTurns, e.Concurrency = rules.Size{Width: 3, Height: 4}, 3, 250*time.Millisecond, 0, 2
	for _, fixed := range [][]string{{"size"}, {"rounds"}, {"time-per-move"}, {"max-turns"}, {"concurrency"}, {"size", "rounds", "time-per-move", "max-turns", "concurrency"}} {
		got, _, err := propose(e, 8, 60, func(name string) bool { return slices.Contains(fixed, name) })
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range fixed {
			if s, _ := tournament.SettingNamed(name); s.Text(&got) != s.Text(&e) {
				t.Errorf("with %v fixed, %s is %s, want %s", fixed, name, s.Text(&got), s.Text(&e))
			}
		}
	}
}

// An evening that no proposal fits, or that cannot be played, is refused with the reason.
func TestProposalsAreRefused(t *testing.T) {
	for want, e := range map[string]tournament.Event{
		"an evening has one of swiss":          usualEvent(tournament.Placement),
		"give more hours, or leave out rounds": usualEvent(tournament.RoundRobin),
		"want at most":                         func() tournament.Event { e := usualEvent(tournament.Swiss); e.Settings.Plan.Rounds = 200; return e }(),
	} {
		if _, _, err := propose(e, 100, 0.1, func(name string) bool { return name == "rounds" }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// More hours never mean fewer rounds or matches, and the forecast is never longer than the hours.
func TestProposalsGrow(t *testing.T) {
	for _, format := range []string{tournament.Swiss, tournament.RoundRobin, tournament.Gauntlet, tournament.Knockout, tournament.DoubleElimination} {
		for _, bots := range []int{2, 3, 4, 5, 6, 8, 11, 16, 30, 60} {
			before := 0
			for _, hours := range []float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 12, 24, 48, 100} {
				e, f, err := propose(usualEvent(format), bots, hours, nothingFixed)
				if err != nil {
					t.Log(err)
					if before > 0 {
						t.Errorf("%s, %d bots: %g hours are too few, fewer were enough", format, bots, hours)
					}
					continue
				}
				if got := longestTime(f); got > time.Duration(hours*float64(time.Hour)) || f.About > got {
					t.Errorf("%s, %d bots, %g hours: %v, about %v", format, bots, hours, got, f.About)
				}
				t.Logf("%s, %d bots, %g hours: %v %v, rounds %d, matches %d, %s", format, bots, hours, e.Size, e.Clock.PerMove, e.Settings.Plan.Rounds, e.Matches, f.Text())
				level := e.Settings.Plan.Rounds*1000 + e.Matches
				if level < before {
					t.Errorf("%s, %d bots: level %d for %g hours, and %d for fewer", format, bots, level, hours, before)
				}
				before = level
			}
			if before == 0 && bots > 3 {
				t.Errorf("%s, %d bots: no hours are enough", format, bots)
			}
		}
	}
}
