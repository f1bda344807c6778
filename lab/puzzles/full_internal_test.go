package puzzles

import (
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// On the full board the positions are from endings of games between bots. Under gpcc2015 and gpcc2016 some of them are
// decided. Small batches end soon after the last puzzle.
func TestMakeOnTheFullBoard(t *testing.T) {
	testkit.Long(t)
	full := Settings{Seed: 1, PerKind: 2, Sizes: []rules.Size{rules.Full}, Workers: 2}
	var last Progress
	book, err := makeBook(t.Context(), full, 8, func(p Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	kinds := Kinds(book)
	whole := func(r rules.Ruleset) bool {
		return slices.ContainsFunc(kinds, func(k Kind) bool {
			return k.Rules == r && k.Role == rules.Defender && k.Puzzles == full.PerKind
		})
	}
	if !whole(rules.GPCC2015) || !whole(rules.GPCC2016) || last.Games == 0 {
		t.Errorf("the kinds are %v, after %+v", kinds, last)
	}
}
