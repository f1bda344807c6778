package analysiscmd

import (
	"strings"
	"testing"
	"time"

	"versus2048/analysis/census"
)

func TestCensusLine(t *testing.T) {
	p := census.Progress{
		Plies: 84, Of: 84, Expanded: 2_500_000, Positions: 10_000_000, Placements: 30_000_000,
		InLayer: time.Second, Elapsed: 2 * time.Second,
	}
	want := "ply 84 of 84 [=====               ] 2.5M of 10M positions, 15M placements/s, 0:03 left, about 0:03 in all"
	if got := censusLine(p); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	p.Of = 88 // two layers more, which take 4.7 and 5.4 seconds
	if got := censusLine(p); !strings.Contains(got, "0:03 left, about 0:13 in all") {
		t.Error(got)
	}
}
