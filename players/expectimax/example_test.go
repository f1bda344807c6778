package expectimax_test

import (
	"fmt"
	"log"

	"versus2048/players/expectimax"
	"versus2048/players/searching"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.Solo, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := expectimax.New(expectimax.Config{})
	move := search.Choose(position, position.AppendMoves(nil), searching.Budget{Depth: 3})
	fmt.Printf("%v %.3f\n", move, search.Result().Moves[0].Value)
	// Output: E 60.016
}
