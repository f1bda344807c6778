package advantage_test

import (
	"fmt"

	"versus2048/internal/web/advantage"
	"versus2048/players/exact"
	"versus2048/rules"
)

func Example() {
	show := func(tables []*exact.Table, position rules.Position) {
		values := advantage.Values(tables)
		score, exact, ok := values.Expected(position)
		if ok {
			fmt.Println("The defender makes", score, "points; by a table:", exact)
		}
	}
	show(nil, rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 3})) // nobody knows
	// Output:
}
