//go:build !race

// Under the race detector this test takes half a minute and finds nothing that the other tests do not find.

package census_test

import (
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// The positions with the attacker to move after 0, 2, 4 ... 30 plies.
var published = []int{1, 2, 6, 10, 25, 53, 111, 204, 370, 649, 1142, 1910, 3127, 5047, 7991, 12331}

func TestShortestGame(t *testing.T) {
	testkit.Long(t)
	search := newSearch(t, rules.NewPosition(rules.GPCC2015, rules.Full))
	var positions []int
	turn := playTurn(t, search)
	for ; len(turn.Mated) == 0; turn = playTurn(t, search) {
		positions = append(positions, turn.Positions)
	}
	if !slices.Equal(positions[:len(published)], published) {
		t.Errorf("positions %d, want %d", positions[:len(published)], published)
	}
	// Oka, Matsuzaki and Haraguchi 2015: 51 plies, and this one position.
	want := parse(t, rules.GPCC2015, "4,2,4,2/2,4,2,4/4,2,8,2/2,4,2,4 D").Board().Canonical(rules.Full)
	if turn.Plies != 51 || len(turn.Mated) != 1 || turn.Mated[0].Board != want || turn.Ended.String() != "1645496002534915837902778560" {
		t.Errorf("the shortest games: %+v, want 51 plies and %#x", turn, want)
	}
	checkRecord(t, search, turn, turn.Mated[0])
}
