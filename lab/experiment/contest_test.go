package experiment

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

func contestEvents(t *testing.T, c Claims, s Config) []tournament.Event {
	t.Helper()
	events, err := ContestEvents(three()[0], three()[1], c, s)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestContestEvents(t *testing.T) {
	s := timedSettings()
	s.Matches = 5
	if events := contestEvents(t, Claims{Share: 0.5}, s); len(events) != 1 || events[0].Name != "contest gpcc2015 5 ms 3x3 plus/evminimax" || events[0].Matches != 5 {
		t.Errorf("events %+v", events)
	}
	events := contestEvents(t, Claims{Scores: true}, s)
	itself := events[1]
	if itself.Name != "contest gpcc2015 5 ms 3x3 complete evminimax/itself" || itself.Matches != 3 || itself.Settings.Adjudication.EarlyDecision {
		t.Errorf("event %+v", itself)
	}
	if a, b := itself.Entries[0], itself.Entries[1]; a.Name != "evminimax" || b.Name != "evminimax again" || a.Spec != b.Spec || a.Spec != events[0].Entries[1].Spec {
		t.Errorf("entries %+v", itself.Entries)
	}
	short := contestEvents(t, Claims{Short: true}, s)[0]
	f := format.New(short)
	for range 3 {
		if p, ok := f.Next(tournament.Everyone{}); !ok || p.Second != "plus" {
			t.Errorf("in a short contest %+v is played, want that plus attacks first", p)
		}
	}
	if events := contestEvents(t, Claims{Short: true, Scores: true}, s); len(events) != 2 {
		t.Errorf("a short contest with scores has %d events", len(events))
	}
	s.Complete = true
	if _, err := ContestEvents(three()[0], three()[1], Claims{Short: true}, s); err == nil {
		t.Error("a short contest has complete games")
	}
	s.Complete, s.Time = false, 0
	for _, short := range []bool{false, true} {
		if _, err := ContestEvents(three()[0], three()[1], Claims{Short: short}, s); err == nil || err.Error() != "0 milliseconds a move: want at least 1" {
			t.Errorf("short %v: error %v", short, err)
		}
	}
}

// someContest returns a contest that plus wins by 2 to 1. As a defender it makes 4116 and 1812 in first
// games; evminimax makes 788 in one, and against itself 1812, 340 and twice 788.
func someContest(t *testing.T) Contest {
	t.Helper()
	c := Claims{Share: 0.7, Scores: true}
	events := contestEvents(t, c, timedSettings())
	events[0].ID, events[1].ID = 41, 42
	a, b := Played{Event: events[0]}, Played{Event: events[1]}
	a.Games = append(a.Games, meeting(t, events[0], 1, "plus", "evminimax", [2]int{512, 64})...)
	a.Games = append(a.Games, meeting(t, events[0], 2, "evminimax", "plus", [2]int{128, 64})...)
	a.Games = append(a.Games, meeting(t, events[0], 3, "plus", "evminimax", [2]int{256, 128})...)
	b.Games = append(b.Games, meeting(t, events[1], 1, "evminimax", "evminimax again", [2]int{256, 64})...)
	b.Games = append(b.Games, meeting(t, events[1], 2, "evminimax again", "evminimax", [2]int{128, 128})...)
	var thinking Thinking
	for _, g := range a.Games {
		thinking.Add(g)
	}
	return NewContest([]Played{a, b}, &thinking, c)
}

func TestContest(t *testing.T) {
	contest := someContest(t)
	if contest.Matches != (tournament.Tally{Won: 2, Lost: 1}) {
		t.Errorf("matches %+v", contest.Matches)
	}
	itself := (score(256) + score(64) + 2*score(128)) / 4
	for i, want := range []struct {
		reached float64
		met     string
	}{
		{2.0 / 3, "open"},
		{(score(512) + score(256)) / 2 / itself, "open"},
		{score(128) / itself, "open"},
	} {
		g := contest.Goals[i]
		if got := g.Reached.Value.Value; math.Abs(got-want.reached) > 1e-9 || g.Met() != want.met {
			t.Errorf("%s: %v, %s, want %v, %s", g.Claim, got, g.Met(), want.reached, want.met)
		}
	}
	if ends := contest.Goals[1].Reached; !(ends.Low.Value < ends.Value.Value && ends.Value.Value < ends.High.Value) {
		t.Errorf("interval %+v", ends)
	}
	if one := contest.Goals[2].Reached; !one.Low.Absent() {
		t.Errorf("the interval of one opening: %+v", one)
	}
}

// A short contest has no complete games of its first bot: it reports their least mean score, and the goal of
// the attack.
func TestShortContest(t *testing.T) {
	c := Claims{Share: 0.7, Scores: true, Short: true}
	events := contestEvents(t, c, timedSettings())
	a, b := Played{Event: events[0]}, Played{Event: events[1]}
	a.Games = append(a.Games, meeting(t, events[0], 1, "evminimax", "plus", [2]int{64, 128})...)
	a.Games = append(a.Games, meeting(t, events[0], 2, "evminimax", "plus", [2]int{128, 256})...)
	b.Games = append(b.Games, meeting(t, events[1], 1, "evminimax", "evminimax again", [2]int{256, 64})...)
	contest := NewContest([]Played{a, b}, new(Thinking), c)
	if early := contest.Scores[0].Early; early == nil || *early != (EarlyGames{2, (score(128) + score(256)) / 2}) {
		t.Errorf("games of the first bot: %+v", early)
	}
	if contest.Scores[1].Early != nil || contest.Scores[1].Games != 2 {
		t.Errorf("games of the second bot: %+v", contest.Scores[1])
	}
	if len(contest.Goals) != 2 || !strings.HasPrefix(contest.Goals[1].Claim, "mean of evminimax against plus") {
		t.Errorf("goals %+v", contest.Goals)
	}
	var text strings.Builder
	if err := contest.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	if row := "| plus | evminimax | 0 | at least 1300 (2 games that may have ended early) |"; !strings.Contains(text.String(), row) {
		t.Errorf("no %s in:\n%s", row, text.String())
	}
}

// The interval decides, not the figure itself.
func TestGoalsAreMetByIntervals(t *testing.T) {
	for _, tc := range []struct {
		low, high float64
		least     bool
		want      string
	}{
		{0.9, 1, true, "met"},
		{0.89, 1, true, "open"},
		{0.5, 0.9, true, "open"},
		{0.5, 0.89, true, "not met"},
		{0.5, 0.9, false, "met"},
		{0.5, 0.91, false, "open"},
		{0.9, 1, false, "open"},
		{0.91, 1, false, "not met"},
	} {
		g := Goal{Least: tc.least, Bound: 0.9, Reached: newInterval((tc.low+tc.high)/2, tc.low, tc.high)}
		if got := g.Met(); got != tc.want {
			t.Errorf("[%v, %v], least %v: %s, want %s", tc.low, tc.high, tc.least, got, tc.want)
		}
	}
}

// The goals of a contest without a match are open.
func TestContestNotBegun(t *testing.T) {
	c := Claims{Share: 0.9, Scores: true}
	var played []Played
	for _, e := range contestEvents(t, c, timedSettings()) {
		played = append(played, Played{Event: e})
	}
	contest := NewContest(played, &Thinking{}, c)
	for _, g := range contest.Goals {
		if g.Met() != "open" {
			t.Errorf("%s: %s", g.Claim, g.Met())
		}
	}
	checkPlot(t, "nothing", contest, "plus, attacked by evminimax")
	if text, err := json.Marshal(contest); err != nil || strings.Count(string(text), `"percent":`) != len(contest.Goals) || !strings.Contains(string(text), `"result":"open"`) {
		t.Errorf("%s: %v", text, err)
	}
}

func TestContestMarkdown(t *testing.T) {
	var text strings.Builder
	if err := someContest(t).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"plus against evminimax: 2-0-1 (won-drawn-lost)",
		"| matches won by plus, a draw as half a match | at least 70.0% | 66.7% [20.8%, 93.9%] | open |",
		"| mean of evminimax against plus, in means of evminimax against itself | at most 0.50 | 0.85 [-, -] | open |",
		"| evminimax | evminimax | 4 | 932 [",
		"and means and ratios take the openings as independent, not the games.\n",
		"Games from a single opening give no interval of a mean or a ratio.\n",
		"| plus | 1.000 / 4.667 | - / 3.000 | - / 2.0 | - / 10 |",
		"- contest gpcc2015 5 ms 3x3 plus/evminimax: 3 of 2 matches; gpcc2015 3x3, seed 7, ",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no %q in:\n%s", line, text.String())
		}
	}
}

func TestContestPlot(t *testing.T) {
	checkPlot(t, "part", someContest(t), "evminimax, attacked by evminimax", "mean score, with its 95% interval")
}
