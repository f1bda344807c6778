package expectimax_test

import (
	"fmt"
	"log"

	"versus2048/players/expectimax"
	"versus2048/rules"
)

func Example() {
	position, err := rules.ParsePosition(rules.Solo, "2,0,0,4/0,8,8,0/0,0,0,0/2,0,0,0 D")
	if err != nil {
		log.Fatal(err)
	}
	search := expectimax.New(expectimax.Config{Depth: 3})
	never := func() bool { return false }
	move := search.Choose(position, position.AppendMoves(nil), never)
	fmt.Printf("%v %.3f\n", move, search.Stats().Moves[0].Value)
	// Output: E 60.016
}
