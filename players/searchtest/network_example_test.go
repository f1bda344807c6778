package searchtest_test

import (
	"fmt"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

func ExampleNetwork() {
	n := searchtest.Network("td", rules.Solo, rules.Size{Width: 2, Height: 2}, 1)
	e := n.Evaluator(1)
	e.Boards([]rules.Board{rules.Board(0).With(0, 1)}, nil)
	value, err := e.Run("value")
	fmt.Println(len(value), err)
	// Output: 1 <nil>
}
