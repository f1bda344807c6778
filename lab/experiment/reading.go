package experiment

import (
	"fmt"
	"strings"

	"versus2048/players/evaluation"
)

// Reading is one way to read the paper's description of evMiniMax. With Points 2 and all else zero it is
// the bot evminimax.
type Reading struct {
	Name   string
	Change string               // the difference from the bot evminimax, in words
	Points int                  // the factor of the score in the evaluation
	Empty  evaluation.EmptyCell // how an empty cell counts beside a tile
	End    End
	// Unmerged takes the differences from the board before the last slide, and the score from the board after
	// it. It needs End AfterSlide.
	Unmerged bool
	Ties     Ties
	// Root counts, Points times, only the points of the first ply of the search. A placement scores no points.
	Root bool
}

// End is the ply at the end of a search of depth 3.
type End uint8

// The ends of a search.
const (
	AfterSlide     End = iota // after the third slide
	AfterPlacement            // after the third placement, so that depth counts placements
	BeforeSlide               // before the third slide: merges by that slide do not count
	AfterAnswer               // after the placement that answers the third slide
)

// Ties is the choice among several equal moves.
type Ties uint8

// The choices among equal moves. First and Last refer to the order of rules.Position.AppendMoves: by cell, and N S W E.
const (
	Drawn Ties = iota // at random
	First
	Last
)

// Readings returns the readings that are compared, the bot evminimax first.
func Readings() []Reading {
	bot := Reading{Points: 2}
	change := func(name, text string, change func(*Reading)) Reading {
		r := bot
		r.Name, r.Change = name, text
		change(&r)
		return r
	}
	return []Reading{
		change("evminimax", "nothing", func(*Reading) {}),
		change("score", "the score counts once", func(r *Reading) { r.Points = 1 }),
		change("pairs", "pairs with an empty cell are left out, and the score counts once",
			func(r *Reading) { r.Points, r.Empty = 1, evaluation.EmptyIsNothing }),
		change("pairs-four", "pairs with an empty cell are left out, and the score counts four times",
			func(r *Reading) { r.Points, r.Empty = 4, evaluation.EmptyIsNothing }),
		change("pairs-root", "pairs with an empty cell are left out, and twice the score counts only after the chosen slide",
			func(r *Reading) { r.Empty, r.Root = evaluation.EmptyIsNothing, true }),
		change("root", "twice the score counts only after the chosen slide", func(r *Reading) { r.Root = true }),
		change("four", "the score counts four times", func(r *Reading) { r.Points = 4 }),
		change("placements", "depth counts placements: the search ends after the third", func(r *Reading) { r.End = AfterPlacement }),
		change("before", "the search ends before the third slide", func(r *Reading) { r.End = BeforeSlide }),
		change("answer", "the search ends with the answer to the third slide", func(r *Reading) { r.End = AfterAnswer }),
		change("unmerged", "differences are taken before the third slide, the score after it",
			func(r *Reading) { r.Unmerged = true }),
		change("last", "the last of equal moves is played", func(r *Reading) { r.Ties = Last }),
		change("first", "the first of equal moves is played", func(r *Reading) { r.Ties = First }),
	}
}

// ReadingsNamed returns the readings with these names, or all readings if there are no names. The error lists all
// known names.
func ReadingsNamed(names []string) (chosen []Reading, err error) {
	all := Readings()
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		found := false
		for _, r := range all {
			if r.Name == name {
				chosen, found = append(chosen, r), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no reading %q: want one of %s", name, readingNames(all))
		}
	}
	return chosen, nil
}

func readingNames(all []Reading) string {
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
