package rules_test

import (
	"slices"
	"strings"
	"testing"

	"versus2048/rules"
)

// A 65536 merges with nothing, on any board, under any rules.
func TestLargestTileNeverMerges(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for text, want := range map[string]string{
			"65536,65536/0,0 D":                     "S",
			"65536,0/65536,0 D":                     "E",
			"65536,32768/0,0 D":                     "S",
			"32768,65536/0,0 D":                     "S",
			"65536,65536/65536,65536 D":             "",
			"65536,65536,65536/32768,65536,2 D":     "",
			"65536,32768/32768,65536/65536,2 D":     "",
			"65536,65536,65536,65536/0,0,0,0 D":     "S",
			"65536,32768,32768/2,4,8 D":             "W E", // only the two 32768s merge
			"32768,32768,32768,32768/2,4,2,4 D":     "W E",
			"65536,2,65536/0,0,0 D":                 "S",
			"65536,0,65536/2,4,8 D":                 "N W E",
			"0,65536/65536,0 D":                     "N S W E",
			"65536,65536,2,2/0,0,0,0/0,0,0,0 D":     "S W E",
			"32768,2,4,8/65536,4,8,2/32768,2,4,8 D": "",
		} {
			p := parse(t, r, text)
			if got := strings.Join(notations(p.AppendMoves(nil)), " "); got != want || p.Over() != (want == "") {
				t.Errorf("%v %v: slides %q, over %v, want %q", r, p, got, p.Over(), want)
			}
			for _, m := range p.AppendMoves(nil) {
				next := p.Next(m)
				if lost := count(p, 65536) - count(next, 65536); lost > 0 || next.LargestTile() > 65536 {
					t.Errorf("%v %v: %v leads to %v", r, p, m, next)
				}
			}
		}
	}
}

func count(p rules.Position, tile int) int {
	n := 0
	for _, row := range p.Tiles() {
		for _, other := range row {
			if other == tile {
				n++
			}
		}
	}
	return n
}

func TestTwoLargestTilesFromFour(t *testing.T) {
	p := parse(t, rules.GPCC2016, "32768,32768,32768,32768/0,0,0,2 D")
	after := p.Next(rules.East)
	if want := []int{0, 0, 65536, 65536}; !slices.Equal(after.Tiles()[0], want) || after.Score()-p.Score() != 2*65536 {
		t.Errorf("%v, %d more, want %v and %d", after, after.Score()-p.Score(), want, 2*65536)
	}
}
