package experiment

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// three are the contenders of the tests.
func three() []Contender {
	return []Contender{{"plus", "mctsplus"}, {"evminimax", "evminimax:depth=16"}, {"random", "random"}}
}

func strengthEvent(t *testing.T, s Config) tournament.Event {
	t.Helper()
	e, err := StrengthEvent(three(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestStrengthEvent(t *testing.T) {
	e := strengthEvent(t, timedSettings())
	if e.Name != "strength gpcc2015 5 ms 3x3" || e.Rules != rules.GPCC2015 || !e.Search || !e.InProcess || e.Clock != (tournament.Clock{}) {
		t.Errorf("event %+v", e)
	}
	if !e.Settings.Adjudication.EarlyDecision || len(e.Settings.Openings.Starts) < 50 {
		t.Errorf("settings %+v", e.Settings)
	}
	if got := e.Entries[1]; got.Name != "evminimax" || !strings.HasPrefix(got.Spec, "evminimax:depth=16,time=5,") {
		t.Errorf("entry %+v", got)
	}
	s := timedSettings()
	s.Complete, s.Rules, s.Size, s.Search = true, rules.GPCC2016, rules.Full, false
	if e := strengthEvent(t, s); e.Name != "strength gpcc2016 5 ms complete" || e.Settings.Adjudication.EarlyDecision || e.Search {
		t.Errorf("complete: %+v", e)
	}
}

// Reports tell the openings by their number and their source; other positions from the same source are
// other conditions.
func TestConditionsOfOpenings(t *testing.T) {
	e := strengthEvent(t, timedSettings())
	text := Conditions(e)
	if !strings.Contains(text, " openings of random:plies=11,seed=7,count=100 (SHA-256 ") || len(text) > 1000 {
		t.Error(text)
	}
	e.Settings.Openings.Starts = append([]string{e.Settings.Openings.Starts[1]}, e.Settings.Openings.Starts[1:]...)
	if Conditions(e) == text {
		t.Errorf("other openings: %s", text)
	}
}

// meeting returns the two games of a match. The first bot defends in the first one. The tiles decide the
// scores. A second game that scores more ends once that is clear.
func meeting(t *testing.T, e tournament.Event, match int, first, second string, tiles [2]int) []tournament.Game {
	t.Helper()
	names := [2]string{first, second}
	var games []tournament.Game
	for i, tile := range tiles {
		g := mated(t, e, match, i+1, tile)
		g.First, g.Second = first, second
		g.Record.Defender, g.Record.Attacker = names[i], names[1-i]
		const ms = time.Millisecond
		g.Record.Times = []time.Duration{time.Duration(4+i) * ms, ms, 9 * ms, ms, 9 * ms}
		g.Record.Searches = []*record.SearchReport{{CPU: 3 * ms, Expanded: []int64{1, 2}, Nodes: 10}, nil, nil, nil, nil}
		if i == 1 && tile > tiles[0] && e.Settings.Adjudication.EarlyDecision {
			g.Record.Ending = record.Decided
		}
		games = append(games, g)
	}
	return games
}

// playedStrength returns an event with two wins of plus over evminimax and one over random, and one win of
// evminimax over random.
func playedStrength(t *testing.T, s Config) Played {
	t.Helper()
	e := strengthEvent(t, s)
	e.ID = 31
	p := Played{Event: e}
	p.Games = append(p.Games, meeting(t, e, 1, "plus", "evminimax", [2]int{512, 64})...)
	p.Games = append(p.Games, meeting(t, e, 2, "evminimax", "plus", [2]int{128, 256})...)
	p.Games = append(p.Games, meeting(t, e, 3, "plus", "random", [2]int{256, 32})...)
	p.Games = append(p.Games, meeting(t, e, 4, "evminimax", "random", [2]int{64, 16})...)
	p.Games = append(p.Games, meeting(t, e, 5, "evminimax", "random", [2]int{64, 16})[0]) // not decided
	return p
}

func newStrength(t *testing.T, s Config) Strength {
	t.Helper()
	p := playedStrength(t, s)
	var thinking Thinking
	for _, g := range p.Games {
		thinking.Add(g)
	}
	return NewStrength(p, &thinking)
}

func score(tile int) float64 { return float64(20 + worth(tile)) }

// If second games may end early, only first games count: the complete ones among second games have low scores.
func TestStrengthScores(t *testing.T) {
	ladder := newStrength(t, timedSettings())
	if ladder.Matches != 4 || ladder.AllMatches != 6 || !ladder.FirstGames {
		t.Errorf("%d of %d matches, %v", ladder.Matches, ladder.AllMatches, ladder.FirstGames)
	}
	var names []string
	for _, r := range ladder.Rungs {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "plus evminimax random" {
		t.Fatalf("order %s", got)
	}
	plus, evminimax, random := ladder.Rungs[0], ladder.Rungs[1], ladder.Rungs[2]
	if d := plus.Against[1]; d.Games != 1 || d.Mean.Value.Value != score(512) {
		t.Errorf("plus against evminimax: %+v", d)
	}
	if d := evminimax.Against[0]; d.Games != 1 || d.Mean.Value.Value != score(128) {
		t.Errorf("evminimax against plus: %+v", d)
	}
	if d := evminimax.Defending; d.Games != 2 || d.Mean.Value.Value != (score(128)+score(64))/2 {
		t.Errorf("evminimax as defender: %+v", d)
	}
	if d := random.Defending; d.Games != 0 || !d.Mean.Value.Absent() {
		t.Errorf("random as defender: %+v", d)
	}
	if a := random.Attacking; a.Games != 2 || a.Mean.Value.Value != (score(256)+score(64))/2 {
		t.Errorf("random as attacker: %+v", a)
	}
	if plus.Matches != (tournament.Tally{Won: 3}) || random.Matches != (tournament.Tally{Lost: 2}) {
		t.Errorf("plus %+v, random %+v", plus.Matches, random.Matches)
	}
}

// Where all games are complete, all count.
func TestCompleteStrengthScores(t *testing.T) {
	s := timedSettings()
	s.Complete = true
	ladder := newStrength(t, s)
	if d := ladder.Rungs[0].Against[1]; d.Games != 2 || d.Mean.Value.Value != (score(512)+score(256))/2 {
		t.Errorf("plus against evminimax: %+v", d)
	}
}

func TestStrengthMarkdown(t *testing.T) {
	var text strings.Builder
	if err := newStrength(t, timedSettings()).WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| 3-0-0 | 2964 | 788 | 1.00 / 4.67 | - / 3.00 | - / 2.0 |",
		"| defender | plus | evminimax | random |\n|---|---:|---:|---:|\n| plus |  | 4116 (1) | 1812 (1) |\n",
		"- strength gpcc2015 5 ms 3x3: 4 of 6 matches; gpcc2015 3x3, seed 7, plus=mctsplus:",
		"Second games end once the match is decided",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no %q in:\n%s", line, text.String())
		}
	}
}

func TestStrengthJSON(t *testing.T) {
	data, err := json.Marshal(newStrength(t, timedSettings()))
	if err != nil {
		t.Fatal(err)
	}
	var ladder struct {
		Rungs []struct {
			Name      string
			Attacking struct {
				Games   int
				Thought struct {
					CPU *float64 `json:"cpu_ms"`
				}
			}
		}
	}
	if err := json.Unmarshal(data, &ladder); err != nil {
		t.Fatal(err)
	}
	if a := ladder.Rungs[0].Attacking; a.Games != 1 || a.Thought.CPU == nil || *a.Thought.CPU != 3 {
		t.Errorf("%+v in %s", a, data)
	}
}

// A ladder can be drawn whether or not its event has begun.
func TestStrengthPlot(t *testing.T) {
	nothing := Played{Event: strengthEvent(t, timedSettings())}
	for name, ladder := range map[string]Strength{"part": newStrength(t, timedSettings()), "nothing": NewStrength(nothing, &Thinking{})} {
		checkPlot(t, name, ladder, "evminimax", "Elo, with its 95% interval")
	}
}

func TestBest(t *testing.T) {
	played := playedStrength(t, timedSettings())
	best, err := Best(three(), played, 2)
	if err != nil || len(best) != 2 || best[0] != three()[0] || best[1] != three()[1] {
		t.Errorf("%v, %v", best, err)
	}
	for n, event := range map[int]Played{4: played, 1: {Event: played.Event}} {
		if best, err := Best(three(), event, n); err == nil {
			t.Errorf("the best %d: %v", n, best)
		}
	}
}
