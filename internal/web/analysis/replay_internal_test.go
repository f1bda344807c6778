package analysis

import (
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
)

// The turns around a ply are numbered from the first of the game, whichever side begins.
func TestTurnsAround(t *testing.T) {
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 0}, {0, 0}}, side, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{Start: start, Moves: make([]rules.Move, 1001)}
		for ply := range len(r.Moves) + 1 {
			first, turns := turnsAround(&r, ply)
			listed := map[int]int{}
			for i, turn := range turns {
				for _, link := range turn {
					listed[link.Ply] = first + i
				}
			}
			want := record.Turns(start, ply)
			if ply > 0 && listed[ply] != want || len(turns) > shownTurns {
				t.Fatalf("%v begins, ply %d is listed in turn %d, want %d", side, ply, listed[ply], want)
			}
		}
	}
}
