package live

import (
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

// One sentence names the winner or the leader, the place of a newcomer, or the result of a test.
func TestOutcome(t *testing.T) {
	places := func(column string, places ...tournament.Place) tournament.Standings {
		return tournament.Standings{Columns: []string{column}, Places: places}
	}
	place := func(n int, name string, played int, value float64) tournament.Place {
		return tournament.Place{Place: n, Name: name, Played: played, Values: []float64{value}}
	}
	test := func(outcome rating.State, elo0 float64) tournament.Standings {
		s := places("points", place(1, "d3", 412, 240), place(2, "d2", 412, 172))
		s.Test = &tournament.TestState{First: "d3", Outcome: string(outcome), Test: rating.SPRT{Elo0: elo0}}
		return s
	}
	newcomer := places("rating", place(1, "ann", 9, 2000), place(2, "new", 20, 1900), place(3, "bob", 11, 1800))
	newcomer.Newcomer = "new"
	elo := &report.Interval{Value: report.Figure{Value: 31}, Low: report.Figure{Value: 12}, High: report.Figure{Value: 50}}
	absent := report.Figure{Needs: "needs 2 matches"}
	unknown := &report.Interval{Value: absent, Low: absent, High: absent}
	above := &report.Interval{Value: absent, Low: report.Figure{Value: 286}, High: absent}
	below := &report.Interval{Value: absent, Low: absent, High: report.Figure{Value: -286}}
	for _, c := range []struct {
		standings tournament.Standings
		elo       *report.Interval
		over      bool
		want      string
	}{
		{places("points", place(1, "ann", 0, 0), place(1, "bob", 0, 0)), nil, false, ""},
		{places("points", place(1, "ann", 8, 6.5), place(2, "bob", 8, 1.5)), nil, false, "ann leads: 6.5 points from 8 matches"},
		{places("points", place(1, "ann", 8, 6.5), place(2, "bob", 8, 1.5)), nil, true, "ann won: 6.5 points from 8 matches"},
		{places("reached", place(1, "ann", 3, 4), place(2, "bob", 3, 3)), nil, true, "ann won"},
		{places("points", place(1, "ann", 1, .5), place(1, "bob", 1, .5)), nil, true, "ann and bob share the first place: 0.5 points from 1 match"},
		{places("margin", place(1, "a", 1, 0), place(1, "b", 1, 0), place(1, "c", 1, 0), place(1, "d", 1, 0)), nil, true, "4 bots share the first place"},
		{newcomer, nil, false, "new is at place 2 of 3, after 20 matches"},
		{newcomer, nil, true, "new has place 2 of 3, after 20 matches"},
		{test(rating.H1, 0), elo, true, "d3 is stronger than d2: 31 Elo [12, 50], the test passed after 412 matches"},
		{test(rating.H1, -5), unknown, true, "d3 is no regression from d2: the test passed after 412 matches"},
		{test(rating.H0, -5), below, true, "d3 may be a regression from d2: less than −286 Elo, the test failed after 412 matches"},
		{test(rating.Running, -5), elo, false, "it is open whether d3 is no regression from d2: 31 Elo [12, 50], the test goes on after 412 matches"},
		{test(rating.H0, 0), nil, true, "d3 is not shown to be stronger than d2: the test failed after 412 matches"},
		{test(rating.H1, 0), above, true, "d3 is stronger than d2: more than 286 Elo, the test passed after 412 matches"},
		{test(rating.H0, 0), below, true, "d3 is not shown to be stronger than d2: less than −286 Elo, the test failed after 412 matches"},
		{test(rating.Running, 0), elo, false, "it is open whether d3 is stronger than d2: 31 Elo [12, 50], the test goes on after 412 matches"},
		{test(rating.Running, 0), elo, true, "it is open whether d3 is stronger than d2: 31 Elo [12, 50], the test ended undecided after 412 matches"},
	} {
		if got := EventOutcome(&c.standings, c.elo, c.over); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got := EventOutcome(nil, nil, true); got != "" {
		t.Errorf("without standings: %q", got)
	}
}
