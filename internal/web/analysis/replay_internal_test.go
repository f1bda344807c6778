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

// A damaged record has neither a board nor facts from the ply of its first illegal move on.
func TestDamagedRecord(t *testing.T) {
	r := &record.Record{
		Start: rules.NewPosition(rules.GPCC2015, rules.Full),
		Moves: []rules.Move{rules.Place(0, false), rules.Place(1, false)}, // the attacker moves twice
	}
	for ply, legal := range []bool{true, true, false} {
		if _, err := NewReplay(r, ply); (err == nil) != legal {
			t.Errorf("the board at ply %d: error %v", ply, err)
		}
		if _, err := (Tables{}).Panels(r, ply); (err == nil) != legal {
			t.Errorf("the facts at ply %d: error %v", ply, err)
		}
	}
}
