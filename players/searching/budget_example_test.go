package searching_test

import (
	"fmt"

	"versus2048/players/alphabeta"
	"versus2048/players/searching"
	"versus2048/rules"
)

// A search ends when three depths in a row have had the same choice.
func ExampleBudget() {
	position, err := rules.ParsePosition(rules.GPCC2015, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		panic(err)
	}
	search := alphabeta.New(alphabeta.Config{})
	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{
		Depth:  8,
		Enough: func(p searching.Progress) bool { return p.Steady == 3 },
	})
	fmt.Println(move, search.Result().Depth)
	// Output: N 4
}
