package web

import (
	"fmt"
	"testing"

	"versus2048/tournament"
)

// The page of a bot lists the opponents that it has met most often, and says how many others there are.
func TestOpponentsAreBounded(t *testing.T) {
	for _, tc := range []struct{ met, listed, left int }{{0, 0, 0}, {500, 500, 0}, {501, 500, 1}, {1200, 500, 700}} {
		page := newBotPage("ann")
		for event := range 2 {
			for i := range tc.met {
				page.against(fmt.Sprint("bot ", i), tournament.Tally{Won: i, Lost: event})
			}
		}
		page.finish()
		if len(page.Opponents) != tc.listed || page.Others != tc.left {
			t.Errorf("%d opponents: %d are listed and %d left out, want %d and %d", tc.met, len(page.Opponents), page.Others, tc.listed, tc.left)
		}
		if tc.met == 0 {
			continue
		}
		if first, last := page.Opponents[0], tc.met-1; first.Name != fmt.Sprint("bot ", last) || first.Tally.Won != 2*last || first.Tally.Lost != 1 {
			t.Errorf("%d opponents: the first is %+v, want the one that was met most often", tc.met, first)
		}
	}
}
