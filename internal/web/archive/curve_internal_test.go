package archive

import (
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// However long a test takes, its curve keeps few points, evenly spread over all matches.
func TestCurveIsBounded(t *testing.T) {
	e := tournament.Event{Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}}, Matches: 1 << 20}
	e.Settings.Plan = tournament.Plan{Kind: tournament.SPRT, SPRT: rating.SPRT{Elo0: 0, Elo1: 0.1, Alpha: 0.05, Beta: 0.05}}
	c := newCurve(e)
	const matches = 5000
	for n := range matches {
		c.add(tournament.MatchResult{Pairing: tournament.Pairing{Match: n + 1, First: "ann", Second: "bob"}, Outcome: tournament.Drawn})
	}
	if len(c.points) > 2*mostPoints || len(c.points) < mostPoints/2 {
		t.Errorf("%d points, want about %d", len(c.points), mostPoints)
	}
	for i, p := range c.points {
		if p.Matches != i*c.every {
			t.Fatalf("point %d is after %d matches, want one every %d", i, p.Matches, c.every)
		}
	}
	for range c.every {
		all := c.all()
		if last := all[len(all)-1]; last.Matches != c.added || all[len(all)-2].Matches >= last.Matches {
			t.Fatalf("the curve ends after %d matches of %d", last.Matches, c.added)
		}
		c.add(tournament.MatchResult{Pairing: tournament.Pairing{Match: c.added + 1, First: "ann", Second: "bob"}, Outcome: tournament.Drawn})
	}
}
