package report

import (
	"testing"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// A damaged database may have tiles that no game can have.
func TestImpossibleTiles(t *testing.T) {
	var games defences
	for _, tile := range []int{-4, 0, 2048, 1 << 20, 1 << 62} {
		games.add(&tournament.Summary{LargestTile: tile, Ending: record.Mate})
	}
	want := [18]int{0: 2, 11: 1, 17: 2}
	if games.tiles != want {
		t.Errorf("games by their largest tile: %v, want %v", games.tiles, want)
	}
}
