package study_test

import (
	"fmt"

	"versus2048/internal/study"
	"versus2048/players/exact"
	"versus2048/rules"
)

func ExampleValues() {
	show := func(tables []*exact.Table, position rules.Position) {
		values := study.Values(tables)
		score, exact, ok := values.Expected(position)
		if ok {
			fmt.Println("The defender makes", score, "points; by a table:", exact)
		}
	}
	show(nil, rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})) // nobody knows
	// Output:
}
