package record

import (
	"fmt"

	"versus2048/rules"
)

// A turn, a placement and the slide that answers it, packs into one byte: four
// bits of cell, one of tile, two of slide, and the top bit where a half is
// missing: the slide at a game's end, or the placement at its beginning.
const halfTurn = 0x80

// PackTurns packs the moves of a game, which must alternate between the sides,
// into one byte a turn. A game that begins with a slide has a half turn first.
func PackTurns(moves []rules.Move) []byte {
	packed := make([]byte, 0, len(moves)/2+2)
	if len(moves) > 0 && moves[0].IsSlide() {
		packed = append(packed, halfTurn|byte(moves[0]-rules.North)<<5)
		moves = moves[1:]
	}
	for len(moves) >= 2 {
		packed = append(packed, byte(moves[0])|byte(moves[1]-rules.North)<<5)
		moves = moves[2:]
	}
	if len(moves) == 1 {
		packed = append(packed, halfTurn|byte(moves[0]))
	}
	return packed
}

// UnpackTurns undoes PackTurns, for a game in which first moves first. It
// returns an error if a half turn stands where none can be.
func UnpackTurns(packed []byte, first rules.Side) ([]rules.Move, error) {
	moves := make([]rules.Move, 0, 2*len(packed))
	for i, b := range packed {
		placement, slide := rules.Move(b&0x1F), rules.North+rules.Move(b>>5&3)
		switch {
		case i == 0 && first == rules.Defender:
			if b&halfTurn == 0 {
				return nil, fmt.Errorf("packed turn 1 is %#02x: want a slide alone, the defender moves first", b)
			}
			moves = append(moves, slide)
		case b&halfTurn == 0:
			moves = append(moves, placement, slide)
		case i == len(packed)-1:
			moves = append(moves, placement)
		default:
			return nil, fmt.Errorf("packed turn %d of %d is %#02x: only the last may lack its slide", i+1, len(packed), b)
		}
	}
	return moves, nil
}
