package report

import (
	"strings"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

func TestKnockoutOfSeven(t *testing.T) {
	e := tournament.Event{Matches: 3, Entries: entries("bot0", "bot1", "bot2", "bot3", "bot4", "bot5", "bot6")}
	e.Settings.Plan.Kind = tournament.Knockout
	f := format.New(e)
	for p, ok := f.Next(tournament.Everyone{}); ok; p, ok = f.Next(tournament.Everyone{}) {
		// The bot that comes first among the names wins.
		m := tournament.MatchResult{Pairing: p, Outcome: tournament.SecondWins, By: tournament.ByScore}
		if p.First < p.Second {
			m.Outcome = tournament.FirstWins
			m.Legs[0].Score = 4
		} else {
			m.Legs[1].Score = 4
		}
		f.Add(m)
	}
	s := f.Standings()
	var text strings.Builder
	if err := WriteStandings(&text, s, 0); err != nil {
		t.Fatal(err)
	}
	const want = `     bot   played  reached  points  margin
  1  bot0       4        4       4      16
  2  bot1       6        3       4       8
  3  bot2       4        2       2       0
  3  bot3       4        2       2       0
  5  bot4       2        1       0      -8
  5  bot5       2        1       0      -8
  5  bot6       2        1       0      -8

round 1, quarterfinals
  bot0 has a bye
  bot3 - bot4  2 : 0, margin +8: bot3
  bot1 - bot6  2 : 0, margin +8: bot1
  bot2 - bot5  2 : 0, margin +8: bot2
round 2, semifinals
  bot0 - bot3  2 : 0, margin +8: bot0
  bot1 - bot2  2 : 0, margin +8: bot1
round 3, final
  bot0 - bot1  2 : 0, margin +8: bot0
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
}

func TestStandingsLine(t *testing.T) {
	s := tournament.Standings{Format: tournament.Swiss, Columns: []string{"points", "margin"}, Places: []tournament.Place{
		{Place: 1, Name: "ann", Played: 5, Values: []float64{3.5, 10}},
		{Place: 2, Name: "bob", Values: []float64{2, 0}},
		{Place: 2, Name: "cid", Values: []float64{2, 0}},
		{Place: 4, Name: "dan", Values: []float64{0, -10}},
	}}
	if got, want := StandingsLine(s), "points: 1. ann 3.5, 2. bob 2, 2. cid 2, ..."; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	if got := StandingsLine(tournament.Standings{Columns: s.Columns, Places: []tournament.Place{{Place: 1, Name: "ann"}}}); got != "no result yet" {
		t.Errorf("line %q before any result", got)
	}
	s.Test = &tournament.TestState{First: "ann", LLR: 1, Lower: -2, Upper: 2, Outcome: "running"}
	if got := StandingsLine(s); !strings.HasPrefix(got, "sprt: not decided after 0 trials: LLR 1.00 (-2.00, 2.00)") {
		t.Errorf("line %q", got)
	}
	s.Test.Outcome = "H1"
	var text strings.Builder
	if err := WriteStandings(&text, s, 0); err != nil || !strings.Contains(text.String(), "sprt: H1 is accepted after 0 trials: LLR 1.00") || !strings.Contains(text.String(), "H1 is accepted") {
		t.Errorf("%s (error %v)", text.String(), err)
	}
}
