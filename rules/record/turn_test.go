package record_test

import (
	"slices"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
)

func TestTurns(t *testing.T) {
	placed, slid := rules.Place(5, true), rules.East
	for _, test := range []struct {
		name  string
		moves []rules.Move
		first rules.Side
		bytes int
	}{
		{"none", nil, rules.Attacker, 0},
		{"none, defender to move", nil, rules.Defender, 0},
		{"placement", []rules.Move{placed}, rules.Attacker, 1},
		{"turn", []rules.Move{placed, slid}, rules.Attacker, 1},
		{"turn and a half", []rules.Move{placed, slid, placed}, rules.Attacker, 2},
		{"slide", []rules.Move{slid}, rules.Defender, 1},
		{"half, turn, half", []rules.Move{slid, placed, slid, placed}, rules.Defender, 3},
	} {
		packed := record.PackTurns(test.moves)
		if len(packed) != test.bytes {
			t.Errorf("%s: %d bytes, want %d", test.name, len(packed), test.bytes)
		}
		moves, err := record.UnpackTurns(packed, test.first)
		if err != nil || !slices.Equal(moves, test.moves) {
			t.Errorf("%s: unpacked %v, %v, want %v", test.name, moves, err, test.moves)
		}
	}
}

func TestAllTurnsPack(t *testing.T) {
	for i := range 32 {
		for slide := rules.North; slide <= rules.East; slide++ {
			want := []rules.Move{rules.Place(i&15, i >= 16), slide}
			got, err := record.UnpackTurns(record.PackTurns(want), rules.Attacker)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("unpacked %v, %v, want %v", got, err, want)
			}
		}
	}
}

func TestUnpackTurnsRefuses(t *testing.T) {
	half := record.PackTurns([]rules.Move{rules.Place(0, false)})[0]
	whole := record.PackTurns([]rules.Move{rules.Place(0, false), rules.North})[0]
	if moves, err := record.UnpackTurns([]byte{half, whole}, rules.Attacker); err == nil {
		t.Errorf("a half turn before another: unpacked %v, want an error", moves)
	}
	if moves, err := record.UnpackTurns([]byte{whole}, rules.Defender); err == nil {
		t.Errorf("a placement first with the defender to move: unpacked %v, want an error", moves)
	}
}
